/** A day in milliseconds. */
export const dayMs = 86_400_000;

/** Writes a day as M/D/YYYY. */
export function date(moment: Date): string {
  return `${moment.getMonth() + 1}/${moment.getDate()}/${moment.getFullYear()}`;
}

/** Writes a moment as M/D/YYYY HH:mm:ss. */
export function dateTime(moment: Date): string {
  const two = (part: number) => String(part).padStart(2, '0');
  return `${date(moment)} ${two(moment.getHours())}:${two(moment.getMinutes())}:${two(moment.getSeconds())}`;
}

/** The day of a moment in UTC as YYYY-MM-DD. @param at epoch milliseconds */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
