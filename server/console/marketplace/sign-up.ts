import { createHash } from 'node:crypto';
import { type SignUp, signUp } from '../account/sign-up.ts';
import type { Target } from '../account/targets.ts';
import { ConsoleError } from '../errors.ts';
import type { ConsoleServices } from '../services.ts';
import type { MarketplaceType } from './marketplaces.ts';
import { forgetReference, tokenOf } from './references.ts';

/**
 * Creates the account for a purchase: the marketplace is asked what the token stands for, and token and purchase are
 * used up together with the sign-up or not at all.
 * @param registerToken the token itself, or the reference to it
 * @throws ConsoleError MARKETPLACE_NOT_OFFERED, BAD_MARKETPLACE_TOKEN, MARKETPLACE_SILENT, PURCHASE_TAKEN, BAD_CODE
 * @returns uid
 */
export async function signUpFromMarketplace(
  services: ConsoleServices,
  { type, registerToken }: { type: MarketplaceType; registerToken: string },
  target: Target,
  form: SignUp,
): Promise<string> {
  const { database, secretKey, marketplaces, now } = services;
  const marketplace = marketplaces[type];
  if (!marketplace) throw new ConsoleError('MARKETPLACE_NOT_OFFERED');
  const token = (await tokenOf(database, secretKey, registerToken, now())) ?? registerToken;
  const { purchase, customer, product } = await marketplace.resolve(token);
  const tokenHash = createHash('sha256').update(token).digest('base64url');
  return signUp(services, target, form, async (queries, uid) => {
    const taken = await queries.run(
      `INSERT INTO marketplace_purchase (token_hash, marketplace, purchase, customer, product, uid, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`,
      [tokenHash, type, purchase, customer, product, uid, now()],
    );
    if (taken === 0) throw new ConsoleError('PURCHASE_TAKEN');
    await forgetReference(queries, registerToken);
  });
}
