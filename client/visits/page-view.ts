import { whenIdle } from '../browser/idle.ts';
import { report } from '../browser/report.ts';
import { local, session } from '../browser/storage.ts';
import { call } from '../call.ts';
import { fingerprint } from './fingerprint.ts';

const secret = ['code', 'state', 'token'];

/** The address as recorded: the path, on /login with its query, without single sign-on secrets. */
export function recordedUri({ pathname, searchParams }: URL): string {
  if (pathname !== '/login') return pathname;
  const query = new URLSearchParams([...searchParams].filter(([name]) => !secret.includes(name)));
  return query.size > 0 ? `${pathname}?${query}` : pathname;
}

let clientId: Promise<string> | undefined;

/**
 * Sends a record of `uri`, within the call's length limits; a failure goes to the console.
 * @returns whether it was recorded
 */
export async function record(uri: string): Promise<boolean> {
  try {
    clientId ??= fingerprint();
    await call('/addviewlog', {
      src: (local.get('source_for_cc') ?? session.get('source_for_cc') ?? '').slice(0, 1024),
      kw: (local.get('kw_for_cc') ?? '').slice(0, 256),
      vbId: (local.get('vbid_for_cc') ?? '').slice(0, 256),
      clientId: await clientId,
      uid: '',
      uri,
    });
    return true;
  } catch (error) {
    report('The page view was not recorded.', error);
    return false;
  }
}

/** Records the current page, once the browser is idle: the fingerprint's drawing must not delay the page. */
export function recordPageView(): void {
  const uri = recordedUri(new URL(location.href));
  whenIdle(() => void record(uri));
}
