import { local } from '../browser/storage.ts';

/** What started a sign-in; decides where it leads. */
export type LoginSource = 'sign_in' | 'try_cloud_free' | 'download';

const key = 'loginSource';
/** Session storage: the `state` of the single sign-on that this tab started. */
export const startedHere = 'sso_state';

/** The stored label; older sign-ins may have left other values. */
export function readLoginSource(): string | null {
  return local.get(key);
}

/** Stores the label; `null` clears it. */
export function keepLoginSource(source: LoginSource | null): void {
  local.set(key, source);
}
