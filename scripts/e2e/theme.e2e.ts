import type { Page } from 'playwright';
import { describe, expect } from 'vitest';
import { test } from './browser.ts';
import { entryScript, eventually, follow, hold, isMarked, mark, store, stored } from './visitor.ts';

const grounds = { light: 'rgb(251, 249, 244)', dark: 'rgb(15, 23, 34)' };

const ground = (page: Page) => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
const system = (page: Page, colorScheme: 'light' | 'dark' | 'no-preference') => page.emulateMedia({ colorScheme });

/** The visible choices, with the active one as a screen reader announces it. */
const choices = (page: Page) =>
  page
    .locator('[data-theme-choice]')
    .evaluateAll((buttons) =>
      buttons
        .filter((button) => button.checkVisibility())
        .map((button) => `${button.textContent}: ${button.getAttribute('aria-pressed')}`),
    );

/** The active colours of the browser's own bar. */
const barColours = (page: Page) =>
  page
    .locator('meta[name=theme-color]')
    .evaluateAll((metas) =>
      metas
        .filter((meta) => matchMedia(meta.getAttribute('media') ?? '').matches)
        .map((meta) => meta.getAttribute('content')),
    );

/** Records the background colour of every frame, from the first frame of every page on. */
async function watchGround(page: Page): Promise<() => Promise<unknown>> {
  await page.addInitScript(() => {
    const shown = new Set<string>();
    Reflect.set(window, 'grounds', shown);
    const look = () => {
      shown.add(getComputedStyle(document.documentElement).backgroundColor);
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  return () =>
    page.evaluate(() => {
      const shown: unknown = Reflect.get(window, 'grounds');
      return shown instanceof Set ? [...shown] : [];
    });
}

const menus = [
  { width: 390, opener: '.mobile-menu > summary', list: '.mobile-theme' },
  { width: 1280, opener: '.bar .theme > summary', list: '.theme .drop-down' },
];

describe.each(menus)('the choice at $width px', ({ width, opener, list }) => {
  const isMobile = width < 996;
  const unfold = async (page: Page) => {
    if (!(await page.locator(list).isVisible())) await page.locator(opener).click();
  };
  const choose = async (page: Page, name: string) => {
    await unfold(page);
    await page.locator(list).getByRole('button', { name }).click();
    // The mobile menu contains more than the themes, and stays open.
    expect(await page.locator(list).isVisible()).toBe(isMobile);
  };

  test('of light, dark and system is applied at once, announced, stored and kept on other pages', async ({ page }) => {
    await page.setViewportSize({ width, height: 844 });
    await system(page, 'light');
    await page.goto('/pricing');
    await page.locator(opener).click();
    expect(await choices(page)).toEqual(['Light: false', 'Dark: false', 'System: true']);
    await page.locator(opener).click();
    for (const [name, theme] of [
      ['Dark', 'dark'],
      ['Light', 'light'],
      ['Dark', 'dark'],
    ] as const) {
      await choose(page, name);
      expect([await ground(page), await stored(page, 'theme')]).toEqual([grounds[theme], theme]);
      expect(await barColours(page)).toEqual([theme === 'dark' ? '#0f1722' : '#fbf9f4']);
    }
    await mark(page);
    await follow(page, '/about');
    await page.waitForURL('**/about');
    expect([await isMarked(page), await ground(page)]).toEqual([true, grounds.dark]);
    await page.goto('/why');
    expect([await ground(page), await barColours(page)]).toEqual([grounds.dark, ['#0f1722']]);
    await unfold(page);
    expect(await choices(page)).toEqual(['Light: false', 'Dark: true', 'System: false']);
    await page.locator(list).getByRole('button', { name: 'System' }).click();
    expect([await ground(page), await stored(page, 'theme')]).toEqual([grounds.light, 'system']);
    expect(await barColours(page)).toEqual(['#fbf9f4']);
    await page.goto('/about');
    await page.locator(opener).click();
    expect(await choices(page)).toEqual(['Light: false', 'Dark: false', 'System: true']);
  });

  test('works by keyboard alone, and the focus stays with the menu', async ({ page }) => {
    await page.setViewportSize({ width, height: 844 });
    await system(page, 'light');
    await page.goto('/pricing');
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    const openerHasFocus = () => page.locator(opener).evaluate((one) => one === document.activeElement);
    const reach = async (name: string) => {
      for (let stops = 0; stops < 30 && (await focused()) !== name; stops += 1) await page.keyboard.press('Tab');
      expect(await focused()).toBe(name);
    };
    await page.locator(opener).focus();
    await page.keyboard.press('Enter');
    await reach('Dark');
    await page.keyboard.press('Space');
    expect([await ground(page), await stored(page, 'theme')]).toEqual([grounds.dark, 'dark']);
    expect(await page.locator(list).isVisible()).toBe(isMobile);
    expect(await (isMobile ? focused() : openerHasFocus())).toBe(isMobile ? 'Dark' : true);
    if (isMobile) await page.keyboard.press('Shift+Tab');
    else {
      await page.keyboard.press('ArrowDown');
      await reach('Light');
    }
    await page.keyboard.press('Enter');
    expect([await ground(page), await stored(page, 'theme')]).toEqual([grounds.light, 'light']);
    if (!isMobile) await page.keyboard.press('Enter');
    await reach('System');
    await page.keyboard.press('Escape');
    expect([await openerHasFocus(), await stored(page, 'theme')]).toEqual([true, 'light']);
  });
});

describe('the system', () => {
  test('is followed live without a stored choice, and is light without a preference', async ({ page }) => {
    await system(page, 'dark');
    await page.goto('/');
    expect([await ground(page), await stored(page, 'theme')]).toEqual([grounds.dark, null]);
    expect(await barColours(page)).toEqual(['#0f1722']);
    await system(page, 'light');
    expect([await ground(page), await barColours(page)]).toEqual([grounds.light, ['#fbf9f4']]);
    await system(page, 'dark');
    expect(await ground(page)).toBe(grounds.dark);
    await system(page, 'no-preference');
    expect(await ground(page)).toBe(grounds.light);
    expect(await stored(page, 'theme')).toBeNull();
  });

  test.for(['system', 'sepia'])('is followed live when %s is stored', async (theme, { context, page }) => {
    await store(context, { theme });
    await system(page, 'dark');
    await page.goto('/pricing');
    expect(await ground(page)).toBe(grounds.dark);
    await system(page, 'light');
    expect(await ground(page)).toBe(grounds.light);
    await page.locator('.bar .theme > summary').click();
    expect(await choices(page)).toEqual(['Light: false', 'Dark: false', 'System: true']);
  });

  test('does not override an explicit choice', async ({ context, page }) => {
    await store(context, { theme: 'light' });
    await system(page, 'light');
    await page.goto('/pricing');
    await system(page, 'dark');
    expect([await ground(page), await barColours(page)]).toEqual([grounds.light, ['#fbf9f4']]);
  });
});

describe('no flash', () => {
  test.for([
    ['light', 'dark', 'light'],
    ['dark', 'light', 'dark'],
    ['system', 'dark', 'dark'],
    [undefined, 'dark', 'dark'],
  ] as const)('stored %s, system %s: every frame is %s', async ([theme, says, shown], { context, page }) => {
    if (theme) await store(context, { theme });
    await page.emulateMedia({ colorScheme: says, reducedMotion: 'no-preference' });
    const seen = await watchGround(page);
    const entry = await hold(page, entryScript);
    await page.goto('/docs/intro/product_intro', { waitUntil: 'commit' });
    // Frames from before the site's script has loaded, and after it has run.
    await eventually(seen).toEqual([grounds[shown]]);
    expect(await page.locator('[aria-live=polite]').count()).toBe(0);
    entry.release();
    await page.locator('[aria-live=polite]').waitFor({ state: 'attached' });
    await follow(page, '/docs/intro/product_arch');
    await page.waitForURL('**/product_arch');
    expect(await seen()).toEqual([grounds[shown]]);
  });
});

test('a stored theme overrides the system from the first paint on', async ({ page, problems }) => {
  problems.allow(/ERR_FAILED/);
  await system(page, 'light');
  await page.goto('/about');
  const light = await ground(page);
  await page.evaluate(() => localStorage.setItem('theme', 'dark'));
  // It must need no file other than the style sheet.
  await page.route(/\.js$/, (route) => route.abort());
  await page.reload();
  expect(await ground(page)).not.toBe(light);
  expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
});

test.for(['light', 'dark'] as const)(
  'whoever asks for more contrast gets it for small text and for lines: %s',
  async (scheme, { page }) => {
    await page.emulateMedia({ colorScheme: scheme, contrast: 'more' });
    await page.goto('/docs/quick/quick_start');
    const contrasts = await page.evaluate(() => {
      const lightness = (colour: string) => {
        const [red = 0, green = 0, blue = 0] = (colour.match(/\d+/g) ?? []).map((part) => {
          const share = Number(part) / 255;
          return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
      };
      const ground = lightness(getComputedStyle(document.documentElement).backgroundColor);
      const toGround = (selector: string, property: 'color' | 'borderTopColor') => {
        const found = document.querySelector(selector);
        const own = lightness(found ? getComputedStyle(found)[property] : '');
        return (Math.max(own, ground) + 0.05) / (Math.min(own, ground) + 0.05);
      };
      return [toGround('.reading-header > .lede', 'color'), toGround('.footer', 'borderTopColor')];
    });
    expect(contrasts[0]).toBeGreaterThan(7);
    expect(contrasts[1]).toBeGreaterThan(3);
  },
);

describe('where the system forces its colours', () => {
  test.beforeEach(({ page }) => page.emulateMedia({ colorScheme: 'dark', forcedColors: 'active' }));

  test('drawings follow the system, not the stored theme', async ({ context, page }) => {
    await store(context, { theme: 'light' });
    await page.goto('/loading');
    const ink = await page.locator('.spinner').evaluate((drawing) => getComputedStyle(drawing).stroke);
    expect(ink).toBe('rgb(230, 233, 238)');
  });

  test('only the selected tab and kind are underlined', async ({ page }) => {
    const lines = (selector: string) =>
      page.locator(selector).evaluateAll((all) => all.map((one) => getComputedStyle(one).borderBottomColor));
    await page.goto('/docs/intro/product_arch');
    await page.locator('.tabs [role=tab]').first().waitFor();
    const [unmarked, ...others] = await lines('.tabs [role=tab][aria-selected=false]');
    expect(await lines('.tabs [role=tab][aria-selected=true]')).not.toContain(unmarked);
    expect(new Set([unmarked, ...others])).toEqual(new Set([await ground(page)]));
    await page.goto('/');
    expect(await lines('.kinds label:has(:checked)')).not.toContain(unmarked);
    expect(new Set(await lines('.kinds label:not(:has(:checked))'))).toEqual(new Set([unmarked]));
  });
});

test('with blocked storage, a choice lasts until the page is closed, with one warning', async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, 'localStorage', {
      get: () => {
        throw new DOMException('blocked', 'SecurityError');
      },
    });
  });
  const warnings: string[] = [];
  page.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()));
  await system(page, 'light');
  await page.goto('/pricing');
  await page.locator('.bar .theme > summary').click();
  await page.locator('.theme').getByRole('button', { name: 'Dark' }).click();
  await follow(page, '/about');
  await page.waitForURL('**/about');
  expect(await ground(page)).toBe(grounds.dark);
  await page.locator('.bar .theme > summary').click();
  expect(await choices(page)).toEqual(['Light: false', 'Dark: true', 'System: false']);
  expect(warnings.filter((text) => text.includes('storage'))).toHaveLength(1);
});
