import { isRecord } from '../browser/json.ts';
import { local } from '../browser/storage.ts';
import { keepLoginSource, readLoginSource } from '../stores/login-source.ts';
import { keepToken, keepUser } from '../stores/user.ts';
import { fetchUser } from './query-user.ts';
import { takeReturnTo } from './return-to.ts';

/** After a successful sign-in: stores its answer, fetches the user and navigates to where the stored label says. */
export async function finishLogin(data: unknown): Promise<void> {
  const loginInfo = isRecord(data) ? data : {};
  keepUser({ loginInfo });
  keepToken(typeof loginInfo.token === 'string' ? loginInfo.token : null);
  await fetchUser();
  const wanted = takeReturnTo();
  const source = readLoginSource();
  keepLoginSource(null);
  if (source === 'download') local.set('openDownloadModal', 'true');
  const cloudApp = document.querySelector<HTMLAnchorElement>('.bar [data-try-cloud]')?.href ?? '/console';
  location.replace(wanted ?? (source === 'try_cloud_free' ? cloudApp : '/'));
}
