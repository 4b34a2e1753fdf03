import { local } from '../browser/storage.ts';

/** What started a sign-in; decides where it leads. */
export type LoginSource = 'sign_in' | 'try_cloud_free' | 'download';

const key = 'loginSource';

/** The stored label; older sign-ins may have left other values. */
export function readLoginSource(): string | null {
  return local.get(key);
}

/** Stores the label; `null` clears it. */
export function keepLoginSource(source: LoginSource | null): void {
  local.set(key, source);
}
