import type { Page } from 'playwright';
import { describe, expect } from 'vitest';
import { test } from './browser.ts';
import { eventually } from './visitor.ts';

interface Stop {
  name: string;
  /** Width in pixels of its focus ring, or of the ring around the label of a hidden control. */
  ring: number;
  inView: boolean;
  /** 'bar', 'main', 'footer' or 'before'. */
  region: string;
}

/** The focused element; undefined once the focus has left the page. */
function focused(page: Page): Promise<Stop | undefined> {
  return page.evaluate(() => {
    const at = document.activeElement;
    if (!(at instanceof HTMLElement) || at === document.body) return undefined;
    const ringOf = (one: Element) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(one);
      return outlineStyle === 'none' ? 0 : Number.parseFloat(outlineWidth);
    };
    const label = at instanceof HTMLInputElement ? at.labels?.[0] : undefined;
    const nameOf = (one: HTMLElement) =>
      one.getAttribute('aria-label') ||
      document.getElementById(one.getAttribute('aria-labelledby') ?? '')?.textContent ||
      (one instanceof HTMLInputElement || one instanceof HTMLSelectElement ? one.labels?.[0]?.textContent : '') ||
      one.querySelector('img')?.alt ||
      one.textContent ||
      '';
    const box = at.getBoundingClientRect();
    const region = ['bar', 'footer'].find((name) => at.closest(`.${name}`)) ?? (at.closest('main') ? 'main' : 'before');
    return {
      name: nameOf(at).trim().replace(/\s+/g, ' '),
      ring: Math.max(ringOf(at), label ? ringOf(label) : 0),
      inView: box.width > 0 && box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
      region,
    };
  });
}

/** Presses Tab until the focus leaves the page or the limit is reached. */
async function walk(page: Page, limit: number): Promise<Stop[]> {
  const stops: Stop[] = [];
  while (stops.length < limit) {
    await page.keyboard.press('Tab');
    const stop = await focused(page);
    if (!stop) break;
    stops.push(stop);
  }
  return stops;
}

describe('the skip link', () => {
  test.for(['/', '/docs/intro/product_intro', '/login'])(
    'on %s is first, becomes visible and leads past the bar',
    async (path, { page }) => {
      await page.goto(path);
      const link = page.getByRole('link', { name: 'Skip to main content' });
      expect(await link.evaluate((one) => one.getBoundingClientRect().bottom)).toBeLessThanOrEqual(0);
      await page.keyboard.press('Tab');
      expect(await focused(page)).toMatchObject({ name: 'Skip to main content', inView: true });
      await page.keyboard.press('Enter');
      await eventually(() => page.evaluate(() => document.activeElement?.id)).toBe('Main');
      await page.keyboard.press('Tab');
      expect((await focused(page))?.region).toBe('main');
    },
  );

  test.for(['/docs/intro/product_intro', '/blog', '/blog/tech_share/mysql_clickhouse_sync'])(
    'on %s leads past the sidebar too',
    async (path, { page }) => {
      await page.goto(path);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await eventually(() => page.evaluate(() => document.activeElement?.id)).toBe('Main');
      await page.keyboard.press('Tab');
      const at = () =>
        page.evaluate(() => ['.sidebar', '.reading-text'].find((one) => document.activeElement?.closest(one)));
      expect(await at()).toBe('.reading-text');
    },
  );
});

describe('every tab stop', () => {
  test.for([
    ['/', 1280],
    ['/', 390],
    ['/connector?kind=streaming', 1280],
    ['/pricing', 390],
    ['/login', 1280],
    ['/docs/dataMigrationAndSync/datasource_func/MySQL/privs_for_mysql', 1280],
    ['/blog', 390],
    ['/search?q=binlog', 1280],
  ] as const)('on %s at %i px has a name and a focus ring, and is in view', async ([path, width], { page }) => {
    // Otherwise each focused link is prefetched: more at once than a busy site answers, for this test or another.
    await page.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }));
    await page.setViewportSize({ width, height: 800 });
    await page.goto(path);
    const stops = await walk(page, 250);
    expect(stops.length).toBeGreaterThan(20);
    expect(stops.filter(({ name, ring, inView }) => !name || ring < 1 || !inView)).toEqual([]);
    const regions = [...new Set(stops.map(({ region }) => region))];
    expect(regions.slice(0, 3)).toEqual(['before', 'bar', 'main']);
  });
});

describe('the bar', () => {
  test('has the tab order of reading', async ({ page }) => {
    await page.goto('/loading');
    const stops = await walk(page, 60);
    const bar = stops.filter(({ region }) => region === 'bar').map(({ name }) => name);
    expect(bar).toEqual([
      'Millrace',
      'Product',
      'Solutions',
      'Resources',
      'Pricing',
      'About',
      'Search',
      'Theme',
      'Log In',
      'Try Cloud Free',
    ]);
    expect(stops.at(-1)?.region).toBe('footer');
  });

  test('has drop-downs that open with Enter, and Escape returns the focus', async ({ page }) => {
    await page.goto('/about');
    const menu = page.locator('.bar-groups details', { hasText: 'Product' });
    await menu.locator('summary').focus();
    await page.keyboard.press('Enter');
    expect(await menu.getAttribute('open')).not.toBeNull();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toMatchObject({ name: expect.stringContaining('Why the product'), inView: true });
    await page.keyboard.press('Escape');
    expect(await menu.getAttribute('open')).toBeNull();
    expect(await focused(page)).toMatchObject({ name: 'Product' });
    await page.keyboard.press('ArrowDown');
    expect((await focused(page))?.name).toContain('Overview');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname === '/');
  });

  test('has drop-downs that close when the focus leaves', async ({ page }) => {
    await page.goto('/about');
    const menu = page.locator('.bar-groups details', { hasText: 'Solutions' });
    await menu.locator('summary').press('Enter');
    expect(await menu.getAttribute('open')).not.toBeNull();
    for (const _link of await menu.locator('a').all()) await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toMatchObject({ name: 'Resources' });
    expect(await menu.getAttribute('open')).toBeNull();
  });

  test('has a mobile menu that opens with Enter and closes with Escape', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('/about');
    const summary = page.locator('.mobile-menu > summary');
    await summary.press('Enter');
    expect(await page.locator('.mobile-panel').isVisible()).toBe(true);
    await page.keyboard.press('Tab');
    expect(await focused(page)).toMatchObject({ name: 'Product', region: 'bar', inView: true });
    await page.keyboard.press('Escape');
    expect(await page.locator('.mobile-panel').isVisible()).toBe(false);
    expect(await focused(page)).toMatchObject({ name: 'Menu' });
  });
});

test('the documents drawer opens with Enter, gets the focus next and closes with Escape', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/docs/intro/product_intro');
  const opener = page.getByRole('button', { name: 'Documentation menu' });
  await opener.press('Enter');
  const drawer = page.locator('#Sidebar');
  expect(await drawer.isVisible()).toBe(true);
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.closest('#Sidebar') !== null)).toBe(true);
  await page.keyboard.press('Escape');
  expect(await drawer.isVisible()).toBe(false);
  expect(await opener.evaluate((one) => one === document.activeElement)).toBe(true);
});
