import { isRecord, parseJson } from '../browser/json.ts';
import { local, onStoredElsewhere } from '../browser/storage.ts';
import { createStore } from './store.ts';

/** The current user; only with a uid does somebody count as signed in. */
export interface UserInfo {
  uid?: string;
  username?: string;
  email?: string;
}

interface UserState {
  /** The sign-in's answer, as it came. */
  loginInfo: Record<string, unknown>;
  userInfo: UserInfo;
}

const name = 'user-store';

/** The known fields of a current-user answer or of the stored user. */
export function readUserInfo(value: unknown): UserInfo {
  if (!isRecord(value)) return {};
  const { uid, username, email } = value;
  return {
    ...((typeof uid === 'string' || typeof uid === 'number') && { uid: String(uid) }),
    ...(typeof username === 'string' && { username }),
    ...(typeof email === 'string' && { email }),
  };
}

function stored(): UserState {
  const value = parseJson(local.get(name));
  const state = isRecord(value) ? value : {};
  return { loginInfo: isRecord(state.loginInfo) ? state.loginInfo : {}, userInfo: readUserInfo(state.userInfo) };
}

/** Who is signed in; kept in the browser. */
export const userStore = createStore(stored());

/** Changes a part of the user store and keeps it. */
export function keepUser(change: Partial<UserState>): void {
  const state = { ...userStore.get(), ...change };
  local.set(name, JSON.stringify(state));
  userStore.set(state);
}

/** The session's token; older sign-ins kept it as `jwt_token`. */
export function readToken(): string | null {
  return local.get('token') ?? local.get('jwt_token');
}

/** Keeps the token, or with `null` clears both of its names. */
export function keepToken(token: string | null): void {
  local.set('token', token);
  local.set('jwt_token', null);
}

/** Forgets the session in this browser. */
export function signOut(): void {
  keepToken(null);
  keepUser({ loginInfo: {}, userInfo: {} });
}

/** Takes over what another tab did, or another page before the browser came back to this one. */
export function followOtherTabs(): void {
  onStoredElsewhere(() => userStore.set(stored()));
}
