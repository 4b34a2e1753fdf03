import { twoDigits } from '../../contract/dates.ts';

const { timeZone } = Intl.DateTimeFormat().resolvedOptions();

/** The time zone of the browser and its offset at a moment: `Europe/Amsterdam, UTC+02:00`. */
export function zoneOf(moment: Date): string {
  if (timeZone === 'UTC') return timeZone;
  const minutes = -moment.getTimezoneOffset();
  const far = Math.abs(minutes);
  return `${timeZone}, UTC${minutes < 0 ? '-' : '+'}${twoDigits(Math.floor(far / 60))}:${twoDigits(far % 60)}`;
}
