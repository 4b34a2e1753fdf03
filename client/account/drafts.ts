import { isRecord, parseJson } from '../browser/json.ts';
import { local, session } from '../browser/storage.ts';
import { userStore } from '../stores/user.ts';

/** Never kept: anything that proves an identity or pays. An apply code does neither. */
const secret = /password|verifyCode|authCode|card|token|secret/i;
const prefix = 'draft:';
/** Local storage: changes with each sign-out, so other tabs forget their drafts too. */
const signedOutAt = 'signed_out_at';

/** Nothing is kept without a user: a form that outlives its session would leave it to the next one. */
function nameOf(form: string): string | undefined {
  const { uid } = userStore.get().userInfo;
  return uid === undefined ? undefined : `${prefix}${uid}:${form}`;
}

/** What the signed-in user had typed into a form when the session ended or the page was reloaded. */
export function readDraft(form: string): Record<string, string> {
  const name = nameOf(form);
  const kept = name === undefined ? undefined : parseJson(session.get(name));
  return isRecord(kept)
    ? Object.fromEntries(
        Object.entries(kept).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
      )
    : {};
}

/** Keeps what is typed, except secrets; `null` forgets it after the form was sent. */
export function keepDraft(form: string, values: Record<string, unknown> | null): void {
  const name = nameOf(form);
  if (name === undefined) return;
  const kept =
    values &&
    Object.entries(values).filter(([field, value]) => typeof value === 'string' && value !== '' && !secret.test(field));
  session.set(name, kept && kept.length > 0 ? JSON.stringify(Object.fromEntries(kept)) : null);
}

function forgetHere(): void {
  for (const name of session.names()) if (name.startsWith(prefix)) session.set(name, null);
}

/** After a sign-out: no draft stays, in any tab. */
export function forgetDrafts(): void {
  forgetHere();
  local.set(signedOutAt, String(Date.now()));
}

/** Makes this tab forget its drafts when another one signs out. */
export function followSignOut(): void {
  addEventListener('storage', ({ key }) => {
    if (key === signedOutAt) forgetHere();
  });
}
