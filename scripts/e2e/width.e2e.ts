import type { Page } from 'playwright';
import { describe, expect } from 'vitest';
import { signIn, test } from './visitor.ts';

/** How many pixels the page is wider than the window. */
const excess = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

/** Words of the text that are broken in the middle for lack of room. */
const brokenWords = (page: Page) =>
  page.evaluate(() => {
    const walk = document.createTreeWalker(document.querySelector('main') ?? document.body, NodeFilter.SHOW_TEXT);
    const words: string[] = [];
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      const box = node.parentElement;
      if (!box?.checkVisibility() || box.closest('code, pre, svg, .visually-hidden')) continue;
      for (const { 0: word, index } of node.textContent?.matchAll(/[\p{L}\p{N}$.,]{4,}/gu) ?? []) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) words.push(word);
      }
    }
    return words;
  });

/** Enlarges only the text, as browsers do on request: lengths in pixels stay. */
const enlarge = (page: Page, percent: number) =>
  page.evaluate((size) => {
    document.documentElement.style.fontSize = size;
  }, `${percent}%`);

const isDesktop = (page: Page) => page.locator('.bar-groups').isVisible();

/** Parts of the bar that are cut off, squeezed or overlapping. */
const squeezed = (page: Page) =>
  page.evaluate(() => {
    const parts = [...document.querySelectorAll('.bar .logo, .bar-groups > li, .bar-end > *')]
      .filter((part) => part.checkVisibility())
      .map((part) => ({
        name: part.textContent?.trim() || part.ariaLabel || '',
        ...part.getBoundingClientRect().toJSON(),
      }));
    return parts
      .filter(
        ({ left, right, width }, at) => width < 30 || right > innerWidth || left < (parts[at - 1]?.right ?? 0) - 0.5,
      )
      .map(({ name }) => name);
  });

const names = { none: undefined, short: 'Ada', long: 'Ada Lovelace of the Analytical Engine' };

describe.each(Object.entries(names))('the bar with a user name: %s', (_kind, username) => {
  test('fits at every desktop width, with the full logo', async ({ page, context }) => {
    if (username) await signIn(context, { user: { uid: '1', username } });
    await page.goto('/pricing');
    for (const width of [996, 1024, 1075, 1175, 1176, 1247, 1248, 1280, 1600]) {
      await page.setViewportSize({ width, height: 800 });
      expect([width, await isDesktop(page), await excess(page), await squeezed(page)]).toEqual([width, true, 0, []]);
      expect(await page.locator('.bar .logo svg').evaluate((mark) => mark.getBoundingClientRect().width)).toBe(30);
      expect(await page.locator('.bar-end > [data-try-cloud]').innerText()).toBe('Try Cloud Free');
      if (!username) continue;
      // At least the start of the greeting can be read; an ellipsis stands for the rest.
      const greeting = page.locator('.account [data-greeting]');
      expect((await greeting.boundingBox())?.width).toBeGreaterThan(70);
      await greeting.click();
      const menu = await page.locator('.account .drop-down').boundingBox();
      expect((menu?.x ?? 0) + (menu?.width ?? 0)).toBeLessThanOrEqual(width);
      await page.keyboard.press('Escape');
    }
  });
});

test('the bar has its groups from 996 px on, even with a scroll bar of 15 px', async ({ page }) => {
  await page.setViewportSize({ width: 996, height: 800 });
  await page.goto('/pricing');
  await page.locator('body').evaluate((body) => {
    body.style.width = '981px';
  });
  expect([await isDesktop(page), await squeezed(page)]).toEqual([true, []]);
});

describe('enlarged text', () => {
  test.for([110, 125, 150, 175, 200])('of %i %: the bar fits every window', async (percent, { page, context }) => {
    await signIn(context, { user: { uid: '1', username: 'Ada' } });
    await page.goto('/pricing');
    await enlarge(page, percent);
    for (const width of [390, 480, 820, 996, 1100, 1280, 1440, 1600, 1920]) {
      await page.setViewportSize({ width, height: 800 });
      expect([width, await excess(page), await squeezed(page)]).toEqual([width, 0, []]);
      // There is always one way to the pages.
      expect([width, await page.locator('.mobile-menu').isVisible()]).toEqual([width, !(await isDesktop(page))]);
    }
  });

  const long = 'Pneumonoultramicroscopicsilicovolcanoconiosis'.repeat(2).slice(0, 80);
  const pages = [
    '/',
    '/why',
    '/connector',
    `/connector?q=${long}`,
    `/connector?q=${long}&kind=streaming`,
    '/solution1',
    '/pricing',
    '/about',
    '/login',
    '/register',
    '/blog',
    '/blog/archive',
    '/blog/authors',
    '/blog/tags/ai',
    '/docs/intro/product_arch',
    '/docs/dataMigrationAndSync/connection/mysql',
    '/blog/tech_share/mysql_clickhouse_sync',
    `/search?q=${long}`,
    '/search?q=mysql',
    `/${long}`,
    '/loading',
    '/markdown-page',
  ];

  test.for(pages)(
    '%s is not wider than a window of 390, 820 or 1280 px, at 100 and 200 %',
    async (path, { page, problems }) => {
      problems.allow(/status of 404/);
      await page.setViewportSize({ width: 390, height: 800 });
      await page.goto(path);
      for (const percent of [100, 200]) {
        await enlarge(page, percent);
        for (const width of [390, 820, 1280]) {
          await page.setViewportSize({ width, height: 800 });
          expect([percent, width, await excess(page)]).toEqual([percent, width, 0]);
        }
      }
    },
  );
});

