import { isRecord, parseJson } from '../browser/json.ts';
import { session } from '../browser/storage.ts';

/** The answer of `/auth` when an address must be proved first, with the state it belongs to. */
export interface NeededProfile {
  state: string;
  requestId: string;
  /** What the provider knows; empty if nothing. */
  email: string;
}

const name = 'sso_profile';
const text = (value: unknown) => (typeof value === 'string' ? value : '');

/** @param data of PROFILE_NEEDED */
export function neededProfile(state: string, data: unknown): NeededProfile {
  const { requestId, email } = isRecord(data) ? data : {};
  return { state, requestId: text(requestId), email: text(email) };
}

/** Kept in session storage, so a reload asks the same again; `null` once the sign-in has finished. */
export function keepProfile(profile: NeededProfile | null): void {
  session.set(name, profile && JSON.stringify(profile));
}

/** What this tab was asked at the end of a sign-in. */
export function keptProfile(state: string): NeededProfile | undefined {
  const kept = parseJson(session.get(name));
  return isRecord(kept) && kept.state === state ? neededProfile(state, kept) : undefined;
}
