/** Writes whole cents as an amount of money. */
export function money(cents: number, currency: string): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(cents / 100);
}

/** Writes a moment as M/D/YYYY HH:mm:ss. */
export function dateTime(moment: Date): string {
  const two = (part: number) => String(part).padStart(2, '0');
  const day = `${moment.getMonth() + 1}/${moment.getDate()}/${moment.getFullYear()}`;
  return `${day} ${two(moment.getHours())}:${two(moment.getMinutes())}:${two(moment.getSeconds())}`;
}
