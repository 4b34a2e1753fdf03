import type { Page } from 'playwright';
import { expect } from 'vitest';
import { calls } from '../../client/contract/calls.ts';
import { launchWithBackForwardCache } from './chromium.ts';
import { tokenOf } from './upstream.ts';
import { eventually, isMarked, mark, openAnswered, signIn, test as visitorTest } from './visitor.ts';

const test = visitorTest
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the pattern to know which fixtures are wanted
  .override('browser', { scope: 'worker' }, async ({}, { onCleanup }) => {
    const browser = await launchWithBackForwardCache();
    onCleanup(() => browser.close());
    return browser;
  });

const user = { uid: '1', username: 'Back' };
const logIn = (page: Page) => page.locator('.bar-end > [data-login]').isVisible();
const greeting = (page: Page) => page.locator('.account summary').locator('visible=true').allInnerTexts();

/** Opens a page and marks it, once its automatic requests are answered: otherwise they would continue after Back. */
async function open(page: Page, path: string, ...others: string[]): Promise<void> {
  await openAnswered(page, path, ...others);
  await mark(page);
}

/** Goes back to the marked page, which must be the same one and not a new load. */
async function goBack(page: Page): Promise<void> {
  await page.goBack({ waitUntil: 'commit' });
  expect(await isMarked(page)).toBe(true);
}

test('after logging out, going back to an earlier page shows no greeting', async ({ page, context }) => {
  await signIn(context, { user });
  await open(page, '/pricing', calls.queryLoginUser);
  expect([await greeting(page), await logIn(page)]).toEqual([['Hello, Back'], false]);
  await page.goto('/about');
  await page.locator('.account > summary').click();
  await page.getByRole('button', { name: 'Logout' }).click();
  await page.waitForURL((url) => url.pathname === '/');
  await page.evaluate(() => history.go(-2));
  await page.waitForURL('**/pricing', { waitUntil: 'commit' });
  expect(await isMarked(page)).toBe(true);
  await eventually(() => logIn(page)).toBe(true);
  expect(await greeting(page)).toEqual([]);
});

test('going back applies a colour mode chosen meanwhile', async ({ page }) => {
  await open(page, '/pricing');
  await page.goto('/about');
  await page.locator('.bar .theme > summary').click();
  await page.locator('.bar').getByRole('button', { name: 'Dark' }).click();
  await goBack(page);
  await eventually(() => page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
  expect(await page.locator('.bar [data-theme-choice=dark]').first().getAttribute('aria-pressed')).toBe('true');
});

test('a page stays where it was left, even in a browser that scrolls it to the top on return', async ({ page }) => {
  // As WebKit does, before the page hears of its return.
  await page.addInitScript(() => addEventListener('pageshow', ({ persisted }) => persisted && scrollTo(0, 0)));
  await open(page, '/pricing');
  await page.evaluate(() => scrollTo(0, 900));
  await page.goto('/robots.txt');
  await goBack(page);
  await eventually(() => page.evaluate(() => scrollY)).toBe(900);
});

test('after going back, a failed query for the current user still clears the user', async ({
  page,
  context,
  problems,
}) => {
  problems.allow(/502.*queryLoginUser|The current user could not be read/);
  await signIn(context, { user });
  await open(page, '/', calls.queryLoginUser);
  // A file, whose visit makes no requests.
  await page.goto('/robots.txt');
  const broken = tokenOf({ user, broken: true });
  await page.evaluate((token) => localStorage.setItem('token', token), broken);
  await goBack(page);
  expect(await greeting(page)).toEqual(['Hello, Back']);
  await page.locator('main').getByRole('link', { name: 'Download' }).click();
  await eventually(() => logIn(page)).toBe(true);
});
