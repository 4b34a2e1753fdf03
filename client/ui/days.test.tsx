import type { ComponentType } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

/** Formats a day as a server or browser in that time zone does: the zone is read when the file is loaded. */
async function written(zone: string, iso: string): Promise<string[]> {
  vi.stubEnv('TZ', zone);
  const { LongDate } = await import('./LongDate.tsx');
  const { ShortDate } = await import('./ShortDate.tsx');
  const draw = (Day: ComponentType<{ iso: string }>) => renderToStaticMarkup(<Day iso={iso} />);
  return [draw(LongDate), draw(ShortDate)];
}

test.each(['UTC', 'Pacific/Pago_Pago', 'Pacific/Kiritimati'])('a day is the same day in %s', async (zone) => {
  expect(await written(zone, '2026-03-01')).toEqual([
    '<time dateTime="2026-03-01">March 1, 2026</time>',
    '<time dateTime="2026-03-01">Mar 1</time>',
  ]);
  expect((await written(zone, '2028-02-29'))[0]).toContain('February 29, 2028');
});
