import type { Locator, Page } from 'playwright';
import { describe, expect } from 'vitest';
import { test } from './browser.ts';
import { eventually, follow, hold, isMarked, mark, stopClock } from './visitor.ts';

const groups = { product: 'Product', solutions: 'Solutions', resources: 'Resources' };

const menu = (page: Page, id: keyof typeof groups) => page.locator(`.bar-groups [data-section=${id}] details`);
const summary = (page: Page, id: keyof typeof groups) => menu(page, id).locator('summary');
const isOpen = (details: Locator) => details.evaluate((node) => node.hasAttribute('open'));
const openMenus = (page: Page) =>
  page
    .locator('.bar-groups details[open]')
    .evaluateAll((all) => all.map((one) => one.querySelector('summary')?.textContent));

/** The section the desktop bar highlights, by the line under it. */
const highlighted = (page: Page, list = '.bar-groups') =>
  page
    .locator(`${list} [data-section]`)
    .evaluateAll((entries) =>
      entries.filter((entry) => entry.hasAttribute('data-current')).map((entry) => entry.getAttribute('data-section')),
    );

describe('groups and links', () => {
  test('desktop: the specified groups in order, with their addresses', async ({ page }) => {
    await page.goto('/why');
    expect(await page.locator('.bar').evaluate((bar) => bar.getBoundingClientRect().height)).toBe(70);
    const bar = await page
      .locator('.bar-groups > li')
      .evaluateAll((entries) =>
        entries.map((entry) => [
          entry.querySelector('.bar-link')?.textContent,
          ...Array.from(entry.querySelectorAll('a'), (link) => link.getAttribute('href')),
        ]),
      );
    expect(bar).toEqual([
      ['Product', '/', '/why', '/connector'],
      ['Solutions', '/solution1', '/solution2'],
      ['Resources', '/blog', '/docs/intro/product_intro'],
      ['Pricing', '/pricing'],
      ['About', '/about'],
    ]);
    expect(await page.locator('.bar-end > a[data-login]').getAttribute('href')).toBe('/login');
    expect(await page.locator('.bar-end > a[data-login]').textContent()).toBe('Log In');
    expect(await page.locator('.mobile-menu').isVisible()).toBe(false);
    // Without the mobile menu, whose sub-items have the same names.
    const names = await menu(page, 'solutions')
      .locator('a')
      .evaluateAll((all) => all.map((one) => one.firstChild?.textContent));
    expect(names).toEqual(['Real-time Analytics', 'AI & RAG']);
  });

  test.for([
    [995, true],
    [996, false],
  ] as const)('at %i px the hamburger shows: %s', async ([width, hamburger], { page }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/why');
    expect(await page.getByLabel('Menu', { exact: true }).first().isVisible()).toBe(hamburger);
    expect(await page.locator('.bar-groups').isVisible()).toBe(!hamburger);
  });
});

