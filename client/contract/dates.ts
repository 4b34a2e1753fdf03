/** A day in milliseconds. */
export const dayMs = 86_400_000;

/** A part of a time, zero-padded: 07. */
export const twoDigits = (part: number) => String(part).padStart(2, '0');

/** Writes a day as M/D/YYYY. */
export function date(moment: Date): string {
  return `${moment.getMonth() + 1}/${moment.getDate()}/${moment.getFullYear()}`;
}

/** Writes a moment as M/D/YYYY HH:mm:ss. */
export function dateTime(moment: Date): string {
  return `${date(moment)} ${twoDigits(moment.getHours())}:${twoDigits(moment.getMinutes())}:${twoDigits(moment.getSeconds())}`;
}

/** A moment's day in UTC as YYYY-MM-DD. @param at epoch milliseconds */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** A moment in UTC, to the minute: `2026-07-31 14:05`. @param at epoch milliseconds */
export function minuteOf(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ');
}
