const long = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** A day as `July 10, 2025`; `iso` is YYYY-MM-DD. */
export function LongDate({ iso }: { iso: string }) {
  return <time dateTime={iso}>{long.format(new Date(`${iso}T00:00:00Z`))}</time>;
}
