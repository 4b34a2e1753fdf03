import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
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
