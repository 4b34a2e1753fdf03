import { beginSession } from '../console/account/sessions.ts';
import type { TestConsole } from './console.ts';
import { storeAccount } from './store-account.ts';

/** An account and a session, without mail and password. @param credits cents */
export async function newcomer(
  { services: { database, now } }: TestConsole,
  email: string,
  credits = 0,
): Promise<{ uid: string; token: string }> {
  const uid = await storeAccount(database, email, { credits, now: now() });
  const { token } = await beginSession(database, { uid, browser: '', now: now() });
  return { uid, token };
}

/** Another session of an account, for tests that advance the clock far. */
export async function signInAgain({ services: { database, now } }: TestConsole, uid: string): Promise<string> {
  return (await beginSession(database, { uid, browser: '', now: now() })).token;
}
