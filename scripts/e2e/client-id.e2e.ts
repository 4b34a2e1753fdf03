import { createHash } from 'node:crypto';
import type { BrowserContext } from 'playwright';
import { expect } from 'vitest';
import { calls } from '../../client/contract/calls.ts';
import { firstRecord, named, records, uris } from './page-views.ts';
import { eventually, follow, onPlainHttp, settle, test } from './visitor.ts';

// The `clientId` of page views: the browser's fingerprint.

/** Makes the browser draw a known picture, and records which texts were drawn. */
const knownDrawing = (context: BrowserContext) =>
  context.addInitScript(() => {
    const drawn: string[] = [];
    Reflect.set(window, 'drawn', drawn);
    const { fillText } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
      drawn.push(text);
      fillText.call(this, text, x, y);
    };
    HTMLCanvasElement.prototype.toDataURL = () => 'data:a known drawing';
  });

test("clientId is the hex SHA-256 of a drawing of the browser's details", async ({ context, page, console }) => {
  await named(context, 'drawing');
  await knownDrawing(context);
  await page.goto('/');
  const hash = createHash('sha256').update('data:a known drawing').digest('hex');
  expect((await firstRecord(console, 'drawing'))?.clientId).toBe(hash);
  const missing = await page.evaluate(() => {
    const drawn = String(Reflect.get(window, 'drawn'));
    const { userAgent, language, languages, plugins, appVersion, platform } = navigator;
    const details = [userAgent, language, ...languages, ...Array.from(plugins, ({ name }) => name)];
    return [...details, appVersion, platform].filter((detail) => !detail || !drawn.includes(detail));
  });
  expect(missing).toEqual([]);
});

test('clientId is the same on every page, in every tab and after a reload, but differs by browser', async ({
  browser,
  siteUrl,
  visitor,
  context,
  page,
  console,
}) => {
  await named(context, 'stable');
  const steps: (() => Promise<unknown>)[] = [
    () => page.goto('/'),
    () => follow(page, '/about'),
    () => page.reload(),
    async () => (await context.newPage()).goto('/why'),
  ];
  for (const [at, step] of steps.entries()) {
    await step();
    await eventually(async () => (await records(console, 'stable')).length).toBe(at + 1);
  }
  const ids = new Set((await records(console, 'stable')).map(({ clientId }) => clientId));
  expect([...ids]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
  const other = await browser.newContext({
    baseURL: siteUrl,
    userAgent: 'Another/1.0',
    locale: 'de-DE',
    extraHTTPHeaders: { 'X-Forwarded-For': visitor },
  });
  await named(other, 'other');
  await (await other.newPage()).goto('/');
  const { clientId } = (await firstRecord(console, 'other')) ?? {};
  expect(clientId).toMatch(/^[0-9a-f]{64}$/);
  expect(ids.has(clientId)).toBe(false);
  await other.close();
});

test('clientId is empty on plain http outside localhost', async ({ context, page, console, siteUrl }) => {
  await named(context, 'plain-http');
  await page.goto(`${await onPlainHttp(context, siteUrl)}/why`);
  expect(await page.evaluate(() => [isSecureContext, 'subtle' in crypto])).toEqual([false, false]);
  expect(await firstRecord(console, 'plain-http')).toMatchObject({ clientId: '', uri: '/why' });
});

const broken = {
  'a canvas that throws': () => {
    HTMLCanvasElement.prototype.toDataURL = () => {
      throw new DOMException('blocked', 'SecurityError');
    };
  },
  'no canvas': () => {
    HTMLCanvasElement.prototype.getContext = () => null;
  },
  'a hash that fails': () => {
    crypto.subtle.digest = () => Promise.reject(new Error('blocked'));
  },
};
test.for(Object.entries(broken))('clientId is empty with %s', async ([name, breakIt], { context, page, console }) => {
  await named(context, name);
  await context.addInitScript(breakIt);
  await page.goto('/why');
  expect(await firstRecord(console, name)).toMatchObject({ clientId: '', uri: '/why' });
});

test('page views wait for clientId, and all views until then are recorded', async ({ context, page, console }) => {
  await named(context, 'waits');
  await context.addInitScript(() => {
    const gate = Promise.withResolvers<void>();
    const digest = crypto.subtle.digest.bind(crypto.subtle);
    addEventListener('test-release', () => gate.resolve());
    crypto.subtle.digest = async (...given) => {
      Reflect.set(window, 'hashing', true);
      await gate.promise;
      return digest(...given);
    };
  });
  const sent: string[] = [];
  page.on('request', (request) => request.url().endsWith(calls.addViewLog) && sent.push(request.url()));
  await page.goto('/why');
  await page.waitForFunction(() => Reflect.get(window, 'hashing'));
  await follow(page, '/about');
  await page.waitForURL('**/about');
  // The browser has been idle since: the second record waits for it too.
  await page.evaluate(() => new Promise((done) => requestIdleCallback(() => requestIdleCallback(done))));
  await settle(page);
  expect(sent).toEqual([]);
  await page.evaluate(() => dispatchEvent(new Event('test-release')));
  await eventually(async () => (await uris(console, 'waits')).sort()).toEqual(['/about', '/why']);
});
