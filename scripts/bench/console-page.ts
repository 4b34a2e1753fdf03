import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, Page } from 'playwright';
import { z } from 'zod';
import { consolePages } from '../../client/contract/console/pages.ts';
import { jobCalls } from '../../client/contract/jobs/calls.ts';
import { launchChromium } from '../e2e/chromium.ts';
import { type Account, fillAccount, newAccount, signInAs } from '../e2e/console/account.ts';
import { startSite } from '../e2e/site.ts';
import { count } from './count-bytes.ts';
import { type Row, record, round } from './record.ts';

// The console's scripts over the wire (brotli): each page as the first one, and as a further one after the overview;
// and the time until the first one shows content on slow 4G (150 ms, 1.6 Mbit/s) with a processor four times as slow.
const aims = { first: 140, further: 20, contentMs: 1200 };
const env = { ALLOW_PLAIN_PASSWORD: 'on' };
const slow4G = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };
const runs = 3;

async function open(browser: Browser, account: Account, base: string) {
  const context = await browser.newContext({ baseURL: base, viewport: { width: 1280, height: 800 } });
  await signInAs(context, account);
  const page = await context.newPage();
  // A page with live events always has a pending request, so the event stream is blocked. Not by a route of Playwright,
  // which turns off the browser's cache: each script would be counted again when it is imported.
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.setBlockedURLs', { urls: ['*/job/events*'] });
  return { context, page, devtools };
}

/** Waits until everything that loads on its own has loaded, including in the browser's idle time. */
async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await pause(2500);
  await page.waitForLoadState('networkidle');
}

async function firstPage(browser: Browser, account: Account, base: string, path: string): Promise<number> {
  const { context, page } = await open(browser, account, base);
  const counted = count(page);
  await page.goto(path);
  await settled(page);
  const scripts = (await counted()).get('js') ?? 0;
  await context.close();
  return scripts;
}

/** Kilobytes that each page adds after the overview. */
async function furtherPages(browser: Browser, account: Account, base: string): Promise<Map<string, number>> {
  const added = new Map<string, number>();
  // An installation without a licence requirement has no settings in its navigation.
  for (const entry of consolePages.slice(1).filter((one) => !('for' in one))) {
    const { context, page } = await open(browser, account, base);
    const counted = count(page);
    await page.goto('/console');
    await settled(page);
    const navigation = page.locator('.console-nav');
    // A page that is not in the navigation is opened from the page that it belongs to.
    if ('within' in entry) {
      await navigation.locator(`a[href="${entry.within}"]`).click();
      await settled(page);
    }
    const before = (await counted()).get('js') ?? 0;
    const links = 'within' in entry ? page.locator('.console-page') : navigation;
    await links.locator(`a[href="${entry.path}"], a[href^="${entry.path}?"]`).first().click();
    await settled(page);
    added.set(entry.path, ((await counted()).get('js') ?? 0) - before);
    await context.close();
  }
  return added;
}

/** Milliseconds until the first content is there, the median of some runs. */
async function firstContent(browser: Browser, account: Account, base: string): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const { context, page, devtools } = await open(browser, account, base);
    await devtools.send('Network.emulateNetworkConditions', slow4G);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    await page.goto('/console', { waitUntil: 'load' });
    const paint = await page.waitForFunction(
      () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
    );
    times.push((await paint.jsonValue()) ?? Number.NaN);
    await context.close();
  }
  return times.sort((a, b) => a - b)[Math.floor(runs / 2)] ?? Number.NaN;
}

const site = await startSite({ env });
const browser = await launchChromium();
try {
  const account = await newAccount(site, 'ada@site.example');
  await fillAccount(site, env, account);
  const { jobId } = await account.ask(jobCalls.createPractice, z.object({ jobId: z.number() }));
  // Chromium accepts brotli only on https and localhost.
  const base = site.url.replace('127.0.0.1', 'localhost');
  await firstPage(browser, account, base, '/console');
  const further = await furtherPages(browser, account, base);
  const content = await firstContent(browser, account, base);
  const rows: Row[] = [];
  for (const { path } of consolePages) {
    const first = await firstPage(browser, account, base, path === '/console/job' ? `${path}?id=${jobId}` : path);
    rows.push({ page: path, 'first, js kB': round(first, 1), 'further, js kB': round(further.get(path) ?? 0, 1) });
    if (first > aims.first) console.log(`Over the aim of ${aims.first} kB: ${path} as the first page.`);
    if ((further.get(path) ?? 0) > aims.further)
      console.log(`Over the aim of ${aims.further} kB: ${path} as a further page.`);
  }
  rows.push({ page: 'first content on slow 4G, ms', 'first, js kB': round(content), 'further, js kB': 0 });
  await record('console-page', rows, { chromium: browser.version() });
  if (content > aims.contentMs) console.log(`Over the aim of ${aims.contentMs} ms until the first content.`);
} finally {
  await browser.close();
  await site.stop();
}
