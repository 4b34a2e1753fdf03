import { whileBusy } from '../browser/busy.ts';
import { report } from '../browser/report.ts';
import { call } from '../call.ts';
import { calls } from '../contract/calls.ts';
import { globalStore, setGlobal } from '../stores/global.ts';
import { signOut } from '../stores/user.ts';
import { forgetDrafts } from './drafts.ts';

/** Ends the session on the server and here, then goes to the home page. */
export async function logOut(): Promise<void> {
  if (globalStore.get().loading) return;
  const end = location.pathname === '/' ? () => {} : whileBusy();
  setGlobal({ loading: true });
  try {
    const answer = await call(calls.logout);
    if (!answer.success) throw new Error(answer.code);
    forgetDrafts();
    signOut();
    location.assign('/');
  } catch (error) {
    report('Logging out failed.', error);
  } finally {
    setGlobal({ loading: false });
    end();
  }
}
