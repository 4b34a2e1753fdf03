import type { Page } from 'playwright';
import { describe, expect } from 'vitest';
import { calls } from '../../client/contract/calls.ts';
import { startSite } from './site.ts';
import { tokenOf } from './upstream.ts';
import {
  entryScript,
  eventually,
  hold,
  isMarked,
  mark,
  settle,
  signIn,
  stopClock,
  store,
  stored,
  test,
} from './visitor.ts';

const widths = [390, 1280];

/** The visible and usable parts of the bar; hidden elements have no role. */
const link = (page: Page, name: string) => page.locator('.bar').getByRole('link', { name, exact: true });
const logout = (page: Page) => page.locator('.bar').getByRole('button', { name: 'Logout' });
const greeting = (page: Page) => page.locator('.bar [data-greeting]').locator('visible=true');

const isMobile = (page: Page) => (page.viewportSize()?.width ?? 0) < 996;

/** Opens the menu with the visitor's entries: the mobile menu, or the account's drop-down. */
async function unfold(page: Page): Promise<void> {
  if (isMobile(page)) await page.locator('.mobile-menu > summary').click();
  else if (await page.locator('.account').isVisible()) await page.locator('.account > summary').click();
}

/** Makes the page report, after each click, which events of the button occurred and what the data layer contains. */
async function listen(page: Page): Promise<void> {
  // It would redirect to the sign-in, in the middle of the test's next step.
  await page.route(/^http:\/\/localhost:\d+\/console$/, (route) =>
    route.fulfill({ contentType: 'text/html', body: 'The cloud app' }),
  );
  await page.addInitScript(() => {
    const events: string[] = [];
    document.addEventListener('try_cloud_free', ({ type }) => events.push(type));
    addEventListener('click', () => {
      localStorage.setItem('test-heard', JSON.stringify([events, Reflect.get(window, 'dataLayer') ?? null]));
    });
  });
}

describe.each(widths)('an anonymous visitor, %i px', (width) => {
  test('sees Log In and no greeting, even with a stored user but no token', async ({ page, context }) => {
    await store(context, { 'user-store': JSON.stringify({ userInfo: { uid: '7', username: 'Gone' } }) });
    const called: string[] = [];
    page.on('request', (request) => called.push(new URL(request.url()).pathname));
    await page.setViewportSize({ width, height: 800 });
    const recorded = page.waitForResponse(`**${calls.addViewLog}`);
    await page.goto('/pricing');
    await unfold(page);
    expect(await link(page, 'Log In').count()).toBe(1);
    expect(await link(page, 'Try Cloud Free').count()).toBe(1);
    expect(await greeting(page).count()).toBe(0);
    expect(await logout(page).count()).toBe(0);
    await recorded;
    await page.waitForLoadState('networkidle');
    // Without a session there is nothing to check.
    expect(called).not.toContain(calls.queryLoginUser);
  });

  test('Log In stores its label and leads to /login', async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/pricing');
    await mark(page);
    await unfold(page);
    expect(await stored(page, 'loginSource')).toBeNull();
    await link(page, 'Log In').click();
    await page.waitForURL('**/login');
    expect(await stored(page, 'loginSource')).toBe('sign_in');
    expect(await isMarked(page)).toBe(true);
  });

  test('Try Cloud Free sends its event, stores its label and leads to the cloud app', async ({ page }) => {
    await listen(page);
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/pricing');
    await unfold(page);
    const address = await link(page, 'Try Cloud Free').getAttribute('href');
    expect(address).toMatch(/^http:\/\/localhost:\d+\/console$/);
    const asked = page.waitForRequest(String(address));
    await link(page, 'Try Cloud Free').click();
    expect((await asked).isNavigationRequest()).toBe(true);
    await page.waitForURL('http://localhost:*/**');
    await page.goto('/pricing');
    expect(await stored(page, 'loginSource')).toBe('try_cloud_free');
    expect(JSON.parse((await stored(page, 'test-heard')) ?? '')).toEqual([['try_cloud_free'], null]);
  });
});

test('Try Cloud Free in the page sends its event and stores its label, too', async ({ page }) => {
  await listen(page);
  await page.goto('/');
  await page.locator('main').getByRole('link', { name: 'Try Cloud Free' }).first().click();
  await page.waitForURL('http://localhost:*/**');
  await page.goto('/');
  expect(await stored(page, 'loginSource')).toBe('try_cloud_free');
  expect(JSON.parse((await stored(page, 'test-heard')) ?? '')).toEqual([['try_cloud_free'], null]);
});

test.for(['token', 'jwt_token'])('Try Cloud Free stores no label if a %s is stored', async (key, { page, context }) => {
  await store(context, { [key]: tokenOf({ user: { uid: '8', username: 'Kim' } }) });
  await listen(page);
  await page.goto('/pricing');
  await link(page, 'Try Cloud Free').click();
  await page.waitForURL('http://localhost:*/**');
  await page.goto('/pricing');
  expect(await stored(page, 'loginSource')).toBeNull();
  expect(JSON.parse((await stored(page, 'test-heard')) ?? '')).toEqual([['try_cloud_free'], null]);
});

