import { calls } from '../../../client/contract/calls.ts';
import { publicPasswordKey } from '../account/password-key.ts';
import { noBody, publicCall } from './define-call.ts';

/** The key for encrypting passwords, and a nonce for one of them. */
export const getPublicKey = publicCall(calls.getPublicKey, noBody, (_request, services) => publicPasswordKey(services));
