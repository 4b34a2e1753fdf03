import type { ProfileNeeded } from '../../../client/contract/console/sso.ts';
import { type Account, accountOf, createAccount } from '../account/accounts.ts';
import { holdSession, type Session } from '../account/sessions.ts';
import { takeOwnTurn } from '../account/take-turn.ts';
import { mailTarget } from '../account/targets.ts';
import { ConsoleError } from '../errors.ts';
import { queueMessage } from '../messages/queue-message.ts';
import type { ConsoleServices } from '../services.ts';
import { describeFailure } from './failure.ts';
import { addIdentity, ownerOf } from './identities.ts';
import { accountMade, providerConnected } from './mails.ts';
import { newcomer } from './newcomer.ts';
import type { Identity, ProviderAnswer, SsoProvider } from './provider.ts';
import { attemptOf, readState, type SsoState, spendState } from './state.ts';
import { keepWaiting } from './waiting-identities.ts';

interface Finish extends ProviderAnswer {
  state: string;
  /** The session of the signed-in user who asks, if any. */
  session: Session | undefined;
  requestId: string;
}

/**
 * Finishes a sign-in with the provider's answer.
 * @throws ConsoleError SSO_FAILED; PROFILE_NEEDED if an address must be confirmed first; SIGNED_OUT and SSO_TAKEN
 *   when a provider is being connected
 * @returns the account to sign in to
 */
export async function finishSignIn(
  services: ConsoleServices,
  { session, requestId, ...answer }: Finish,
): Promise<Account> {
  const { database, secretKey, sso, now } = services;
  const state = readState(secretKey, answer.state);
  const provider = sso.find(({ type }) => type === state?.provider);
  if (!state || !provider) throw new ConsoleError('SSO_FAILED');
  // The user who connects a provider must still be the one who started it.
  if (state.uid !== undefined && state.uid !== session?.uid)
    throw new ConsoleError(session === undefined ? 'SIGNED_OUT' : 'SSO_FAILED');
  // Before the provider is asked: of parallel answers only one counts.
  if (!(await spendState(database, state, now()))) throw new ConsoleError('SSO_FAILED');
  const identity = await confirm(services, provider, state, answer);
  if (state.uid === undefined || !session) return signInOrUp(services, { provider, identity, state, requestId });
  return connect(services, provider, identity, session);
}

/** Asks the provider whom the answer identifies. */
async function confirm(
  services: ConsoleServices,
  provider: SsoProvider,
  state: SsoState,
  answer: ProviderAnswer,
): Promise<Identity> {
  try {
    return await provider.finish(attemptOf(services, state), answer);
  } catch (error) {
    services.log.warn({ provider: provider.type, ...describeFailure(error) }, 'a single sign-on was not confirmed');
    throw new ConsoleError('SSO_FAILED');
  }
}

interface Confirmed {
  provider: SsoProvider;
  identity: Identity;
  state: SsoState;
  requestId: string;
}

/**
 * The account of an identity; a new one if no account has its address. An address alone never opens an existing
 * account: what a provider says about an address is not its owner's consent.
 */
async function signInOrUp(
  services: ConsoleServices,
  { provider, identity, state, requestId }: Confirmed,
): Promise<Account> {
  const { database, secretKey, now } = services;
  const { email } = identity;
  const account = await database.transaction(async (queries) => {
    const known = await ownerOf(queries, identity);
    if (known !== undefined) return accountOf(queries, known);
    const about = newcomer(services, identity, state.source);
    const made = email !== undefined && (await createAccount(queries, { ...about, target: mailTarget(email) }));
    if (email !== undefined && made) {
      await addIdentity(queries, identity, made, now());
      await queueMessage(queries, services, accountMade(services, email, provider.name), {
        kind: 'account-created',
        uid: made,
      });
      return accountOf(queries, made);
    }
    // Another tab may have created it meanwhile.
    const meanwhile = await ownerOf(queries, identity);
    if (meanwhile !== undefined) return accountOf(queries, meanwhile);
    await keepWaiting(queries, secretKey, { stateId: state.id, requestId, identity, now: now() });
    return undefined;
  });
  if (account) return account;
  const data = { requestId, ...(email !== undefined && { email }) } satisfies ProfileNeeded;
  throw new ConsoleError('PROFILE_NEEDED', { data });
}

/**
 * Connects an identity to the account of a signed-in user, who is notified by mail. The session must have outlived the
 * request to the provider: a new password ends it to keep its holder out.
 * @throws ConsoleError SIGNED_OUT, SSO_TAKEN
 */
function connect(
  services: ConsoleServices,
  provider: SsoProvider,
  identity: Identity,
  session: Session,
): Promise<Account> {
  return services.database.transaction(async (queries) => {
    // The account first: the same order as in code that ends its sessions.
    await takeOwnTurn(queries, session.uid);
    const account = (await holdSession(queries, session)) ? await accountOf(queries, session.uid) : undefined;
    if (!account) throw new ConsoleError('SIGNED_OUT');
    if ((await ownerOf(queries, identity)) === account.uid) return account;
    await addIdentity(queries, identity, account.uid, services.now());
    const about = { kind: 'sign-in-connected', uid: account.uid } as const;
    if (account.email)
      await queueMessage(queries, services, providerConnected(services, account.email, provider.name), about);
    return account;
  });
}
