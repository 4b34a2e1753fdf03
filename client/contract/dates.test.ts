import { expect, onTestFinished, test, vi } from 'vitest';
import { date, dateTime } from './dates.ts';

test.each([
  ['UTC', '2026-01-02T03:04:05Z', '1/2/2026 03:04:05'],
  ['UTC', '2026-12-31T23:59:59.999Z', '12/31/2026 23:59:59'],
  ['UTC', '2028-02-29T00:00:00Z', '2/29/2028 00:00:00'],
  // The visitor's own clock: another day, another year, half an hour, the hour that occurs twice.
  ['Pacific/Kiritimati', '2026-12-31T12:00:00Z', '1/1/2027 02:00:00'],
  ['Pacific/Pago_Pago', '2026-01-01T10:00:00Z', '12/31/2025 23:00:00'],
  ['Asia/Kolkata', '2026-06-01T18:40:00Z', '6/2/2026 00:10:00'],
  ['Europe/Berlin', '2026-10-25T00:30:00Z', '10/25/2026 02:30:00'],
  ['Europe/Berlin', '2026-10-25T01:30:00Z', '10/25/2026 02:30:00'],
])('in %s, %s is %s', (zone, moment, written) => {
  vi.stubEnv('TZ', zone);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(dateTime(new Date(moment))).toBe(written);
  expect(date(new Date(moment))).toBe(written.split(' ')[0]);
});
