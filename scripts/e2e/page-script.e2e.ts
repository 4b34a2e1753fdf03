import { readFileSync } from 'node:fs';
import type { Response } from 'playwright';
import { expect } from 'vitest';
import { calls } from '../../client/contract/calls.ts';
import { test } from './browser.ts';
import { entryScript, eventually } from './visitor.ts';

test("the page's script is requested only after the first paint", async ({ page }) => {
  await page.goto('/docs/intro/product_intro');
  await page.locator('[aria-live=polite]').waitFor({ state: 'attached' });
  const { painted, asked } = await page.evaluate(() => ({
    painted: performance.getEntriesByName('first-paint')[0]?.startTime ?? 0,
    asked: performance
      .getEntriesByType('resource')
      .flatMap((entry) => ('initiatorType' in entry && entry.initiatorType === 'script' ? [entry.startTime] : [])),
  }));
  expect(painted).toBeGreaterThan(0);
  expect(asked.length).toBeGreaterThan(0);
  expect(Math.min(...asked)).toBeGreaterThan(painted);
  // The template that held it is gone.
  expect(await page.locator('#PageScript').count()).toBe(0);
});

/** Most bytes of scripts (brotli) that a page may load before the visitor interacts with it. */
const limits: Record<string, number> = {
  '/': 6_600,
  '/docs/intro/product_intro': 6_600,
  '/docs/dataMigrationAndSync/datasource_func/PostgreSQL/privs_for_pg': 7_550,
  '/pricing': 8_000,
  '/login': 8_000,
};

test.for(Object.entries(limits))('%s loads at most %i bytes of scripts before use', async ([path, most], { page }) => {
  const scripts: Response[] = [];
  page.on('response', (response) => {
    // An import after a fetch is answered from the browser's cache.
    const isScript = new URL(response.url()).pathname.endsWith('.js');
    if (isScript && !scripts.some((one) => one.url() === response.url())) scripts.push(response);
  });
  const recorded = page.waitForResponse(`**${calls.addViewLog}`);
  await page.goto(path);
  await recorded;
  await page.waitForLoadState('networkidle');
  for (const script of scripts) expect(await script.headerValue('content-encoding'), script.url()).toBe('br');
  const sizes = await Promise.all(scripts.map(async (one) => (await one.request().sizes()).responseBodySize));
  const all = sizes.reduce((sum, size) => sum + size, 0);
  expect(scripts.length).toBeGreaterThan(0);
  expect(all).toBeGreaterThan(1_000);
  expect(all).toBeLessThanOrEqual(most);
});

test('a page in a hidden tab starts its script, too', async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(Document.prototype, 'hidden', { value: true });
    // As in such a tab: nothing is painted, and the page gets no paint event.
    PerformanceObserver.prototype.observe = () => undefined;
  });
  const asked = page.waitForRequest((request) => new URL(request.url()).pathname.endsWith(entryScript.slice(3)));
  await page.goto('/about');
  await asked;
  await page.locator('[aria-live=polite]').waitFor({ state: 'attached' });
});

test('a tab that is hidden before its first paint starts its script then', async ({ page }) => {
  await page.addInitScript(() => {
    PerformanceObserver.prototype.observe = () => undefined;
  });
  await page.goto('/about', { waitUntil: 'domcontentloaded' });
  expect(await page.locator('#PageScript').count()).toBe(1);
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
  await eventually(() => page.locator('[aria-live=polite]').count()).toBe(1);
});

test('the console does not wait, since its script renders its content', async ({ page }) => {
  const html = await (await page.request.get('/console')).text();
  expect(html).toMatch(/<script integrity="[^"]+" src="\/assets\/entries\/pages_console_client[^>]+>/);
  expect(html).not.toContain('id="PageScript"');
});

test('a browser without modules gets the page without JavaScript; others do not load that fallback', async ({
  page,
}) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto('/login');
  await page.waitForLoadState('networkidle');
  expect(await page.locator('html').getAttribute('data-js')).toBe('');
  expect(asked).not.toContain('/no-modules.js');
  expect(asked.filter((path) => path.startsWith('/favicon'))).toEqual([]);
  // Such a browser runs this, and nothing after it.
  await page.evaluate(readFileSync('public/no-modules.js', 'utf8'));
  expect(await page.locator('[data-needs-js]:visible').count()).toBe(0);
  expect(await page.locator('[data-without-js]:visible').count()).toBeGreaterThan(0);
});
