/** Whole cents as `216 USD` or `0.30 USD`; `exact` always writes the cents, for columns. */
export function money(cents: number, currency: string, exact = false): string {
  const parts = new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    currencyDisplay: 'code',
    trailingZeroDisplay: exact ? 'auto' : 'stripIfInteger',
  }).formatToParts(cents / 100);
  const figure = parts.filter(({ type }) => type !== 'currency' && type !== 'literal').map(({ value }) => value);
  return `${figure.join('')} ${currency}`;
}

/** `15 %`. */
export const percent = (rate: number) => `${Math.round(rate * 1000) / 10} %`;

/** `1,000,000`. */
export const figure = (value: number) => new Intl.NumberFormat('en-US').format(value);
