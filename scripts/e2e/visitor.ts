import type { BrowserContext, Page, Request } from 'playwright';
import { expect, inject } from 'vitest';
import { calls } from '../../client/contract/calls.ts';
import { test as plain } from './browser.ts';
import { chunkOf, entryOf } from './chunk.ts';
import { consoleFor, tokenOf } from './upstream.ts';

/** The browser tests' `test`, on the site whose calls a console process answers; `console` tells of this test's visitor. */
export const test = plain
  .override('siteUrl', { scope: 'file' }, () => inject('accountsUrl'))
  .extend('console', ({ visitor }) => consoleFor(inject('consoleUrl'), visitor));

/** Has the site answer on plain http off localhost too, as by an address of a local network. @returns that address */
export async function onPlainHttp(context: BrowserContext, siteUrl: string): Promise<string> {
  const address = 'http://millrace.example';
  await context.route(`${address}/**`, async (route) => {
    const url = route.request().url().replace(address, siteUrl);
    const answer = async () => route.fulfill({ response: await route.fetch({ url }) });
    // The page may be gone by then.
    await answer().catch(() => undefined);
  });
  return address;
}

/** What is on the clipboard, as a page of localhost may read it. */
export async function clipboard(context: BrowserContext, siteUrl: string): Promise<string> {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: siteUrl });
  const reader = await context.newPage();
  await reader.goto(`${siteUrl}/robots.txt`);
  const text = await reader.evaluate(() => navigator.clipboard.readText());
  await reader.close();
  return text;
}

type Bearer = Parameters<typeof tokenOf>[0];

/** Puts values into the browser's local storage before the first page; pages that come later keep what is there. */
export async function store(context: BrowserContext, values: Record<string, string>): Promise<void> {
  await context.addInitScript((entries) => {
    if (localStorage.getItem('test-was-here')) return;
    localStorage.setItem('test-was-here', '1');
    for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value);
  }, values);
}

/** Signs a visitor in, as an earlier visit would have left the browser. @returns the token */
export async function signIn(context: BrowserContext, bearer: Bearer): Promise<string> {
  const token = tokenOf(bearer);
  const userStore = { loginInfo: { token }, userInfo: bearer.user };
  await store(context, { token, 'user-store': JSON.stringify(userStore) });
  return token;
}

/** Waits until a value is the expected one: as long as a busy machine may need, and no time is asserted. */
export function eventually<Value>(read: () => Value) {
  return expect.poll(read);
}

/** What local storage holds under a key. */
export const stored = (page: Page, key: string) => page.evaluate((name) => localStorage.getItem(name), key);

/** Leaves a mark in the window, which a full load removes. */
export const mark = (page: Page) => page.evaluate(() => Reflect.set(window, 'mark', true));

/** True when no full load came since `mark`. */
export const isMarked = (page: Page) => page.evaluate(() => Reflect.get(window, 'mark') === true);

/** Holds back the answers to requests that match, until `release` is called; other kinds of request pass. */
export async function hold(page: Page, url: string | RegExp, kind?: 'xhr' | 'fetch' | 'script') {
  const gate = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    if (!kind || route.request().resourceType() === kind) await gate.promise;
    // The page may be gone, or have given the request up, by then.
    await route.fallback().catch(() => undefined);
  });
  return { release: () => gate.resolve() };
}

/** One more journey to the server and back: by then the page has looked at every answer that came before. */
export const settle = (page: Page) => page.evaluate(async () => (await fetch('/healthz')).text());

/** Waits until the page has run a part that it has begun to load, and done with it what it does at once. */
export const loaded = (page: Page, source: string) =>
  page.evaluate(`import('${chunkOf(source).slice(2)}').then(() => {})`);

/** Follows an in-site link that the page itself need not have. */
export async function follow(page: Page, href: string): Promise<void> {
  await page.evaluate((address) => {
    const link = document.createElement('a');
    link.href = address;
    document.querySelector('main')?.append(link);
    link.click();
  }, href);
}

/** The script of every page of the site. */
export const entryScript = entryOf('pages/+client.ts');

/** Puts the page's clock into the test's hands, once everything that starts with the page has run. */
export async function stopClock(page: Page): Promise<void> {
  const isView = (request: Request) => new URL(request.url()).pathname === calls.addViewLog;
  await eventually(async () => (await page.requests()).some(isView)).toBe(true);
  // A call of the page that is unanswered when the clock runs on would run out of time.
  await Promise.all((await page.requests()).map((request) => request.response()));
  await page.waitForLoadState('networkidle');
  await page.clock.pauseAt(Date.now() + 3_600_000);
}
