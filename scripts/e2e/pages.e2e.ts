import { createRequire } from 'node:module';
import type { Page } from 'playwright';
import { describe, expect } from 'vitest';
import { fixedPaths } from '../../server/site/urls.ts';
import { test } from './browser.ts';

declare global {
  interface Window {
    axe: typeof import('axe-core');
  }
}

// axe comes as an init script, which the pages' policy does not concern: everything here runs under the real policy.
const axe = { path: createRequire(import.meta.url).resolve('axe-core/axe.min.js') };

/** One address of every kind of page. */
const kinds = [
  ...fixedPaths,
  '/docs/intro/product_intro',
  '/docs/dataMigrationAndSync/datasource_func/MySQL/privs_for_mysql',
  '/docs/dataMigrationAndSync/connection/mysql?target=kafka',
  '/docs/protocol/privacy_policy',
  '/blog/authors/engineering',
  '/blog/tags/ai',
  '/blog/data_insights/data_verification',
  '/connector?kind=streaming&role=target',
  '/search?q=binlog',
  '/search?q=zzzzqqqq',
  '/nowhere/at/all',
];

const sizes = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } };
const themes = ['light', 'dark'] as const;
type Theme = (typeof themes)[number];

/** Without motion: a page that still fades in has no contrast yet. */
const setTheme = (page: Page, theme: Theme) => page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });

async function violations(page: Page): Promise<string[]> {
  const results = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
  expect(results.passes.length).toBeGreaterThan(10);
  return results.violations.map(
    ({ id, help, nodes }) => `${id} (${help}): ${nodes.map((node) => node.target.join(' ')).join(', ')}`,
  );
}

/** Violations in both themes, each line with its circumstances. */
async function violationsByTheme(page: Page, where: string): Promise<string[]> {
  const found: string[] = [];
  for (const theme of themes) {
    await setTheme(page, theme);
    found.push(...(await violations(page)).map((violation) => `${where}, ${theme}: ${violation}`));
  }
  return found;
}

/** What sticks out at this width: the page's excess and the elements that cause it. */
async function overflow(page: Page, width: number): Promise<string[]> {
  await page.setViewportSize({ width, height: 800 });
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const wide = [...document.body.querySelectorAll('*')].filter(
      (one) => one.checkVisibility() && one.getBoundingClientRect().right > clientWidth + 1,
    );
    const names = wide.slice(0, 3).map((one) => `${one.tagName.toLowerCase()}.${one.getAttribute('class')}`);
    return [`${clientWidth} px wide: ${scrollWidth - clientWidth} px too much (${names.join(', ')})`];
  });
}

const ground = (page: Page) => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);

describe.each(kinds)('%s', (address) => {
  test('is accessible, fits and makes no noise', async ({ context, page, problems }) => {
    const isMissing = address === '/404' || address === '/nowhere/at/all';
    if (isMissing) problems.allow(/status of 404/);
    const warnings: string[] = [];
    page.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()));
    await context.addInitScript(axe);
    await setTheme(page, 'light');
    const response = await page.goto(address);
    expect(response?.status()).toBe(isMissing ? 404 : 200);

    const heading = page.locator('h1');
    expect(await heading.count()).toBe(1);
    expect((await heading.innerText()).trim()).not.toBe('');
    expect((await page.locator('main').innerText()).length).toBeGreaterThan(60);

    const found: string[] = [];
    for (const [name, size] of Object.entries(sizes)) {
      await page.setViewportSize(size);
      found.push(...(await violationsByTheme(page, name)));
    }
    for (const width of [320, 390, 768, 995, 996, 1280, 1600]) found.push(...(await overflow(page, width)));
    expect([...found, ...warnings]).toEqual([]);

    const dark = await ground(page);
    await setTheme(page, 'light');
    expect(dark).not.toBe(await ground(page));
  });
});

describe('opened', () => {
  test('drop-downs and the theme menu are accessible', async ({ context, page }) => {
    await context.addInitScript(axe);
    await page.goto('/about');
    for (const menu of ['Product', 'Solutions', 'Resources', 'Theme']) {
      const summary = page
        .locator('.bar summary', { hasText: menu })
        .or(page.locator(`.bar summary[aria-label="${menu}"]`));
      await summary.locator('visible=true').press('Enter');
      expect(await page.locator('.bar details[open] .drop-down').locator('visible=true').count()).toBe(1);
      expect(await violationsByTheme(page, menu)).toEqual([]);
    }
  });

  test('the mobile menu and the drawer of documents are accessible and fit', async ({ context, page }) => {
    await context.addInitScript(axe);
    await page.setViewportSize(sizes.phone);
    await page.goto('/docs/intro/product_intro');
    await page.locator('.mobile-menu > summary').click();
    await page.locator('.mobile-panel summary', { hasText: 'Product' }).click();
    expect(await page.locator('.mobile-panel').isVisible()).toBe(true);
    expect(await violationsByTheme(page, 'menu')).toEqual([]);
    expect(await overflow(page, sizes.phone.width)).toEqual([]);
    await page.locator('.mobile-menu > summary').click();
    await page.getByRole('button', { name: 'Documentation menu' }).click();
    expect(await page.locator('#sidebar').isVisible()).toBe(true);
    expect(await violationsByTheme(page, 'drawer')).toEqual([]);
    expect(await overflow(page, sizes.phone.width)).toEqual([]);
  });
});

test('a stored theme beats the system, from the first paint on', async ({ page }) => {
  await setTheme(page, 'light');
  await page.goto('/about');
  const light = await ground(page);
  await page.evaluate(() => localStorage.setItem('theme', 'dark'));
  // No file but the style sheet may be needed for it.
  await page.route(/\.js$/, (route) => route.fulfill({ body: '', contentType: 'text/javascript' }));
  await page.reload();
  expect(await ground(page)).not.toBe(light);
  expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
});

test.for(['/login', '/register', '/registerFromMarket', '/resetPwd'])(
  '%s calls nothing when it is opened',
  async (address, { page }) => {
    const calls: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (request.method() !== 'GET' && pathname !== '/addviewlog') calls.push(`${request.method()} ${pathname}`);
    });
    // Sent when the page's scripts have done all they do by themselves.
    const recorded = page.waitForRequest('**/addviewlog');
    await page.goto(address);
    await recorded;
    expect(await page.locator('form input').count()).toBeGreaterThan(1);
    expect(calls).toEqual([]);
  },
);
