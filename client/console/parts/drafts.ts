import { isRecord, parseJson } from '../../browser/json.ts';
import { session } from '../../browser/storage.ts';
import { userStore } from '../../stores/user.ts';

/** Never kept: what proves somebody or pays. An apply code does neither. */
const secret = /password|verifyCode|authCode|card|token|secret/i;

const nameOf = (form: string) => `draft:${userStore.get().userInfo.uid ?? ''}:${form}`;

/** What somebody had typed into a form when the session ended or the page was reloaded. */
export function readDraft(form: string): Record<string, string> {
  const kept = parseJson(session.get(nameOf(form)));
  return isRecord(kept)
    ? Object.fromEntries(
        Object.entries(kept).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
      )
    : {};
}

/** Keeps what is typed, except secrets; `null` forgets it, after the form was sent. */
export function keepDraft(form: string, values: Record<string, unknown> | null): void {
  const kept =
    values &&
    Object.entries(values).filter(([name, value]) => typeof value === 'string' && value !== '' && !secret.test(name));
  session.set(nameOf(form), kept && kept.length > 0 ? JSON.stringify(Object.fromEntries(kept)) : null);
}