describe('highlighted section', () => {
  const sections: [path: string, section: string | undefined][] = [
    ['/', 'product'],
    ['/why', 'product'],
    ['/connector', 'product'],
    ['/solution1', 'solutions'],
    ['/solution2', 'solutions'],
    ['/blog', 'resources'],
    ['/blog/authors', 'resources'],
    ['/docs/intro/product_intro', 'resources'],
    ['/pricing', 'pricing'],
    ['/about', 'about'],
    ['/login', undefined],
    ['/search', undefined],
  ];

  test("depends on the path in the server's HTML", async ({ page }) => {
    for (const [path, section] of sections) {
      await page.goto(path);
      const wanted = section ? [section] : [];
      expect([path, await highlighted(page)]).toEqual([path, wanted]);
      expect([path, await highlighted(page, '.mobile-panel')]).toEqual([path, wanted]);
      const underlined = await page
        .locator('.bar-groups [data-section]')
        .evaluateAll((all) =>
          all
            .filter(
              (one) => getComputedStyle(one.querySelector('.bar-link') ?? one, '::after').borderBottomStyle === 'solid',
            )
            .map((one) => one.getAttribute('data-section')),
        );
      expect(underlined).toEqual(wanted);
    }
  });

  test('depends on the path after every soft navigation', async ({ page }) => {
    await page.goto('/markdown-page');
    await mark(page);
    for (const [path, section] of sections) {
      await follow(page, path);
      await page.waitForURL(`**${path}`);
      const wanted = section ? [section] : [];
      expect([path, await highlighted(page)]).toEqual([path, wanted]);
      expect([path, await highlighted(page, '.mobile-panel')]).toEqual([path, wanted]);
    }
    expect(await isMarked(page)).toBe(true);
  });

  test('is that of the page that a redirect leads to', async ({ page }) => {
    await page.goto('/pricing');
    await mark(page);
    await page.route('**/docs/moved', (route) => route.fulfill({ status: 302, headers: { Location: '/about' } }));
    await follow(page, '/docs/moved');
    await page.waitForURL('**/about');
    expect(await highlighted(page)).toEqual(['about']);
    expect(await isMarked(page)).toBe(true);
  });

  test('is set on click before the page has loaded, and updated on back and forward', async ({ page }) => {
    await page.goto('/pricing');
    const about = await hold(page, '**/about');
    await page.locator('.bar-groups').getByText('About').click();
    await eventually(() => highlighted(page)).toEqual(['about']);
    expect(await page.locator('h1').textContent()).not.toContain('About');
    expect(new URL(page.url()).pathname).toBe('/pricing');
    about.release();
    await page.waitForURL('**/about');
    expect(await highlighted(page)).toEqual(['about']);
    await page.goBack();
    await eventually(() => highlighted(page)).toEqual(['pricing']);
    await page.locator('.bar-end > a[data-login]').click();
    await page.waitForURL('**/login');
    await eventually(() => highlighted(page)).toEqual([]);
  });

  test('returns to the shown page when a heading is chosen while another page loads', async ({ page }) => {
    await page.goto('/docs/intro/product_intro');
    const about = await hold(page, '**/about');
    await page.locator('.bar-groups').getByText('About').click();
    await eventually(() => highlighted(page)).toEqual(['about']);
    await page.locator('.toc li a').first().click();
    await eventually(() => highlighted(page)).toEqual(['resources']);
    about.release();
  });
});

