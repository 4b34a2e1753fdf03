import { type Account, accountOf, createAccount, holdAccount } from '../account/accounts.ts';
import { takeCode } from '../account/codes.ts';
import type { Target } from '../account/targets.ts';
import { ConsoleError } from '../errors.ts';
import { queueMessage } from '../messages/queue-message.ts';
import type { ConsoleServices } from '../services.ts';
import { addIdentity } from './identities.ts';
import { accountMade, providerConnected } from './mails.ts';
import { newcomer } from './newcomer.ts';
import { readState } from './state.ts';
import { endWait, findWaiting } from './waiting-identities.ts';

interface Confirmation {
  state: string;
  requestId: string;
  target: Target;
  verifyCode: string;
  company: string;
}

/**
 * Connects a waiting identity to the account whose address a code has verified, or to a new one.
 * @throws ConsoleError BAD_CODE, after which it can be retried; SSO_FAILED when nothing is waiting any more
 * @returns the account to sign in to
 */
export async function confirmAddress(services: ConsoleServices, confirmation: Confirmation): Promise<Account> {
  const { database, secretKey, sso, now } = services;
  const { target, company, requestId } = confirmation;
  const state = readState(secretKey, confirmation.state);
  const provider = sso.find(({ type }) => type === state?.provider);
  if (!state || !provider) throw new ConsoleError('SSO_FAILED');
  const identity = await findWaiting(database, secretKey, { stateId: state.id, requestId, now: now() });
  if (!identity) throw new ConsoleError('SSO_FAILED');
  const proved = await takeCode(database, target, 'SSO_REGISTER_BIND', confirmation.verifyCode, {
    secretKey,
    now: now(),
  });
  if (!proved) throw new ConsoleError('BAD_CODE');
  return database.transaction(async (queries) => {
    if (!(await endWait(queries, state.id))) throw new ConsoleError('SSO_FAILED');
    // If the account's address is changing at the same time, the code proves nothing.
    const account = await holdAccount(queries, target);
    const about = { ...newcomer(services, identity, state.source), company, target };
    const uid = account?.uid ?? (await createAccount(queries, about));
    const owner = uid === undefined ? undefined : await accountOf(queries, uid);
    if (!owner) throw new ConsoleError('SSO_FAILED');
    await addIdentity(queries, identity, owner.uid, now());
    const letter = account ? providerConnected : accountMade;
    const kind = account ? 'sign-in-connected' : 'account-created';
    if (owner.email !== null)
      await queueMessage(queries, services, letter(services, owner.email, provider.name), { kind, uid: owner.uid });
    return owner;
  });
}
