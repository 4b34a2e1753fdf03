import { expect, test } from 'vitest';
import { createNearest } from './nearest.ts';

const page = (href: string) => ({ label: href, href });

function nearest(pages: readonly string[], wanted: string): string[] {
  return createNearest(pages.map(page))(wanted).map(({ href }) => href);
}

const site = ['/', '/pricing', '/docs/connection/mariadb', '/docs/connection/mysql', '/blog/ai/second'];

test('the most similar address comes first, and dissimilar ones are left out', () => {
  expect(nearest(site, '/docs/conection/mysql')).toEqual(['/docs/connection/mysql', '/docs/connection/mariadb']);
  expect(nearest(site, '/prising')).toEqual(['/pricing']);
  expect(nearest(site, '/zzz')).toEqual([]);
  expect(nearest(site, '/')).toEqual([]);
  expect(createNearest([page('/pricing')])('/pricing')).toEqual([page('/pricing')]);
});

test('case, punctuation and the order of segments do not matter', () => {
  expect(nearest(site, '/Docs--CONNECTION/MySQL')[0]).toBe('/docs/connection/mysql');
  expect(nearest(site, '/mysql/connection')).toEqual(['/docs/connection/mysql', '/docs/connection/mariadb']);
});

test('a short address does not resemble every long one that contains its letters', () => {
  expect(nearest(['/ai', '/blog/announcements/aid-for-the-mill'], '/ai')).toEqual(['/ai']);
});

test('at most five addresses are suggested', () => {
  const pages = Array.from({ length: 9 }, (_, at) => `/docs/connection/number-${at}`);
  expect(nearest(pages, '/docs/connection/number-7')).toHaveLength(5);
  expect(nearest(pages, '/docs/connection/number-7')[0]).toBe(pages[7]);
});

test('only the start of a long address is compared', () => {
  expect(nearest(site, `/pricing${'x'.repeat(5000)}`)).toEqual(['/pricing']);
  expect(nearest(site, `/${'x'.repeat(200)}/pricing`)).toEqual([]);
});
