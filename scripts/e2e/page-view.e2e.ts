import type { Page } from 'playwright';
import { describe, expect } from 'vitest';
import { calls } from '../../client/contract/calls.ts';
import { firstRecord, named, uris } from './page-views.ts';
import { eventually, follow, isMarked, mark, signIn, store, test } from './visitor.ts';

test('a record has the six fields, taken from the browser storage', async ({ context, page, console }) => {
  await store(context, {
    kw_for_cc: 'fields',
    source_for_cc: 'https://ads.example/',
    vbid_for_cc: 'click-1',
    cc_info_collected: '1',
  });
  await page.goto('/why', { referer: 'http://search.example/' });
  expect(await firstRecord(console, 'fields')).toEqual({
    src: 'https://ads.example/',
    kw: 'fields',
    vbId: 'click-1',
    clientId: expect.stringMatching(/^[0-9a-f]{64}$/),
    uid: '',
    uri: '/why',
  });
});

test('without a campaign, the source is that of the session', async ({ context, page, console }) => {
  await named(context, 'session');
  await page.goto('/why', { referer: 'http://search.example/' });
  expect(await firstRecord(console, 'session')).toMatchObject({ src: 'http://search.example/', vbId: '' });
});

test('values longer than the call accepts are truncated', async ({ context, page, console }) => {
  await store(context, {
    kw_for_cc: 'k'.repeat(300),
    source_for_cc: `https://ads.example/${'s'.repeat(2000)}`,
    vbid_for_cc: 'v'.repeat(300),
    cc_info_collected: '1',
  });
  await page.goto('/why');
  expect(await firstRecord(console, 'k'.repeat(256))).toMatchObject({
    src: `https://ads.example/${'s'.repeat(1024 - 'https://ads.example/'.length)}`,
    vbId: 'v'.repeat(256),
  });
});

test('a landing from an ad is recorded with its own visit', async ({ page, console }) => {
  await page.goto('/?bd_vid=click-2&kw=landing', { referer: 'http://ads.example/' });
  expect(await firstRecord(console, 'landing')).toMatchObject({
    src: 'http://ads.example/',
    vbId: 'click-2',
    uri: '/',
  });
});

test("a signed-in visitor's uid stays empty, and the call carries the token", async ({ context, page, console }) => {
  const token = await signIn(context, { user: { uid: '7', username: 'Viewer' } });
  await page.goto('/about');
  const mine = async () => (await console.seen(calls.addViewLog)).filter((call) => call.token === token);
  await eventually(async () => (await mine()).map(({ body }) => body)).toEqual([
    expect.objectContaining({ uid: '', uri: '/about' }),
  ]);
});

test.for([
  ['/docs/intro/product_intro?token=1#heading', '/docs/intro/product_intro'],
  ['/search?q=mysql&code=1', '/search'],
  ['/login', '/login'],
  ['/login?from=%2Fdocs&kind=a+b#form', '/login?from=%2Fdocs&kind=a+b'],
  ['/login?code=1&from=a&state=2&token=3', '/login?from=a'],
  ['/login?code=1&state=2', '/login'],
  ['/loading?code=1&state=2', '/loading'],
  ['/nowhere?a=1', '/nowhere'],
] as const)('%s is recorded as %s', async ([address, uri], { context, page, problems, console }) => {
  problems.allow(/status of 404/);
  await named(context, address);
  await page.goto(address);
  expect((await firstRecord(console, address))?.uri).toBe(uri);
});

test('every change of path or query is recorded once, a heading is not', async ({ context, page, console }) => {
  await named(context, 'walk');
  const recorded: string[] = [];
  const next = async (uri: string) => {
    recorded.push(uri);
    await eventually(() => uris(console, 'walk')).toEqual(recorded);
  };
  await page.goto('/docs/intro/product_intro');
  await next('/docs/intro/product_intro');
  await mark(page);
  await page.locator('.toc li a').first().click();
  await eventually(() => new URL(page.url()).hash).not.toBe('');
  await follow(page, '/search?q=mysql');
  await next('/search');
  await follow(page, '/search?q=kafka');
  await next('/search');
  await page.goBack();
  await next('/search');
  await page.goBack();
  await next('/docs/intro/product_intro');
  // Back to the entry before the heading: the same page.
  await page.goBack();
  await eventually(() => new URL(page.url()).hash).toBe('');
  await follow(page, '/login?from=a');
  await next('/login?from=a');
  await follow(page, '/connector');
  await next('/connector');
  // The page's own script changes the query.
  await page.locator('form[data-filter] input[type=search]').fill('redis');
  await page.waitForURL('**/connector?*');
  await next('/connector');
  expect(await isMarked(page)).toBe(true);
});

describe('a record that fails', () => {
  const failures = {
    'is not answered': { abort: 'failed' },
    'is refused': { status: 500, body: '{"success":false,"code":"BROKEN","msg":"Broken."}' },
    'is answered with garbage': { status: 502, body: '<h1>Bad gateway' },
  };
  test.for(Object.entries(failures))(
    'because it %s is reported in the console only',
    async ([kw, failure], { context, page, problems, console }) => {
      problems.allow(/addviewlog|The page view was not recorded/);
      await named(context, kw);
      const told: string[] = [];
      page.on('console', (message) => message.type() === 'error' && told.push(message.text()));
      await page.route(`**${calls.addViewLog}`, (route) =>
        'abort' in failure ? route.abort(failure.abort) : route.fulfill(failure),
      );
      const reports = () => told.filter((text) => text.startsWith('The page view was not recorded.')).length;
      await page.goto('/pricing');
      await mark(page);
      const shown = (at: Page) => at.locator('main').innerText();
      const before = await shown(page);
      await eventually(reports).toBe(1);
      expect([await shown(page), new URL(page.url()).pathname]).toEqual([before, '/pricing']);
      expect(await page.locator('.retry, [role=alert], dialog').count()).toBe(0);
      await follow(page, '/about');
      await eventually(reports).toBe(2);
      await page.unroute(`**${calls.addViewLog}`);
      await follow(page, '/why');
      await eventually(() => uris(console, kw)).toEqual(['/why']);
      expect(await isMarked(page)).toBe(true);
    },
  );
});
