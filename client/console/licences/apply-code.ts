import { isRecord, parseJson } from '../../browser/json.ts';

const prefix = 'MRA1.';

/** True for an apply code that is complete: a version, then JSON as base64url. */
export function isWholeApplyCode(text: string): boolean {
  const code = text.replace(/\s/g, '');
  if (!code.startsWith(prefix)) return false;
  try {
    return isRecord(parseJson(atob(code.slice(prefix.length).replaceAll('-', '+').replaceAll('_', '/'))));
  } catch {
    // Not base64, so not whole.
    return false;
  }
}
