import { report } from '../browser/report.ts';
import { CallError, call, currentUser } from '../call.ts';
import { keepUser, readToken, readUserInfo, signOut } from '../stores/user.ts';

let leaving = false;
addEventListener('pagehide', () => {
  leaving = true;
});
// A page restored from the back/forward cache keeps running.
addEventListener('pageshow', () => {
  leaving = false;
});

/** The last query did not show whether the session is valid. */
let failed = false;

/**
 * Asks the server who is signed in; a token that it rejects is forgotten.
 * @throws CallError, and what fetch throws; the stored user is emptied then
 */
export async function queryUser(): Promise<void> {
  const token = readToken();
  failed = false;
  try {
    const answer = await call(currentUser);
    if (!answer.success) throw new Error(answer.code);
    // Meanwhile another tab may have signed out, or signed in as another user.
    if (readToken() === token) keepUser({ userInfo: readUserInfo(answer.data) });
  } catch (error) {
    const refused = error instanceof CallError && error.status === 401;
    // The browser aborts open calls when the page is left; that says nothing about the user.
    if (!leaving && readToken() === token) {
      failed = !refused;
      if (refused) signOut();
      else keepUser({ userInfo: {} });
    }
    throw error;
  }
}

/** Updates the user store; a failure empties the user and is only written to the console. */
export async function fetchUser(): Promise<void> {
  try {
    await queryUser();
  } catch (error) {
    if (!leaving) report('The current user could not be read.', error);
  }
}

/** Asks again after a failure when a page is shown: the next one, or this one again. */
export function retryUser(): void {
  if (failed && readToken()) void fetchUser();
}
