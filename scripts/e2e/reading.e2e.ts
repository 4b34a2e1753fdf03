import { resolve } from 'node:path';
import type { Page } from 'playwright';
import { describe, expect } from 'vitest';
import { readLastUpdated } from '../../server/site/last-updated.ts';
import { test } from './browser.ts';
import { startSite } from './site.ts';
import { eventually, isMarked, mark } from './visitor.ts';
import { watchPage } from './watch-page.ts';

const architecture = '/docs/intro/product_arch';

/** Table-of-contents entries that are marked as being read. */
const marked = (page: Page, toc = '.toc') =>
  page
    .locator(`${toc} a[aria-current=location]`)
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')));

/** Scrolls until a heading is at a given distance below the window's upper edge. */
const bringTo = (page: Page, heading: string, top: number) =>
  page.evaluate(
    ([id, wanted]) => {
      const at = document.getElementById(id)?.getBoundingClientRect().top ?? 0;
      scrollBy({ top: at - wanted, behavior: 'instant' });
    },
    [heading, top] as const,
  );

const headings = (page: Page) => page.locator('.prose :is(h2, h3)[id]').evaluateAll((all) => all.map(({ id }) => id));

describe('table of contents', () => {
  test('marks the heading being read, down the page and up again', async ({ page }) => {
    await page.goto(architecture);
    // They fold sections away, which moves the headings below.
    await page.getByRole('tab').first().waitFor();
    const ids = await headings(page);
    expect(ids.length).toBeGreaterThan(3);
    expect(await page.locator('.toc nav a').evaluateAll((all) => all.map((link) => link.getAttribute('href')))).toEqual(
      ids.map((id) => `#${id}`),
    );
    expect(await marked(page)).toEqual([]);
    for (const id of ids) {
      await bringTo(page, id, 110);
      await eventually(() => marked(page)).toEqual([`#${id}`]);
    }
    for (const [at, id] of [...ids.entries()].reverse()) {
      // Only just below the line: the heading itself stays in view.
      await bringTo(page, id, 110);
      await eventually(() => marked(page)).toEqual([`#${id}`]);
      await bringTo(page, id, 170);
      await eventually(() => marked(page)).toEqual(at > 0 ? [`#${ids[at - 1]}`] : []);
    }
  });

  test('marks the last heading at the end of a page that cannot scroll further', async ({ page }) => {
    await page.setViewportSize({ width: 1280, height: 1800 });
    await page.goto(architecture);
    const last = (await headings(page)).at(-1) ?? '';
    await page.evaluate(() => scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' }));
    const top = await page.evaluate((id) => document.getElementById(id)?.getBoundingClientRect().top ?? 0, last);
    // Otherwise the rule of the previous test would apply.
    expect(top).toBeGreaterThan(200);
    await eventually(() => marked(page)).toEqual([`#${last}`]);
  });

  test('an entry leads to its heading and is marked, also in the folded list on a phone', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 800 });
    await page.goto(architecture);
    await page.locator('.toc-folded summary').click();
    const entry = page.locator('.toc-folded li a').nth(1);
    const href = (await entry.getAttribute('href')) ?? '';
    await entry.click();
    await eventually(() => new URL(page.url()).hash).toBe(href);
    await eventually(() => marked(page, '.toc-folded')).toEqual([href]);
  });

  test('marks an id with an invalid percent sign like others, without a script error', async ({ page }) => {
    await page.goto(architecture);
    const [id = ''] = await headings(page);
    await page.route(`**${architecture}`, async (route) => {
      const answer = await route.fetch();
      const body = (await answer.text()).replaceAll(`"#${id}"`, '"#a%zz"').replaceAll(`id="${id}"`, 'id="a%zz"');
      await route.fulfill({ response: answer, body });
    });
    await page.reload();
    await bringTo(page, 'a%zz', 110);
    await eventually(() => marked(page)).toEqual(['#a%zz']);
    await page.locator('.toc li a').first().click();
    await eventually(() => new URL(page.url()).hash).toBe('#a%zz');
  });

  test('still marks headings after a change of page', async ({ page }) => {
    await page.goto('/docs/intro/product_intro');
    await mark(page);
    await page.locator(`.sidebar a[href="${architecture}"]`).click();
    await page.waitForURL(`**${architecture}`);
    const [, second = ''] = await headings(page);
    await bringTo(page, second, 110);
    await eventually(() => marked(page)).toEqual([`#${second}`]);
    expect(await isMarked(page)).toBe(true);
  });
});

