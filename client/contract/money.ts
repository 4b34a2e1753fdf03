/** Whole cents as `1,234.50 USD`; `short` omits zero cents: `216 USD`. */
export function money(cents: number, currency: string, short = false): string {
  const parts = new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    currencyDisplay: 'code',
    trailingZeroDisplay: short ? 'stripIfInteger' : 'auto',
  }).formatToParts(cents / 100);
  const figure = parts.filter(({ type }) => type !== 'currency' && type !== 'literal').map(({ value }) => value);
  return `${figure.join('')} ${currency}`;
}

/** `15 %`. */
export const percent = (rate: number) => `${Math.round(rate * 1000) / 10} %`;

/** `1,000,000`. */
export const figure = (value: number) => new Intl.NumberFormat('en-US').format(value);