describe('drop-downs', () => {
  test('open after 0.15 s of hovering, close 0.1 s after leaving, at the bottom left', async ({ page }) => {
    await page.clock.install();
    await page.goto('/pricing');
    await stopClock(page);
    const product = menu(page, 'product');
    await summary(page, 'product').hover();
    await page.clock.runFor(149);
    expect(await isOpen(product)).toBe(false);
    await page.clock.runFor(1);
    expect(await isOpen(product)).toBe(true);
    const [bar, list] = [
      await summary(page, 'product').boundingBox(),
      await product.locator('.drop-down').boundingBox(),
    ];
    expect(list?.x).toBe(bar?.x);
    expect(list?.y).toBeGreaterThan((bar?.y ?? 0) + (bar?.height ?? 0) / 2);
    // Moving from the entry to its list does not close it.
    await product.getByText('Connectors').hover();
    await page.clock.runFor(1000);
    expect(await isOpen(product)).toBe(true);
    await page.mouse.move(640, 700);
    await page.clock.runFor(99);
    expect(await isOpen(product)).toBe(true);
    await page.clock.runFor(1);
    expect(await isOpen(product)).toBe(false);
  });

  test('are not opened by a passing mouse, and only one is open at a time', async ({ page }) => {
    await page.clock.install();
    await page.goto('/pricing');
    await stopClock(page);
    await summary(page, 'product').hover();
    await page.clock.runFor(100);
    await summary(page, 'solutions').hover();
    await page.clock.runFor(150);
    expect(await openMenus(page)).toEqual(['Solutions']);
    await summary(page, 'resources').hover();
    await page.clock.runFor(150);
    expect(await openMenus(page)).toEqual(['Resources']);
    // Opening by script also closes the others.
    await page.getByLabel('Theme', { exact: true }).first().click();
    expect(await page.locator('.bar details[open]').count()).toBe(1);
    expect(await page.locator('.bar details.theme').getAttribute('open')).toBe('');
  });

  test.for(['that names its pointer', 'that does not, as in Safari before 18.2'])(
    'open at once on a click %s, which does not close one opened by the mouse',
    async (kind, { page }) => {
      if (!kind.startsWith('that names'))
        await page.addInitScript(() => {
          const typeOf = Object.getOwnPropertyDescriptor(PointerEvent.prototype, 'pointerType')?.get;
          Object.defineProperty(PointerEvent.prototype, 'pointerType', {
            get(this: PointerEvent) {
              return this.type === 'click' ? undefined : typeOf?.call(this);
            },
          });
        });
      await page.clock.install();
      await page.goto('/pricing');
      await stopClock(page);
      await summary(page, 'product').click();
      expect(await isOpen(menu(page, 'product'))).toBe(true);
      await summary(page, 'product').click();
      expect(await isOpen(menu(page, 'product'))).toBe(true);
      await page.mouse.click(640, 700);
      expect(await isOpen(menu(page, 'product'))).toBe(false);
    },
  );

  test('are toggled by touch, regardless of hovering', async ({ browser, siteUrl }) => {
    const context = await browser.newContext({
      baseURL: siteUrl,
      viewport: { width: 1280, height: 800 },
      hasTouch: true,
    });
    const page = await context.newPage();
    await page.goto('/pricing');
    for (const open of [true, false]) {
      await summary(page, 'product').tap();
      // The click comes after the touch.
      await eventually(() => isOpen(menu(page, 'product'))).toBe(open);
    }
    await context.close();
  });

  test('open by keyboard, are stepped through with arrows, and Escape returns the focus', async ({ page }) => {
    await page.goto('/pricing');
    await summary(page, 'solutions').focus();
    await page.keyboard.press('Enter');
    expect(await openMenus(page)).toEqual(['Solutions']);
    const focused = () => page.evaluate(() => document.activeElement?.firstChild?.textContent);
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toBe('Real-time Analytics');
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toBe('AI & RAG');
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toBe('Solutions');
    await page.keyboard.press('ArrowUp');
    expect(await focused()).toBe('AI & RAG');
    await page.keyboard.press('Escape');
    expect(await openMenus(page)).toEqual([]);
    expect(await focused()).toBe('Solutions');
    await page.keyboard.press('ArrowDown');
    expect(await openMenus(page)).toEqual(['Solutions']);
    // The focus moves to the next group: its list stays, the one it left closes.
    await summary(page, 'resources').focus();
    expect(await openMenus(page)).toEqual([]);
  });
});

test.for([390, 1280])('the bar is sticky after 10 px of scrolling, at %i px', async (width, { page }) => {
  await page.setViewportSize({ width, height: 700 });
  await page.goto('/');
  const shadow = () => page.locator('.bar').evaluate((bar) => getComputedStyle(bar).boxShadow);
  const scrolled = (y: number) => page.evaluate((to) => scrollTo(0, to), y);
  const stuck = () => page.evaluate(() => document.documentElement.hasAttribute('data-stuck'));
  expect(await shadow()).toBe('none');
  await scrolled(11);
  await eventually(stuck).toBe(true);
  await eventually(shadow).not.toBe('none');
  await scrolled(10);
  await eventually(stuck).toBe(false);
  await scrolled(900);
  await eventually(stuck).toBe(true);
  expect(await page.locator('.bar').evaluate((bar) => bar.getBoundingClientRect().top)).toBe(0);
});

