/** Writes whole cents as `1,234.50 USD`, as the price list does. */
export function money(cents: number, currency: string): string {
  const figure = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  return `${figure.format(cents / 100)} ${currency}`;
}

/** Writes a moment as M/D/YYYY HH:mm:ss. */
export function dateTime(moment: Date): string {
  const two = (part: number) => String(part).padStart(2, '0');
  const day = `${moment.getMonth() + 1}/${moment.getDate()}/${moment.getFullYear()}`;
  return `${day} ${two(moment.getHours())}:${two(moment.getMinutes())}:${two(moment.getSeconds())}`;
}
