import type { Page } from 'playwright';
import { describe, expect } from 'vitest';
import { tokenOf } from './upstream.ts';
import { entryScript, eventually, hold, isMarked, mark, signIn, stored, test as visitorTest } from './visitor.ts';
import { watchPage } from './watch-page.ts';

/** A second tab of the same visitor. */
const test = visitorTest.extend('otherTab', async ({ context }, { onCleanup }) => {
  const page = await context.newPage();
  const problems = watchPage(page);
  onCleanup(() => expect(problems.list(), 'problems in the other tab').toEqual([]));
  return page;
});

/** Everything that shows the colour mode: the page itself, its buttons and the browser's theme colour. */
const look = (page: Page) =>
  page.evaluate(() => {
    const pressed = Array.from(document.querySelectorAll<HTMLElement>('[data-theme-choice][aria-pressed=true]'));
    const metas = Array.from(document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]'));
    return {
      // Of three colours, the paper's: light or dark.
      paper: (getComputedStyle(document.documentElement).backgroundColor.match(/\d+/g) ?? [])
        .map(Number)
        .some((part) => part > 128)
        ? 'light'
        : 'dark',
      pressed: [...new Set(pressed.map((button) => button.dataset.themeChoice))],
      barColour: metas.filter(({ media }) => matchMedia(media).matches).map(({ content }) => content),
    };
  });

const light = { paper: 'light', barColour: ['#fbf9f4'] };
const dark = { paper: 'dark', barColour: ['#0f1722'] };

/** Chooses a colour mode as a visitor does, on a desktop or in the mobile menu. */
async function choose(page: Page, name: 'Light' | 'Dark' | 'System'): Promise<void> {
  const mobile = (page.viewportSize()?.width ?? 0) < 996;
  await page.locator(mobile ? '.mobile-menu > summary' : '.bar .theme > summary').click();
  await page.locator('.bar').getByRole('button', { name, exact: true }).click();
  if (mobile) await page.keyboard.press('Escape');
}

describe.each([390, 1280])('colour mode, %i px', (width) => {
  test('follows the system until one is chosen; the choice is stored and applies in the other tab', async ({
    page,
    otherTab,
  }) => {
    for (const tab of [page, otherTab]) {
      await tab.setViewportSize({ width, height: 800 });
      await tab.emulateMedia({ colorScheme: 'no-preference' });
      await tab.goto('/pricing');
      await mark(tab);
      expect(await look(tab)).toEqual({ ...light, pressed: ['system'] });
      await tab.emulateMedia({ colorScheme: 'dark' });
      await eventually(() => look(tab)).toEqual({ ...dark, pressed: ['system'] });
      await tab.emulateMedia({ colorScheme: 'light' });
      await eventually(() => look(tab)).toEqual({ ...light, pressed: ['system'] });
    }
    expect(await stored(page, 'theme')).toBeNull();
    await choose(page, 'Dark');
    expect(await look(page)).toEqual({ ...dark, pressed: ['dark'] });
    await eventually(() => look(otherTab)).toEqual({ ...dark, pressed: ['dark'] });
    expect(await stored(otherTab, 'theme')).toBe('dark');

    await page.emulateMedia({ colorScheme: 'dark' });
    await choose(otherTab, 'Light');
    // Once chosen, it no longer follows the system.
    await eventually(() => look(page)).toEqual({ ...light, pressed: ['light'] });
    await choose(page, 'System');
    expect(await look(page)).toEqual({ ...dark, pressed: ['system'] });
    await eventually(() => look(otherTab)).toEqual({ ...light, pressed: ['system'] });
    expect(await stored(page, 'theme')).toBe('system');
    expect([await isMarked(page), await isMarked(otherTab)]).toEqual([true, true]);
  });

  test('is the chosen one before scripts run', async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/pricing');
    await choose(page, 'Dark');
    const script = await hold(page, entryScript, 'script');
    await page.reload({ waitUntil: 'commit' });
    await page.locator('.footer').waitFor();
    expect(await look(page)).toMatchObject({ paper: 'dark', pressed: [] });
    script.release();
    await eventually(() => look(page)).toEqual({ ...dark, pressed: ['dark'] });
  });
});

const greeting = (page: Page) => page.locator('.account summary').locator('visible=true').allInnerTexts();
const logIn = (page: Page) => page.locator('.bar-end > [data-login]').isVisible();

describe('the account', () => {
  test('is shown here after a sign-in in the other tab, and so is its end', async ({ page, otherTab }) => {
    await page.goto('/pricing');
    await mark(page);
    expect([await greeting(page), await logIn(page)]).toEqual([[], true]);
    // What a sign-in stores; the next page of that tab queries the user.
    const token = tokenOf({ user: { uid: '1', username: 'Tabea' } });
    await otherTab.goto('/about');
    await otherTab.evaluate((value) => localStorage.setItem('token', value), token);
    await otherTab.reload();
    await eventually(() => greeting(page)).toEqual(['Hello, Tabea']);
    expect(await logIn(page)).toBe(false);

    await page.locator('.account > summary').click();
    await otherTab.locator('.account > summary').click();
    await otherTab.getByRole('button', { name: 'Logout' }).click();
    await eventually(() => logIn(page)).toBe(true);
    expect(await greeting(page)).toEqual([]);
    expect(await page.getByRole('button', { name: 'Logout' }).count()).toBe(0);
    expect([new URL(page.url()).pathname, await isMarked(page)]).toEqual(['/pricing', true]);
    // The page behaves as it looks: without a token the button keeps its label.
    await page.locator('main, .bar').getByRole('link', { name: 'Try Cloud Free' }).first().click();
    await page.waitForURL('http://localhost:*/**');
    await eventually(() => stored(otherTab, 'loginSource')).toBe('try_cloud_free');
  });

  test('whose session has ended disappears in both tabs', async ({ page, otherTab, context, problems }) => {
    problems.allow(/401.*listDownloadProduct/);
    await signIn(context, { user: { uid: '1', username: 'Ends in both' }, ends: true });
    await page.goto('/');
    await otherTab.goto('/pricing');
    await mark(otherTab);
    expect(await greeting(otherTab)).toEqual(['Hello, Ends in both']);
    await page.locator('main').getByRole('link', { name: 'Download' }).click();
    await page.waitForURL('**/login');
    await eventually(() => logIn(otherTab)).toBe(true);
    expect([new URL(otherTab.url()).pathname, await isMarked(otherTab)]).toEqual(['/pricing', true]);
  });
});

test('clearing storage in one tab resets account and theme in both', async ({ page, otherTab, context }) => {
  await signIn(context, { user: { uid: '1', username: 'Cleared' } });
  await page.goto('/pricing');
  await otherTab.goto('/about');
  await choose(otherTab, 'Dark');
  await eventually(() => look(page)).toMatchObject({ pressed: ['dark'] });
  expect(await greeting(page)).toEqual(['Hello, Cleared']);
  await otherTab.evaluate(() => localStorage.clear());
  await eventually(() => look(page)).toEqual({ ...light, pressed: ['system'] });
  await eventually(() => logIn(page)).toBe(true);
});
