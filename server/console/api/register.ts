import { z } from 'zod';
import { calls } from '../../../client/contract/calls.ts';
import { signUp } from '../account/sign-up.ts';
import { publicCall } from './define-call.ts';
import { signUpFields, targetOfPerson } from './fields.ts';

/** Creates an account, given the code that was sent to its address. */
export const register = publicCall(calls.register, z.strictObject(signUpFields), async ({ body }, services) => ({
  uid: await signUp(services, await targetOfPerson(body), body),
}));
