import { errorMessage } from '../../error-message.ts';

const busyCodes = new Set([5, 6]);
// Faults of the medium: the disk, a full disk or quota, permissions. With any other error, the file itself is at fault.
const outsideCodes = new Set([3, 7, 8, 10, 13, 14, 23]);

/** Another process holds the file. */
export function isBusy(error: unknown): boolean {
  return busyCodes.has(codeOf(error) ?? Number.NaN);
}

/** The file is not a database, is corrupt, or has other tables; writing to it would not help. */
export function isDamage(error: unknown): boolean {
  const code = codeOf(error);
  return code !== undefined && !busyCodes.has(code) && !outsideCodes.has(code);
}

/** SQLite's own message, without a full stop. */
export function reasonOf(error: unknown): string {
  return errorMessage(error).replace(/\.$/, '');
}

/** The primary code, https://sqlite.org/rescode.html; undefined for other errors. */
function codeOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return undefined;
  return error.errcode & 0xff;
}
