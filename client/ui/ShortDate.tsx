const short = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });

/** A day as `Jul 10`, below a heading that names the year. */
export function ShortDate({ iso }: { iso: string }) {
  return <time dateTime={iso}>{short.format(new Date(`${iso}T00:00:00Z`))}</time>;
}