describe('heading links', () => {
  test('name their heading, are hidden until needed, and put it into the address', async ({ page }) => {
    await page.goto(architecture);
    const heading = page.locator('.prose h2[id]').nth(2);
    const link = heading.locator('a');
    const id = await heading.getAttribute('id');
    expect(await link.getAttribute('href')).toBe(`#${id}`);
    expect(await link.evaluate((one) => one.getAttribute('aria-label') ?? one.textContent)).toMatch(/\w/);
    const opacity = () => link.evaluate((one) => getComputedStyle(one).opacity);
    expect(await opacity()).toBe('0');
    await link.focus();
    await eventually(opacity).toBe('1');
    await page.keyboard.press('Enter');
    await eventually(() => new URL(page.url()).hash).toBe(`#${id}`);
    const top = () => heading.evaluate((one) => one.getBoundingClientRect().top);
    await eventually(async () => (await top()) >= 70 && (await top()) < 200).toBe(true);
  });
});

describe('sidebar', () => {
  const state = (page: Page) =>
    page.locator('.sidebar').evaluate((sidebar) => ({
      top: sidebar.scrollTop,
      open: Array.from(sidebar.querySelectorAll('details[open] > summary'), (summary) => summary.textContent),
      current: sidebar.querySelector('[aria-current=page]')?.getAttribute('href'),
    }));

  test('keeps its scroll position and open branches after a change of page', async ({ page }) => {
    await page.setViewportSize({ width: 1280, height: 500 });
    await page.goto('/docs/intro/product_intro');
    await mark(page);
    const closed = page.locator('.sidebar > ul > li > details:not([open]) > summary');
    const names = await closed.allTextContents();
    await closed.nth(1).click();
    await page.locator('.sidebar').evaluate((sidebar) => sidebar.scrollTo({ top: 40, behavior: 'instant' }));
    const before = await state(page);
    expect(before.open).toContain(names[1]);
    expect(before.top).toBe(40);
    const link = page.locator(`.sidebar a[href="${architecture}"]`);
    await link.evaluate((one: HTMLElement) => one.click());
    await page.waitForURL(`**${architecture}`);
    expect(await state(page)).toEqual({ ...before, current: architecture });
    expect(await isMarked(page)).toBe(true);
  });

  test('shows the current page, however far down it is', async ({ page }) => {
    await page.setViewportSize({ width: 1280, height: 500 });
    const last = '/docs/releaseNote/rn-0-0-1';
    await page.goto(last);
    await eventually(async () => (await state(page)).top).toBeGreaterThan(0);
    const inView = await page.locator('.sidebar').evaluate((sidebar) => {
      const frame = sidebar.getBoundingClientRect();
      const current = sidebar.querySelector('[aria-current=page]')?.getBoundingClientRect();
      return current && current.top >= frame.top && current.bottom <= frame.bottom;
    });
    expect(inView).toBe(true);
  });
});

describe('the end of a document', () => {
  test('has next and previous links in the order of the sidebar', async ({ page }) => {
    await page.goto('/docs/intro/product_intro');
    const order = await page
      .locator('.sidebar a')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    const at = order.indexOf('/docs/intro/product_intro');
    await page.getByRole('navigation', { name: 'Documents' }).locator('a[rel=next]').click();
    await page.waitForURL(`**${order[at + 1]}`);
    await page.getByRole('navigation', { name: 'Documents' }).locator('a[rel=prev]').click();
    await page.waitForURL('**/docs/intro/product_intro');
  });

  test('has its last change, and an edit link if the operator configures it', async ({ page, browser }) => {
    await page.goto(architecture);
    expect(await page.getByRole('link', { name: 'Edit this page' }).count()).toBe(0);
    // Without git, or in a shallow clone, no day is known, and none is shown.
    const day = readLastUpdated(resolve(import.meta.dirname, '../../dist/last-updated.json')).get(
      `${architecture.slice(1)}.md`,
    );
    const long = (iso: string) =>
      new Date(`${iso}T00:00Z`).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });
    expect(await page.locator('.last-change').allTextContents()).toEqual(day ? [`Last updated on ${long(day)}`] : []);
    const days = page.locator('.last-change time').evaluateAll((all) => all.map((one) => one.getAttribute('datetime')));
    expect(await days).toEqual(day ? [day] : []);

    const site = await startSite({ env: { EDIT_URL: 'https://git.example/site/edit/main/content' } });
    const context = await browser.newContext({ baseURL: site.url });
    try {
      const other = await context.newPage();
      const problems = watchPage(other);
      await other.goto(architecture);
      expect(await other.getByRole('link', { name: 'Edit this page' }).getAttribute('href')).toBe(
        `https://git.example/site/edit/main/content${architecture}.md`,
      );
      expect(problems.list()).toEqual([]);
    } finally {
      await context.close();
      await site.stop();
    }
  });
});

