import { join } from 'node:path';
import type { Page } from 'playwright';
import { expect } from 'vitest';
import { testFolder, writeFiles } from '../../server/testing/content-folder.ts';
import { test as withBrowser } from './browser.ts';
import { startSite } from './site.ts';
import { eventually, follow, isMarked, mark } from './visitor.ts';
import { watchPage } from './watch-page.ts';

const folder = testFolder('long-sidebar');
const numbers = (count: number) => Array.from({ length: count }, (_, at) => String(at + 10));

// 8 groups of 4 groups of 10 pages: more than a page carries.
const addresses = numbers(8).flatMap((group) =>
  numbers(4).flatMap((within) => numbers(10).map((page) => `docs/g${group}/s${within}/p${page}`)),
);
writeFiles(folder, Object.fromEntries(addresses.map((address) => [`${address}.md`, `# ${address}\n\nText.\n`])));

const test = withBrowser
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the pattern to know which fixtures are wanted
  .override('siteUrl', { scope: 'file' }, async ({}, { onCleanup }) => {
    const site = await startSite({
      env: { CONTENT_DIR: folder, STRICT_CONTENT: 'off', DATA_DIR: join(folder, 'data') },
    });
    onCleanup(async () => void (await site.stop()));
    return site.url;
  });

const closed = (page: Page) => page.locator('.sidebar a[data-branch]');
const open = (page: Page) => page.locator('.sidebar details[open]');
const current = (page: Page) => page.locator('.sidebar [aria-current=page]');
const href = (page: Page) => current(page).evaluateAll((links) => links.map((link) => link.getAttribute('href')));

test('a page contains its own branch; other groups load when opened, and stay', async ({ page }) => {
  await page.goto('/docs/g12/s11/p15');
  await mark(page);
  expect(await page.locator('.sidebar a:not([data-branch])').count()).toBe(10);
  expect([await closed(page).count(), await open(page).count()]).toEqual([7 + 3, 2]);

  const group = page.locator('.sidebar > ul > li').nth(5);
  await group.locator('a').focus();
  await page.keyboard.press('Enter');
  await eventually(() => group.locator('details[open]').count()).toBe(2);
  expect(await group.locator('a:not([data-branch])').count()).toBe(10);
  expect(await page.evaluate(() => document.activeElement?.localName)).toBe('summary');
  expect([await isMarked(page), new URL(page.url()).pathname]).toEqual([true, '/docs/g12/s11/p15']);
  expect(await href(page)).toEqual(['/docs/g12/s11/p15']);

  // Opened groups stay open on the next page, and only that page is marked.
  await group.locator('a[href="/docs/g15/s10/p13"]').click();
  await page.waitForURL('**/docs/g15/s10/p13');
  expect(await isMarked(page)).toBe(true);
  expect(await href(page)).toEqual(['/docs/g15/s10/p13']);
  const before = page.locator('.sidebar > ul > li').nth(2);
  expect(await before.locator('a[href="/docs/g12/s11/p15"]').isVisible()).toBe(true);
  await follow(page, '/docs/g12/s11/p16');
  await page.waitForURL('**/docs/g12/s11/p16');
  expect(await href(page)).toEqual(['/docs/g12/s11/p16']);
});

test('without JavaScript, a closed group is a link to its first page', async ({ browser, siteUrl }) => {
  const context = await browser.newContext({ baseURL: siteUrl, javaScriptEnabled: false });
  const page = await context.newPage();
  const problems = watchPage(page);
  await page.goto('/docs/g12/s11/p15');
  await closed(page).last().click();
  await page.waitForURL('**/docs/g17/s10/p10');
  expect(await href(page)).toEqual(['/docs/g17/s10/p10']);
  expect(await open(page).count()).toBe(2);
  expect(problems.list()).toEqual([]);
  await context.close();
});

test('a group that does not load says so, and Retry opens it', async ({ page, problems }) => {
  problems.allow(/ERR_FAILED|The list did not load/);
  // Otherwise Retry may wait for an earlier prefetch, which fails too.
  await page.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }));
  await page.goto('/docs/g12/s11/p15');
  await page.route('**/docs/g10/**', (route) => route.abort());
  const group = page.locator('.sidebar > ul > li').first();
  await group.locator('a').click();
  const notice = page.locator('body > .retry');
  await notice.getByText('The list did not load.').waitFor();
  await page.unroute('**/docs/g10/**');
  await notice.getByRole('button', { name: 'Retry' }).click();
  await eventually(() => group.locator('details[open]').count()).toBe(2);
});
