/**
 * A day in UTC as mails and invoices write it: July 31, 2026. No formatter is kept from the start: it takes 30 ms, and
 * most commands write no day.
 * @param at epoch milliseconds
 */
export function longDay(at: number): string {
  return new Date(at).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });
}
