import { isRecord, parseJson } from '../browser/json.ts';
import { local, onStoredElsewhere } from '../browser/storage.ts';
import { createStore } from './store.ts';

/** The current user; a visitor counts as signed in only with a uid. */
export interface UserInfo {
  uid?: string;
  username?: string;
  email?: string;
}

interface UserState {
  /** The response of the sign-in, unchanged. */
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

/** The signed-in user; kept in the browser. */
export const userStore = createStore(stored());

/** Changes a part of the user store and saves it. */
export function keepUser(change: Partial<UserState>): void {
  const state = { ...userStore.get(), ...change };
  local.set(name, JSON.stringify(state));
  userStore.set(state);
}

/** The session's token; older sign-ins kept it as `jwt_token`. */
export function readToken(): string | null {
  return local.get('token') ?? local.get('jwt_token');
}

/** Stores the token; `null` clears it under both names. */
export function keepToken(token: string | null): void {
  local.set('token', token);
  local.set('jwt_token', null);
}

/** Forgets the session in this browser. */
export function signOut(): void {
  keepToken(null);
  keepUser({ loginInfo: {}, userInfo: {} });
}

/** Takes over changes from another tab, or from another page before this one was restored. */
export function followOtherTabs(): void {
  onStoredElsewhere(() => userStore.set(stored()));
}
