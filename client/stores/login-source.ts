import { local } from '../browser/storage.ts';

/** Where a sign-in was asked for; decides where it leads. */
export type LoginSource = 'sign_in' | 'try_cloud_free' | 'download';

const key = 'loginSource';

/** The stored label; others than ours may be there from older sign-ins. */
export function readLoginSource(): string | null {
  return local.get(key);
}

/** Keeps the label, or with `null` clears it. */
export function keepLoginSource(source: LoginSource | null): void {
  local.set(key, source);
}
