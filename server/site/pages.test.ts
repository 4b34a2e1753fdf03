import { createServer } from 'node:http';
import request from 'supertest';
import { expect, test } from 'vitest';
import { stubServices } from '../testing/stub-services.ts';
import { createApp } from './app.ts';
import type { Found, SiteServices } from './services.ts';

function siteOf(changes: Partial<SiteServices> = {}) {
  const render: SiteServices['render'] = async ({ path, props, status }) => ({
    status,
    html: `${path} ${JSON.stringify(props)}`,
  });
  const services = stubServices({}, { render, ...changes });
  const client = request(createServer(createApp(services).listener));
  return { client, soft: (path: string) => client.get(path).set('X-Soft-Navigation', '1') };
}

test('each page has its own variant for soft navigation', async () => {
  const { soft } = siteOf();
  for (const path of ['/why', '/docs/intro', '/why', '/docs/intro']) expect((await soft(path)).text).toContain(path);
});

test('expensive props are added when the page is rendered', async () => {
  const found: Found = {
    kind: 'page',
    status: 200,
    folder: 'why',
    props: { first: 1, both: 1 },
    moreProps: async () => ({ both: 2, more: 2 }),
    meta: { title: '', description: '', indexed: true },
    route: '/why',
    path: '/why',
  };
  const { client } = siteOf({ findPage: () => found });
  expect((await client.get('/why')).text).toBe('/why {"first":1,"both":2,"more":2}');
});

test("Last-Modified is the time when the page's content was loaded", async () => {
  let loaded = Date.UTC(2026, 0, 1);
  const { client } = siteOf({ contentSince: () => loaded });
  const modified = async (path: string) => (await client.get(path)).headers['last-modified'];
  expect(await modified('/why')).toBe('Thu, 01 Jan 2026 00:00:00 GMT');
  loaded = Date.UTC(2026, 0, 2);
  expect(await modified('/docs/intro')).toBe('Fri, 02 Jan 2026 00:00:00 GMT');
});

test('a script that follows links gets no page for a redirect to a part of one: it would lose the part', async () => {
  const moved = (to: string): Found => ({ kind: 'redirect', status: 301, to, route: '(moved)' });
  const { client, soft } = siteOf({ findPage: (path) => moved(path === '/part' ? '/docs/intro#part' : '/docs/intro') });
  for (const path of ['/part?a=1', '/part.html?a=1']) {
    const { status, headers, text } = await soft(path).redirects(0);
    expect([path, status, headers.location, headers.vary, text]).toEqual([
      path,
      204,
      undefined,
      'X-Soft-Navigation',
      '',
    ]);
    const full = await client.get(path).redirects(0);
    expect([full.status, full.headers.location, full.headers.vary]).toEqual([
      ...[301, '/docs/intro?a=1#part', 'X-Soft-Navigation'],
    ]);
  }
  const whole = await soft('/whole').redirects(0);
  expect([whole.status, whole.headers.location, whole.headers.vary]).toEqual([301, '/docs/intro', undefined]);
});

test('in development every request renders the page again', async () => {
  let drawn = 0;
  const { client, soft } = siteOf({
    devMiddleware: (_req, _res, next) => next(),
    render: async () => {
      drawn += 1;
      return { status: 200, html: `drawing ${drawn}` };
    },
  });
  expect([(await client.get('/why')).text, (await client.get('/why')).text]).toEqual(['drawing 1', 'drawing 2']);
  expect((await soft('/why')).text).toBe('drawing 3');
});

test('a cached page carries the ID of each request, not of the first', async () => {
  const { client } = siteOf();
  const ids = [await client.get('/why'), await client.get('/why')].map(({ headers }) => headers['x-request-id'] ?? '');
  expect(ids[1]).toMatch(/^[\w-]+$/);
  expect(ids[1]).not.toBe(ids[0]);
});
