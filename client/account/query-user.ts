import { report } from '../browser/report.ts';
import { call, currentUser } from '../call.ts';
import { keepUser, readToken, readUserInfo } from '../stores/user.ts';

let leaving = false;
addEventListener('pagehide', () => {
  leaving = true;
});
// A page restored from the back/forward cache keeps running.
addEventListener('pageshow', () => {
  leaving = false;
});

/** Asks the server who is signed in. @throws CallError, and what fetch throws; the stored user is emptied then */
export async function queryUser(): Promise<void> {
  const token = readToken();
  try {
    const answer = await call(currentUser);
    if (!answer.success) throw new Error(answer.code);
    // Meanwhile another tab may have signed out, or signed in as another user.
    if (readToken() === token) keepUser({ userInfo: readUserInfo(answer.data) });
  } catch (error) {
    // The browser aborts open calls when the page is left; that says nothing about the user.
    if (!leaving) keepUser({ userInfo: {} });
    throw error;
  }
}

/** Brings the user store up to date; a failure empties the user and is written to the console only. */
export async function fetchUser(): Promise<void> {
  try {
    await queryUser();
  } catch (error) {
    if (!leaving) report('The current user could not be read.', error);
  }
}
