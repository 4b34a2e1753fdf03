import { isRecord, parseJson } from './browser/json.ts';
import type { Call, Envelope } from './contract/calls.ts';
import { readToken, signOut } from './stores/user.ts';

/** A call that was not answered with 2xx. */
export class CallError extends Error {
  readonly status: number;
  /** Whether the session that was stored is over, and no other tab has signed in since. */
  readonly endsSession: boolean;
  /** What the server said, if it used the envelope. */
  readonly refusal: Extract<Envelope<unknown>, { success: false }> | undefined;

  constructor(path: string, status: number, endsSession: boolean, answer: unknown) {
    super(`${path} answered ${status}`);
    this.status = status;
    this.endsSession = endsSession;
    this.refusal = isEnvelope(answer) && !answer.success ? answer : undefined;
  }
}

function isEnvelope(value: unknown): value is Envelope<unknown> {
  return isRecord(value) && (value.success === true || (value.success === false && typeof value.code === 'string'));
}

/** Repeated here: importing the table of all calls would add it to what every page loads. */
export const currentUser: Call = '/rdp/console/api/v1/user/queryLoginUser';

/**
 * The only way to the server: POST, same origin, at most 10 seconds, with cookies and the stored token.
 * @returns the body; a business refusal is an answer too (`success: false`)
 * @throws CallError for any other status, and what fetch throws; 401 also leads to /login, except for the current user
 */
export async function call(path: Call, body?: object): Promise<Envelope<unknown>> {
  const token = readToken();
  const response = await fetch(path, {
    method: 'POST',
    credentials: 'include',
    signal: AbortSignal.timeout(10_000),
    headers: {
      ...(body && { 'Content-Type': 'application/json' }),
      ...(token && { Authorization: `Bearer ${token}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = parseJson(await response.text());
  const endsSession = response.status === 401 && [token, null].includes(readToken());
  if (endsSession && path !== currentUser) {
    signOut();
    if (location.pathname !== '/login') location.assign('/login');
  }
  if (!response.ok) throw new CallError(path, response.status, endsSession, answer);
  return isEnvelope(answer) ? answer : { success: true, data: answer };
}
