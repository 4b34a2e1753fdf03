import type { Page } from 'playwright';
import { describe, expect } from 'vitest';
import { test as withBrowser } from './browser.ts';
import { eventually } from './visitor.ts';
import { watchPage } from './watch-page.ts';

/** A page whose scripts do not run. */
const test = withBrowser.extend('plain', async ({ browser, siteUrl }, { onCleanup }) => {
  const context = await browser.newContext({
    baseURL: siteUrl,
    javaScriptEnabled: false,
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  const problems = watchPage(page);
  // The browser logs the status of the not-found page, which one test visits.
  problems.allow(/status of 404 .*\/404\?from=here/);
  onCleanup(async () => {
    await context.close();
    expect(problems.list(), 'problems in the page').toEqual([]);
  });
  return page;
});

const phone = { width: 390, height: 844 };
const heading = (page: Page) => page.locator('h1').innerText();

test('scripts really do not run', async ({ plain: page }) => {
  await page.goto('/about');
  // The first-paint script would have marked it.
  expect(await page.locator('html').getAttribute('data-js')).toBeNull();
});

describe('reading', () => {
  test('from the home page through documents and posts works by links alone', async ({ plain: page }) => {
    await page.goto('/');
    await page.locator('.footer').getByRole('link', { name: 'Documents', exact: true }).click();
    await page.waitForURL('**/docs/intro/product_intro');
    const first = await heading(page);
    expect((await page.locator('.prose').last().innerText()).length).toBeGreaterThan(500);
    const next = page.locator('.page-ends a[rel=next]');
    const href = await next.getAttribute('href');
    await next.click();
    await page.waitForURL(`**${href}`);
    expect(await heading(page)).not.toBe(first);
    expect((await page.locator('.prose').last().innerText()).length).toBeGreaterThan(500);

    await page.goto('/blog');
    await page.locator('main article a, main li a').locator('visible=true').first().click();
    await page.waitForURL(/\/blog\/\w+\/\w+$/);
    expect((await page.locator('.prose').last().innerText()).length).toBeGreaterThan(1000);
  });

  test('a table of contents entry leads to its heading', async ({ plain: page }) => {
    await page.goto('/docs/intro/product_arch');
    const entry = page.locator('.toc nav a').last();
    const target = await entry.getAttribute('href');
    await entry.click();
    await eventually(() => new URL(page.url()).hash).toBe(target);
    const place = await page.locator(`[id="${target?.slice(1)}"]`).boundingBox();
    expect(place?.y).toBeGreaterThanOrEqual(0);
    expect(place?.y).toBeLessThan(800);
  });

  test('tabs are all open, one below the other, each with its name', async ({ plain: page }) => {
    await page.goto('/docs/dataMigrationAndSync/datasource_func/MySQL/privs_for_mysql');
    const tabs = page.locator('[data-tabs] > .tab');
    const count = await tabs.count();
    expect(count).toBeGreaterThan(1);
    for (const tab of await tabs.all()) {
      const label = (await tab.getAttribute('data-label')) ?? '';
      expect(label).not.toBe('');
      expect(await tab.locator('.tab-label').innerText()).toBe(label);
      expect((await tab.innerText()).length).toBeGreaterThan(label.length + 10);
      expect(await tab.isVisible()).toBe(true);
    }
  });

  test('nothing is offered that needs JavaScript', async ({ plain: page }) => {
    for (const path of ['/', '/docs/intro/product_intro', '/pricing', '/blog/ai/rag_concept']) {
      await page.goto(path);
      const offered = page.locator('[data-needs-js]');
      expect(await offered.count()).toBeGreaterThan(0);
      expect([path, await offered.locator('visible=true').count()]).toEqual([path, 0]);
      expect([path, await page.locator('[data-signed-in]').locator('visible=true').count()]).toEqual([path, 0]);
    }
  });
});

describe('the bar', () => {
  test('a drop-down opens on click, closes another, and its links work', async ({ plain: page }) => {
    await page.goto('/about');
    const bar = page.locator('.bar-groups');
    const [solutions, resources] = ['Solutions', 'Resources'].map((name) => bar.locator('summary', { hasText: name }));
    const toRag = bar.getByRole('link', { name: 'AI & RAG' });
    expect(await toRag.isVisible()).toBe(false);
    await solutions?.click();
    expect(await toRag.isVisible()).toBe(true);
    await resources?.click();
    expect(await toRag.isVisible()).toBe(false);
    expect(await bar.getByRole('link', { name: 'Blog' }).isVisible()).toBe(true);
    await solutions?.click();
    await toRag.click();
    await page.waitForURL('**/solution2');
  });

  test('on a phone the menu opens, Product unfolds, and the other entries are links', async ({ plain: page }) => {
    await page.setViewportSize(phone);
    await page.goto('/about');
    const panel = page.locator('.mobile-panel');
    expect(await page.locator('.bar-groups').isVisible()).toBe(false);
    expect(await panel.isVisible()).toBe(false);
    await page.locator('.mobile-menu > summary').click();
    expect(await panel.isVisible()).toBe(true);
    const why = panel.getByRole('link', { name: 'Why the product' });
    expect(await why.isVisible()).toBe(false);
    await panel.locator('summary', { hasText: 'Product' }).click();
    expect(await why.isVisible()).toBe(true);
    expect(await panel.locator('[data-section=solutions], [data-section=resources]').locator('a').count()).toBe(2);
    await why.click();
    await page.waitForURL('**/why');
    expect(await panel.isVisible()).toBe(false);
  });

  test('the documents drawer opens and closes, and its links work', async ({ plain: page }) => {
    await page.setViewportSize(phone);
    await page.goto('/docs/intro/product_intro');
    const drawer = page.locator('#Sidebar');
    expect(await drawer.isVisible()).toBe(false);
    const opener = page.getByRole('button', { name: 'Documentation menu' });
    await opener.click();
    expect(await drawer.isVisible()).toBe(true);
    expect(await drawer.locator('[aria-current=page]').isVisible()).toBe(true);
    await drawer.getByRole('button', { name: 'Close' }).click();
    expect(await drawer.isVisible()).toBe(false);
    await opener.click();
    const other = drawer.locator('a:not([aria-current])').locator('visible=true').first();
    const href = await other.getAttribute('href');
    await other.click();
    await page.waitForURL(`**${href}`);
  });
});

describe('forms', () => {
  test('the connector filter works by its button and keeps its choice', async ({ plain: page }) => {
    await page.goto('/connector');
    const all = await page.locator('.connector').count();
    expect(all).toBeGreaterThanOrEqual(40);
    await page.getByLabel('Kind').selectOption('streaming');
    await page.getByLabel('Side').selectOption('target');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.waitForURL(({ searchParams }) => searchParams.get('kind') === 'streaming');
    const few = await page.locator('.connector').count();
    expect(few).toBeGreaterThan(0);
    expect(few).toBeLessThan(all);
    expect(await page.getByLabel('Kind').inputValue()).toBe('streaming');
    await page.getByLabel('Name').fill('no-such-engine');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.waitForURL(({ searchParams }) => searchParams.get('q') === 'no-such-engine');
    expect(await page.locator('.connector').count()).toBe(0);
    expect(await page.locator('main').innerText()).toContain('no-such-engine');
  });

  test('search results have their own page', async ({ plain: page }) => {
    await page.goto('/about');
    await page.locator('.bar').getByRole('link', { name: 'Search' }).click();
    await page.waitForURL('**/search');
    await page.getByRole('searchbox').fill('binlog');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.waitForURL('**/search?*');
    expect(await page.getByRole('searchbox').inputValue()).toBe('binlog');
    const results = page.locator('main a[href^="/docs/"], main a[href^="/blog/"]');
    expect(await results.count()).toBeGreaterThan(3);
    await results.first().click();
    // The results page contains the word too.
    await page.waitForURL(({ pathname }) => pathname !== '/search');
    expect((await page.locator('main').innerText()).toLowerCase()).toContain('binlog');
  });

  test('the not-found page has a working search', async ({ plain: page }) => {
    const response = await page.goto('/404?from=here');
    expect(response?.status()).toBe(404);
    await page.getByRole('searchbox').fill('heartbeat');
    await page.getByRole('button', { name: 'Search' }).click();
    // The answer may wait for the index of a server that has just started.
    await page.waitForURL('**/search?*');
    expect(await page.locator('main a[href^="/docs/"]').count()).toBeGreaterThan(0);
  });

  test.for(['/login', '/register', '/registerFromMarket', '/resetPwd'])(
    '%s says that it needs JavaScript',
    async (path, { plain: page }) => {
      await page.goto(path);
      expect(await page.getByText('This form needs JavaScript').isVisible()).toBe(true);
    },
  );

  test('the document for one target is a plain link', async ({ plain: page }) => {
    await page.goto('/docs/dataMigrationAndSync/connection/mysql');
    await page.locator('.targets-list').getByRole('link', { name: 'Kafka', exact: true }).click();
    await page.waitForURL('**?target=kafka');
    expect(await page.locator('.targets-list [aria-current]').innerText()).toBe('Kafka');
  });
});

test('the console says what it needs and does not seem to load', async ({ plain: page }) => {
  await page.goto('/console/jobs');
  await page.getByText('The console needs JavaScript.').waitFor();
  expect(await page.locator('.console-skeleton').isVisible()).toBe(false);
});