describe('mobile menu, 390 px', () => {
  const panel = (page: Page) => page.locator('.mobile-panel');
  const hamburger = (page: Page) => page.locator('.mobile-menu > summary');

  test('toggles; Product unfolds, Solutions and Resources have no sub-items', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('/pricing');
    expect(await panel(page).isVisible()).toBe(false);
    await hamburger(page).click();
    expect(await panel(page).isVisible()).toBe(true);
    const rows = () =>
      panel(page)
        .locator('a, summary')
        .evaluateAll((all) => all.filter((one) => one.checkVisibility()).map((one) => one.textContent));
    const folded = ['Product', 'Solutions', 'Resources', 'Pricing', 'About', 'Log In', 'Try Cloud Free'];
    expect(await rows()).toEqual(folded);
    await panel(page).getByText('Product', { exact: true }).click();
    expect(await rows()).toEqual(['Product', 'Overview', 'Why the product', 'Connectors', ...folded.slice(1)]);
    await panel(page).getByText('Product', { exact: true }).click();
    expect(await rows()).toEqual(folded);
    expect(await panel(page).locator('[data-section=solutions] a').count()).toBe(1);
    expect(await panel(page).locator('[data-section=resources] a').count()).toBe(1);
    await hamburger(page).click();
    expect(await panel(page).isVisible()).toBe(false);
    await hamburger(page).click();
    await page.keyboard.press('Escape');
    expect(await panel(page).isVisible()).toBe(false);
  });

  test('closes after a link is chosen, without a full load', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('/pricing');
    await mark(page);
    await hamburger(page).click();
    await panel(page).getByText('Product', { exact: true }).click();
    await panel(page).getByText('Connectors').click();
    await page.waitForURL('**/connector');
    expect(await panel(page).isVisible()).toBe(false);
    expect(await isMarked(page)).toBe(true);
    expect(await highlighted(page, '.mobile-panel')).toEqual(['product']);
    await hamburger(page).click();
    await panel(page).getByText('Solutions').click();
    await page.waitForURL('**/solution1');
    expect(await panel(page).isVisible()).toBe(false);
    expect(await highlighted(page, '.mobile-panel')).toEqual(['solutions']);
  });
});

describe('a change of width', () => {
  test('closes the mobile menu for good', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('/pricing');
    await page.locator('.mobile-menu > summary').click();
    expect(await page.locator('.mobile-panel').isVisible()).toBe(true);
    await page.setViewportSize({ width: 600, height: 844 });
    await eventually(() => page.evaluate(() => innerWidth)).toBe(600);
    // The page learns its new size with a frame.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    expect(await page.locator('.mobile-panel').isVisible()).toBe(true);
    await page.setViewportSize({ width: 1280, height: 844 });
    await eventually(() => isOpen(page.locator('.mobile-menu'))).toBe(false);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.locator('.mobile-panel').isVisible()).toBe(false);
  });

  test('closes the drop-downs of a wide window', async ({ page }) => {
    await page.goto('/pricing');
    await summary(page, 'product').click();
    expect(await openMenus(page)).toEqual(['Product']);
    await page.setViewportSize({ width: 390, height: 844 });
    await eventually(() => openMenus(page)).toEqual([]);
  });
});

test('tooltips show and hide after 0.1 s and are at most 250 px wide', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.goto('/pricing');
  const tip = () =>
    page.locator('.bar [data-search]').evaluate((button) => {
      const { visibility, transitionDelay, transitionProperty, maxWidth, content } = getComputedStyle(
        button,
        '::after',
      );
      return { visibility, transitionDelay, transitionProperty, maxWidth, content };
    });
  const rest = { transitionDelay: '0.1s', transitionProperty: 'visibility', maxWidth: '250px' };
  expect(await tip()).toMatchObject({ ...rest, visibility: 'hidden' });
  await page.locator('.bar [data-search]').hover();
  await eventually(tip).toMatchObject({ ...rest, visibility: 'visible' });
  await page.mouse.move(640, 700);
  await eventually(tip).toMatchObject({ visibility: 'hidden' });
});