describe('in print', () => {
  test('text is dark on white even if the system is dark', async ({ page }) => {
    await page.emulateMedia({ colorScheme: 'dark', media: 'print' });
    for (const path of ['/pricing', '/docs/intro/product_arch']) {
      await page.goto(path);
      const colours = await page.evaluate(() =>
        [document.body, document.querySelector('h1'), document.querySelector('main p')].map((one) =>
          one ? getComputedStyle(one).color : '',
        ),
      );
      // Ink and muted ink, as in the light theme.
      expect([path, ...colours]).toEqual([path, 'rgb(28, 36, 48)', 'rgb(28, 36, 48)', 'rgb(86, 96, 112)']);
    }
  });

  test('only the text remains, dark on white, with all tabs and lines of code', async ({ page, context }) => {
    await context.addInitScript(() => localStorage.setItem('theme', 'dark'));
    await page.goto('/docs/faq/solve_db_connect_fail');
    await page.getByRole('tab', { name: 'Oracle', exact: true }).click();
    // The code blocks' tools load at the first sign of a visitor.
    await page.locator('.code-tools').first().waitFor();
    await page.emulateMedia({ media: 'print' });
    const seen = await page.locator('body *').evaluateAll((all) =>
      all
        .filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.getBoundingClientRect().height > 2)
        .filter((one) => one.matches('nav, aside, header, footer, button, form, dialog, [role=status], h1, .prose'))
        .map((one) => one.className || one.localName),
    );
    // The text appears twice if a note says that the page is about planned features.
    expect([...new Set(seen)]).toEqual(['reading-header', 'breadcrumbs', 'h1', 'prose']);
    const tabs = await page.locator('[data-tabs] > .tab').evaluateAll((all) =>
      all.map((one) => {
        const label = one.querySelector('.tab-label');
        return one.checkVisibility() && label?.checkVisibility() && label.textContent;
      }),
    );
    expect(tabs).toEqual(['MySQL', 'PostgreSQL', 'Oracle', 'Kafka', 'Redis']);
    const cut = page.locator('.prose pre').evaluateAll((all) => all.filter((pre) => pre.scrollWidth > pre.clientWidth));
    expect(await cut).toEqual([]);
    const colours = await page
      .locator('.prose p')
      .first()
      .evaluate((one) => [getComputedStyle(one).color, getComputedStyle(document.documentElement).backgroundColor]);
    const luminance = colours.map((colour) => Number(/\d+/.exec(colour)?.[0]));
    expect(luminance[0]).toBeLessThan(80);
    expect(luminance[1]).toBeGreaterThan(240);
  });

  test('a link out of the site is followed by its address, other links are not', async ({ page }) => {
    await page.setViewportSize({ width: 718, height: 1000 });
    await page.emulateMedia({ media: 'print' });
    for (const path of ['/docs/license/license_use', '/blog/announcement/join_cloud_marketplace']) {
      await page.goto(path);
      const after = await page
        .locator('main a')
        .evaluateAll((all) =>
          all.map((one) => [one.matches('.prose .external'), /\(/.test(getComputedStyle(one, '::after').content)]),
        );
      expect(after.some(([isExternal]) => isExternal)).toBe(true);
      expect([path, after.filter(([isExternal, hasAddress]) => isExternal !== hasAddress)]).toEqual([path, []]);
      // A long address breaks instead of widening the page.
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(718);
    }
  });

  test('wide tables fit the paper, and folded blocks are unfolded', async ({ page }) => {
    // A4 with its margins.
    await page.setViewportSize({ width: 718, height: 1000 });
    await page.emulateMedia({ media: 'print' });
    for (const path of ['/docs/intro/product_intro', '/docs/price/product_price']) {
      await page.goto(path);
      const cut = await page
        .locator('.prose .table-scroll')
        .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent));
      expect([path, cut]).toEqual([path, []]);
    }
    await page.goto('/docs/dataMigrationAndSync/connection/postgresql');
    const answers = page.locator('.prose details > p');
    expect(await answers.count()).toBeGreaterThan(2);
    const hidden = await answers.evaluateAll((all) => all.filter((one) => !one.checkVisibility()).length);
    expect(hidden).toBe(0);
  });
});