test('an operator can have the event in the data layer, and a cloud app elsewhere', async ({ page, console }) => {
  const cloudApp = 'https://cloud.example/app';
  const site = await startSite({ env: { API_BASE_URL: console.url, DATA_LAYER: 'on', CLOUD_APP_URL: cloudApp } });
  try {
    await page.route(`${cloudApp}**`, (route) => route.fulfill({ contentType: 'text/html', body: 'The cloud app' }));
    await listen(page);
    await page.goto(`${site.url}/pricing`);
    await link(page, 'Try Cloud Free').click();
    await page.waitForURL(cloudApp);
    await page.goto(`${site.url}/pricing`);
    expect(JSON.parse((await stored(page, 'test-heard')) ?? '')).toEqual([
      ['try_cloud_free'],
      [{ event: 'try_cloud_free' }],
    ]);
    const inMenu = await page.locator('.account a').evaluateAll((all) => all.map((one) => one.getAttribute('href')));
    expect(inMenu).toEqual([`${cloudApp}/usercenter`, `${cloudApp}/billing`]);
  } finally {
    await page.close();
    await site.stop();
  }
});

describe.each(widths)('a signed-in visitor, %i px', (width) => {
  test.for([
    [{ uid: '1', username: 'Ada', email: 'ada@mail.example' }, 'Hello, Ada'],
    [{ uid: '2', email: 'bo@mail.example' }, 'Hello, bo@mail.example'],
    [{ uid: '3' }, 'Hello, User'],
  ] as const)('%o is greeted with %s', async ([user, words], { page, context }) => {
    // No user, until the server has said who the token belongs to; the answer is stored.
    await store(context, { token: tokenOf({ user }) });
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/pricing');
    await eventually(() => page.locator('html').getAttribute('data-user')).toBe('');
    await unfold(page);
    expect(await greeting(page).allInnerTexts()).toEqual([words]);
    expect(JSON.parse((await stored(page, 'user-store')) ?? '')).toEqual({ loginInfo: {}, userInfo: user });
    expect(await link(page, 'Log In').count()).toBe(0);
  });

  test('has a menu with Personal Center, My Billing, a divider and Logout', async ({ page, context }) => {
    await signIn(context, { user: { uid: '4', username: 'Dee' } });
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/pricing');
    expect(await logout(page).count()).toBe(0);
    await unfold(page);
    const entries = await page
      .locator(width < 996 ? '.mobile-panel [data-signed-in]' : '.account .drop-down')
      .evaluate((menu) =>
        Array.from(menu.querySelectorAll('a, hr, button'), (one) => one.textContent || one.localName),
      );
    expect(entries).toEqual(['Personal Center', 'My Billing', 'hr', 'Logout']);
    for (const [name, path] of [
      ['Personal Center', '/console/usercenter'],
      ['My Billing', '/console/billing'],
    ] as const) {
      if (!(await link(page, name).isVisible())) await unfold(page);
      const [opened, asked] = await Promise.all([
        page.context().waitForEvent('page'),
        page.context().waitForEvent('request', (request) => request.url().endsWith(path)),
        link(page, name).click(),
      ]);
      expect(asked.url()).toMatch(/^http:\/\/localhost:\d+\/console\/\w+$/);
      // It is still navigating to its address.
      await eventually(() => opened.evaluate(() => window.opener)).toBeNull();
      await opened.close();
      // A chosen entry closes the menu; the page stays.
      expect(await link(page, name).isVisible()).toBe(false);
      expect(new URL(page.url()).pathname).toBe('/pricing');
    }
  });

  test('never sees Log In or a shift of the bar: the first paint has the greeting', async ({ page, context }) => {
    await signIn(context, { user: { uid: '5', username: 'Eve "the first"' } });
    await page.setViewportSize({ width, height: 800 });
    const script = await hold(page, entryScript, 'script');
    await page.goto('/pricing', { waitUntil: 'commit' });
    await page.locator('.footer').waitFor();
    const look = async () => {
      await page.evaluate(() => document.fonts.ready);
      return page
        .locator('.bar-end > *, .bar [data-greeting]')
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()));
    };
    await unfold(page);
    const before = await look();
    expect(await link(page, 'Log In').count()).toBe(0);
    expect(
      await greeting(page).evaluate((one) => [one.textContent, getComputedStyle(one, '::before').content]),
    ).toEqual(['', '"Hello, Eve \\"the first\\""']);
    const checked = page.waitForResponse(`**${calls.queryLoginUser}`);
    script.release();
    await eventually(() => greeting(page).innerText()).toBe('Hello, Eve "the first"');
    expect(await look()).toEqual(before);
    await (await checked).finished();
    await settle(page);
    expect(await look()).toEqual(before);
  });
});

test('the account menu opens on click only', async ({ page, context }) => {
  await signIn(context, { user: { uid: '6', username: 'Flo' } });
  await page.clock.install();
  await page.goto('/pricing');
  await stopClock(page);
  await page.locator('.account > summary').hover();
  await page.clock.runFor(1000);
  expect(await logout(page).count()).toBe(0);
  await page.locator('.account > summary').click();
  expect(await logout(page).count()).toBe(1);
  await page.mouse.click(640, 700);
  expect(await logout(page).count()).toBe(0);
});

test('the keyboard opens the account menu, steps through it and logs out', async ({ page, context }) => {
  await signIn(context, { user: { uid: '9', username: 'Gus' } });
  await page.goto('/pricing');
  await page.locator('.account > summary').press('Enter');
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  const walked: unknown[] = [];
  for (const _entry of ['Personal Center', 'My Billing', 'Logout']) {
    await page.keyboard.press('ArrowDown');
    walked.push(await focused());
  }
  expect(walked).toEqual(['Personal Center', 'My Billing', 'Logout']);
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.pathname === '/');
  await eventually(() => stored(page, 'token')).toBeNull();
});
