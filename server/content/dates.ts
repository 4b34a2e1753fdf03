/** The day that a front matter value states, or undefined when it states none. */
export function isoDate(value: string | number | Date): string | undefined {
  if (typeof value === 'number') return undefined;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString().slice(0, 10);
  const parts = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:$|[T\s])/.exec(value.trim());
  if (parts) return realDay(`${parts[1]}-${parts[2]?.padStart(2, '0')}-${parts[3]?.padStart(2, '0')}`);
  // The third of April or the fourth of March.
  const [, first = '', second = ''] = /^(\d{1,2})[-/.](\d{1,2})[-/.]\d{4}(?!\d)/.exec(value.trim()) ?? [];
  if (first && Number(first) <= 12 && Number(second) <= 12 && Number(first) !== Number(second)) return undefined;
  const spoken = /\d{4}/.test(value) ? new Date(`${value} UTC`) : undefined;
  return spoken && !Number.isNaN(spoken.getTime()) ? spoken.toISOString().slice(0, 10) : undefined;
}

/** Rejects days such as 2025-02-30, which Date would move to March. */
function realDay(day: string): string | undefined {
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day) ? day : undefined;
}
