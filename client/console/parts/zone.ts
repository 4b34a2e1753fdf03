const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
const two = (part: number) => String(Math.floor(part)).padStart(2, '0');

/** The time zone of the browser and its offset at a moment: `Europe/Amsterdam, UTC+02:00`. */
export function zoneOf(moment: Date): string {
  if (timeZone === 'UTC') return timeZone;
  const minutes = -moment.getTimezoneOffset();
  const far = Math.abs(minutes);
  return `${timeZone}, UTC${minutes < 0 ? '-' : '+'}${two(far / 60)}:${two(far % 60)}`;
}