test.for([
  '/',
  '/why',
  '/connector',
  '/solution1',
  '/solution2',
  '/pricing',
  '/about',
  '/register',
  '/blog',
  '/docs/intro/product_arch',
  '/docs/price/product_price',
])('%s breaks no words in the middle, from a phone to a wide window', async (path, { page }) => {
  await page.goto(path);
  for (const width of [390, 820, 996, 1100, 1200, 1280, 1600]) {
    await page.setViewportSize({ width, height: 800 });
    expect([width, await brokenWords(page)]).toEqual([width, []]);
  }
});

test.for(['/', '/pricing', '/docs/price/product_price'])(
  '%s breaks no words on a small phone or with text at 200 %',
  async (path, { page }) => {
    await page.goto(path);
    for (const [width, percent] of [
      [320, 100],
      [390, 150],
      [390, 200],
      [996, 200],
      [1280, 200],
    ] as const) {
      await enlarge(page, percent);
      await page.setViewportSize({ width, height: 800 });
      expect([width, percent, await brokenWords(page), await excess(page)]).toEqual([width, percent, [], 0]);
    }
  },
);

/** Tables that are wider than their space. */
const cutTables = (page: Page) =>
  page
    .locator('main table')
    .evaluateAll(
      (all: HTMLElement[]) => all.filter((one) => one.offsetWidth > (one.parentElement?.clientWidth ?? 0)).length,
    );

test('price tables fit the page and the paper, and on a phone rows keep their names', async ({ page }) => {
  await page.goto('/docs/price/product_price');
  await page.setViewportSize({ width: 1280, height: 800 });
  expect(await cutTables(page)).toBe(0);
  await page.goto('/pricing');
  await page.setViewportSize({ width: 390, height: 800 });
  const head = page.locator('.plan-table tbody th').first();
  const left = await head.evaluate((cell) => cell.getBoundingClientRect().left);
  await page.locator('.sheet').evaluate((sheet) => sheet.scrollBy(150, 0));
  expect(await head.evaluate((cell) => cell.getBoundingClientRect().left)).toBe(left);
  expect(await cutTables(page)).toBe(1);
  // A4 with Chromium's margins.
  await page.setViewportSize({ width: 661, height: 900 });
  await page.emulateMedia({ media: 'print' });
  expect(await cutTables(page)).toBe(0);
});

test('a long code block title and a long key fit the window of a phone', async ({ page }) => {
  const address = '/docs/dataMigrationAndSync/datasource_func/MySQL/privs_for_mysql';
  const written = ['on-the-source/'.repeat(12), 'on the source '.repeat(12)].map(
    (
      long,
    ) => `<figure class="code" data-language="sql"><figcaption>${long}</figcaption><pre><code>x</code></pre></figure>
      <p>Text <kbd>${long}</kbd></p><ul><li><kbd>${long}</kbd></li></ul>`,
  );
  const keys = 'Press <kbd>Page Up</kbd> '.repeat(20);
  await page.route(
    address,
    async (route) => {
      const response = await route.fetch();
      const html = (await response.text()).replace('<h2 ', `${written.join('')}<p>${keys}</p>$&`);
      await route.fulfill({ response, body: html });
    },
    { times: 1 },
  );
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto(address);
  expect(await page.locator('.prose figcaption').count()).toBeGreaterThanOrEqual(2);
  expect(await excess(page)).toBe(0);
  // The title leaves room for the buttons beside it, which load at the first sign of a visitor.
  await page.keyboard.press('Tab');
  await page.locator('.code-tools').first().waitFor();
  const covered = await page.locator('figure.code:has(.code-tools)').evaluateAll((all) =>
    all.flatMap((one) => {
      const caption = one.querySelector('figcaption')?.getBoundingClientRect();
      const tools = one.querySelector('.code-tools')?.getBoundingClientRect();
      return caption && tools && caption.right > tools.left ? [one.textContent?.slice(0, 40)] : [];
    }),
  );
  expect(covered).toEqual([]);
  const short = await page
    .locator('kbd', { hasText: 'Page Up' })
    .evaluateAll((all) => all.map((key) => key.clientHeight));
  expect(new Set(short).size).toBe(1);
});

test('in a low window, only the text stays while the page is scrolled', async ({ page }) => {
  await page.goto('/docs/quick/quick_start');
  // What covers the text, from the top of the window down.
  const covered = async (width: number, height: number) => {
    await page.setViewportSize({ width, height });
    return page.evaluate(() => {
      scrollTo(0, 1200);
      return Math.max(
        ...[...document.querySelectorAll('.bar, .sidebar-opener')].map((one) => one.getBoundingClientRect().bottom),
      );
    });
  };
  expect(await covered(390, 844)).toBeGreaterThan(100);
  // A phone held sideways, and 1280 × 1024 at 400 %.
  expect(await covered(844, 390)).toBeLessThanOrEqual(0);
  expect(await covered(320, 256)).toBeLessThanOrEqual(0);
  const heading = page.locator('.prose h2[id]').nth(1);
  await page.evaluate(
    (id) => {
      location.hash = id;
    },
    (await heading.getAttribute('id')) ?? '',
  );
  expect((await heading.boundingBox())?.y).toBeLessThan(40);
});
