import type { BrowserContext, Page, Request } from 'playwright';
import { expect, inject } from 'vitest';
import { calls } from '../../client/contract/calls.ts';
import { test as plain } from './browser.ts';
import { chunkOf, entryOf } from './chunk.ts';
import { consoleFor, tokenOf } from './upstream.ts';

/** The browser tests' `test`, on the site whose calls a console process answers; `console` is its visitor's view. */
export const test = plain
  .override('siteUrl', { scope: 'file' }, () => inject('accountsUrl'))
  .extend('console', ({ visitor }) => consoleFor(inject('consoleUrl'), visitor));

/** Makes the site answer on plain http outside localhost too, as in a local network. @returns that address */
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

/** Puts values into the browser's local storage before the first page; later pages keep the contents. */
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

/** Waits until a value is as expected: as long as a busy machine may need, without asserting a time. */
export function eventually<Value>(read: () => Value) {
  return expect.poll(read);
}

/** The value of a local storage key. */
export const stored = (page: Page, key: string) => page.evaluate((name) => localStorage.getItem(name), key);

/** Sets a mark in the window, which a full load removes. */
export const mark = (page: Page) => page.evaluate(() => Reflect.set(window, 'mark', true));

/** True if there was no full load since `mark`. */
export const isMarked = (page: Page) => page.evaluate(() => Reflect.get(window, 'mark') === true);

/** Delays the answers to matching requests until `release` is called; other requests pass. */
export async function hold(page: Page, url: string | RegExp, kind?: 'xhr' | 'fetch' | 'script') {
  const gate = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    if (!kind || route.request().resourceType() === kind) await gate.promise;
    // By then the page may be gone or have aborted the request.
    await route.fallback().catch(() => undefined);
  });
  return { release: () => gate.resolve() };
}

/** One more round trip to the server: after it the page has processed every earlier answer. */
export const settle = (page: Page) => page.evaluate(async () => (await fetch('/healthz')).text());

/** Takes the network away from a page. */
export const goOffline = (page: Page) => setOnline(page, false);

/** Gives a page the network back. */
export const goOnline = (page: Page) => setOnline(page, true);

/** Chromium's network process learns of it later than the page, so a request that follows at once could still pass. */
async function setOnline(page: Page, online: boolean): Promise<void> {
  await page.context().setOffline(!online);
  const isAnswered = () =>
    page.evaluate(() =>
      fetch('/healthz').then(
        () => true,
        () => false,
      ),
    );
  await eventually(isAnswered).toBe(online);
}

/** Opens a page and waits for the answers to what it sends on its own: the record of the visit, and other calls. */
export async function openAnswered(page: Page, path: string, ...others: string[]): Promise<void> {
  const answers = [calls.addViewLog, ...others].map((call) => page.waitForResponse(`**${call}`));
  await page.goto(path);
  for (const answer of await Promise.all(answers)) await answer.finished();
}

/** Waits until the page has run a part that it has started to load, including the part's immediate work. */
export async function loaded(page: Page, source: string): Promise<void> {
  await page.evaluate(`import('${chunkOf(source).slice(2)}').then(() => {})`);
  // The page fetches a part's files before it imports them.
  const scripts = (await page.requests()).filter((request) => request.url().endsWith('.js'));
  await Promise.all(scripts.map(async (request) => (await request.response())?.finished()));
  await settle(page);
}

/** Follows an in-site link, which need not exist in the page. */
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

/** Gives the test control of the page's clock, once everything that starts with the page has run. */
export async function stopClock(page: Page): Promise<void> {
  const isView = (request: Request) => new URL(request.url()).pathname === calls.addViewLog;
  await eventually(async () => (await page.requests()).some(isView)).toBe(true);
  // A pending call of the page would time out when the clock runs on.
  await Promise.all((await page.requests()).map((request) => request.response()));
  await page.waitForLoadState('networkidle');
  await page.clock.pauseAt(Date.now() + 3_600_000);
}
