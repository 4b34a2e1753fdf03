import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

test.each([
  ['UTC', 'UTC'],
  ['Europe/Amsterdam', 'Europe/Amsterdam, UTC+02:00'],
  ['America/St_Johns', 'America/St_Johns, UTC-02:30'],
])('a moment in %s', async (zone, words) => {
  vi.stubEnv('TZ', zone);
  const { zoneOf } = await import('./zone.ts');
  expect(zoneOf(new Date('2026-07-01T12:00:00Z'))).toBe(words);
});
