import { z } from 'zod';
import { calls } from '../../../client/contract/calls.ts';
import { countRegistration } from '../marketplace/attempts.ts';
import { marketplaceTypes } from '../marketplace/marketplaces.ts';
import { signUpFromMarketplace } from '../marketplace/sign-up.ts';
import { publicCall } from './define-call.ts';
import { line, signUpFields, targetOfPerson } from './fields.ts';

const body = z.strictObject({
  ...signUpFields,
  marketplaceType: z.enum(marketplaceTypes),
  registerToken: z.string().min(1).max(4096),
  // Pages send it; a purchase has its own, better ID.
  clientId: line(128).optional(),
});

/** Creates an account for a purchase in a cloud marketplace. */
export const registerFromMarket = publicCall(calls.registerFromMarket, body, async ({ body, address }, services) => {
  await countRegistration(services, address);
  const { marketplaceType: type, registerToken } = body;
  return { uid: await signUpFromMarketplace(services, { type, registerToken }, await targetOfPerson(body), body) };
});
