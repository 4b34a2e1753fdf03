import { whileBusy } from './busy.ts';
import { CallError, call } from './call.ts';
import { calls } from './contract/calls.ts';
import { report } from './report.ts';
import { local } from './storage.ts';
import { setGlobal } from './stores/global.ts';
import { keepLoginSource, type LoginSource, readLoginSource } from './stores/login-source.ts';
import { keepToken, keepUser, readLoginInfo, readUserInfo, signOut } from './stores/user.ts';

let leaving = false;
addEventListener('pagehide', () => {
  leaving = true;
});

async function queryUser(): Promise<void> {
  try {
    const answer = await call(calls.queryLoginUser);
    if (!answer.success) throw new Error(answer.code);
    keepUser({ userInfo: readUserInfo(answer.data) });
  } catch (error) {
    // The browser ends open calls when the page goes away; that says nothing about the user.
    if (!leaving) keepUser({ userInfo: {} });
    throw error;
  }
}

/** Brings the user store up to date; a failure empties the user and goes to the console only. */
export async function fetchUser(): Promise<void> {
  try {
    await queryUser();
  } catch (error) {
    if (!leaving) report('The current user could not be read.', error);
  }
}

/**
 * Runs `then` for a signed-in visitor; others are sent to /login, and `source` decides where they land afterwards.
 * Other failures are ignored.
 */
export async function checkLogin(then: () => void, source?: LoginSource): Promise<void> {
  try {
    await queryUser();
  } catch (error) {
    if (!(error instanceof CallError && error.status === 401)) return;
    if (source) keepLoginSource(source);
    location.assign('/login');
    return;
  }
  then();
}

/** Where a sign-in leads, by the stored label. */
export function addressAfterLogin(source: string | null, cloudApp: string): string {
  return source === 'try_cloud_free' ? cloudApp : '/';
}

/** After a successful sign-in: keeps its answer, reads the user and goes where the stored label says. */
export async function finishLogin(data: unknown): Promise<void> {
  const loginInfo = readLoginInfo(data);
  keepUser({ loginInfo });
  keepToken(loginInfo.token ?? null);
  await fetchUser();
  const source = readLoginSource();
  keepLoginSource(null);
  if (source === 'download') local.set('openDownloadModal', 'true');
  const cloudApp = document.querySelector<HTMLAnchorElement>('.bar [data-try-cloud]')?.href ?? '/console';
  location.assign(addressAfterLogin(source, cloudApp));
}

/** Ends the session on the server and here, then goes home. */
export async function logout(): Promise<void> {
  const end = location.pathname === '/' ? () => {} : whileBusy();
  setGlobal({ loading: true });
  try {
    const answer = await call(calls.logout);
    if (!answer.success) throw new Error(answer.code);
    signOut();
    location.assign('/');
  } catch (error) {
    report('Logging out failed.', error);
  } finally {
    setGlobal({ loading: false });
    end();
  }
}
