import type { Page } from 'playwright';
import { describe, expect } from 'vitest';
import { calls } from '../../client/contract/calls.ts';
import { tokenOf } from './upstream.ts';
import { eventually, follow, hold, isMarked, mark, settle, signIn, store, stored, test } from './visitor.ts';

const path = (page: Page) => new URL(page.url()).pathname;
const isSignedIn = (page: Page) => page.evaluate(() => document.documentElement.hasAttribute('data-user'));
const kept = async (page: Page) => ({
  token: await stored(page, 'token'),
  older: await stored(page, 'jwt_token'),
  user: JSON.parse((await stored(page, 'user-store')) ?? 'null'),
});
const nobody = { token: null, older: null, user: { loginInfo: {}, userInfo: {} } };

/** A console line that the caller allows among the problems. */
const line = (page: Page, start: string) =>
  page.waitForEvent('console', (message) => message.type() === 'error' && message.text().startsWith(start));

const download = (page: Page) => page.locator('main').getByRole('link', { name: 'Download' });
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Download' });
const logout = async (page: Page) => {
  await page.locator('.account > summary').click();
  await page.getByRole('button', { name: 'Logout' }).click();
};

describe('a stored token', () => {
  test.for([
    [['token'], 'token'],
    [['jwt_token'], 'jwt_token'],
    [['token', 'jwt_token'], 'token'],
  ] as const)('%o: every call carries %s', async ([keys, sent], { page, context, console }) => {
    const tokens = Object.fromEntries(keys.map((key) => [key, tokenOf({ user: { uid: `${keys}/${key}` } })]));
    await store(context, tokens);
    await page.goto('/pricing');
    const mine = async () => {
      const seen = await console.seen();
      return seen
        .filter(({ token }) => Object.values(tokens).includes(token ?? ''))
        .map((call) => [call.path, call.token]);
    };
    const expected = [calls.addViewLog, calls.queryLoginUser].map((call) => [call, tokens[sent]]);
    await eventually(async () => (await mine()).sort()).toEqual(expected);
    await eventually(() => isSignedIn(page)).toBe(true);
    await logout(page);
    await page.waitForURL((url) => url.pathname === '/');
    expect(await kept(page)).toEqual(nobody);
    await eventually(async () => (await mine()).sort()).toEqual([...expected, [calls.logout, tokens[sent]]].sort());
  });

  test("is checked, and the server's current user replaces the stored one", async ({ page, context }) => {
    await store(context, {
      token: tokenOf({ user: { uid: '1', username: 'New', email: 'new@mail.example' } }),
      'user-store': JSON.stringify({ loginInfo: { expiresAt: 5 }, userInfo: { uid: '1', username: 'Old' } }),
    });
    await page.goto('/pricing');
    await eventually(() => page.locator('.account summary').innerText()).toBe('Hello, New');
    expect((await kept(page)).user).toEqual({
      loginInfo: { expiresAt: 5 },
      userInfo: { uid: '1', username: 'New', email: 'new@mail.example' },
    });
  });

  test('of a user without a uid does not sign in', async ({ page, context }) => {
    await store(context, {
      token: tokenOf({ user: { username: 'Nobody' } }),
      'user-store': JSON.stringify({ userInfo: { uid: '1', username: 'Old' } }),
    });
    await page.goto('/pricing');
    await eventually(() => isSignedIn(page)).toBe(false);
    expect(await page.locator('.bar-end > [data-login]').isVisible()).toBe(true);
    expect((await kept(page)).user).toEqual({ loginInfo: {}, userInfo: { username: 'Nobody' } });
  });
});

describe('a failed query for the current user', () => {
  test('caused by the backend clears the user and is logged, but the token stays', async ({
    page,
    context,
    problems,
  }) => {
    problems.allow(/The current user could not be read|502.*queryLoginUser/);
    const token = await signIn(context, { user: { uid: '1', username: 'Broken' }, broken: true });
    const said = line(page, 'The current user could not be read.');
    await page.goto('/pricing');
    await mark(page);
    await said;
    expect(await isSignedIn(page)).toBe(false);
    expect(await page.locator('.bar-end > [data-login]').isVisible()).toBe(true);
    expect(await kept(page)).toEqual({ token, older: null, user: { loginInfo: { token }, userInfo: {} } });
    expect(await stored(page, 'loginSource')).toBeNull();
    await settle(page);
    expect([path(page), await isMarked(page)]).toEqual(['/pricing', true]);
  });

  test.for(['token', 'jwt_token'])(
    'because the session of the %s is over: one 401 clears it, and the visitor stays on the page',
    async (key, { page, context, problems, console }) => {
      problems.allow(/The current user could not be read|401.*queryLoginUser/);
      const token = tokenOf({ user: { uid: '1', username: `Over ${key}` }, dead: true });
      await store(context, {
        [key]: token,
        'user-store': JSON.stringify({ userInfo: { uid: '1', username: 'Over' } }),
      });
      const said = line(page, 'The current user could not be read.');
      await page.goto('/pricing');
      await mark(page);
      await said;
      expect(await kept(page)).toEqual(nobody);
      expect(await page.locator('.bar-end > [data-login]').isVisible()).toBe(true);
      expect(await stored(page, 'loginSource')).toBeNull();
      await follow(page, '/about');
      await page.waitForURL('**/about');
      expect(await isMarked(page)).toBe(true);
      // Not the call of the previous page, which may still be running.
      const recorded = page.waitForResponse(
        (answer) => answer.url().endsWith(calls.addViewLog) && answer.request().postDataJSON().uri === '/why',
      );
      await page.goto('/why');
      await (await recorded).finished();
      await settle(page);
      expect(path(page)).toBe('/why');
      const asked = (await console.seen(calls.queryLoginUser)).filter((call) => call.token === token);
      expect(asked).toHaveLength(1);
    },
  );

  test('does not clear a token that was stored meanwhile', async ({ page, context, problems }) => {
    problems.allow(/The current user could not be read|401.*queryLoginUser/);
    const user = { uid: '2', username: 'Newer' };
    await signIn(context, { user: { uid: '1', username: 'Older' }, dead: true });
    const query = await hold(page, `**${calls.queryLoginUser}`);
    const asked = page.waitForRequest(`**${calls.queryLoginUser}`);
    const said = line(page, 'The current user could not be read.');
    await page.goto('/pricing');
    await asked;
    const newer = tokenOf({ user });
    await page.evaluate(
      ([token, store]) => {
        localStorage.setItem('token', token);
        localStorage.setItem('user-store', store);
      },
      [newer, JSON.stringify({ loginInfo: {}, userInfo: user })] as const,
    );
    query.release();
    await said;
    expect(await kept(page)).toEqual({ token: newer, older: null, user: { loginInfo: {}, userInfo: user } });
  });

  const ways: Record<string, (page: Page) => Promise<unknown>> = {
    'the page is shown again': (page) => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange'))),
    'the next page is shown': (page) => follow(page, '/about'),
  };
  test.for(Object.entries(ways))('is repeated when %s', async ([way, show], { page, context, problems, console }) => {
    problems.allow(/The current user could not be read|500/);
    const user = { uid: '1', username: `Patient when ${way}` };
    const token = await signIn(context, { user });
    const answer = `**${calls.queryLoginUser}`;
    await page.route(answer, (route) => route.fulfill({ status: 500, json: { success: false, code: 'BROKEN' } }));
    const said = line(page, 'The current user could not be read.');
    await page.goto('/pricing');
    await said;
    await mark(page);
    expect(await isSignedIn(page)).toBe(false);
    const again = line(page, 'The current user could not be read.');
    await show(page);
    await again;
    await page.unroute(answer);
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await eventually(() => page.locator('.account summary').innerText()).toBe(`Hello, ${user.username}`);
    expect(await isMarked(page)).toBe(true);
    // Once it is known there is no reason to ask.
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await follow(page, '/why');
    await page.waitForURL('**/why');
    await settle(page);
    const asked = (await console.seen(calls.queryLoginUser)).filter((call) => call.token === token);
    expect(asked).toHaveLength(1);
  });
});

describe('a 401 of another call', () => {
  test('clears token and user and leads to /login', async ({ page, context, problems }) => {
    problems.allow(/401.*listDownloadProduct/);
    await signIn(context, { user: { uid: '1', username: 'Ends' }, ends: true });
    await page.goto('/');
    await eventually(() => isSignedIn(page)).toBe(true);
    await download(page).click();
    await page.waitForURL('**/login');
    expect(await kept(page)).toEqual(nobody);
    expect(await stored(page, 'loginSource')).toBeNull();
    expect(await page.locator('.bar-end > [data-login]').isVisible()).toBe(true);
  });

  test('does not end the session that another tab has begun meanwhile', async ({ page, context, problems }) => {
    problems.allow(/401|The page view was not recorded/);
    await signIn(context, { user: { uid: '1', username: 'Older' } });
    const refused = Promise.withResolvers<void>();
    await page.route(`**${calls.addViewLog}`, async (route) => {
      await refused.promise;
      await route.fulfill({ status: 401 });
    });
    const said = line(page, 'The page view was not recorded.');
    const asked = page.waitForRequest(`**${calls.addViewLog}`);
    await page.goto('/pricing');
    await asked;
    await eventually(() => isSignedIn(page)).toBe(true);
    const newer = tokenOf({ user: { uid: '1', username: 'Newer' } });
    await page.evaluate((token) => localStorage.setItem('token', token), newer);
    refused.resolve();
    await said;
    await settle(page);
    expect([path(page), await isSignedIn(page), (await kept(page)).token]).toEqual(['/pricing', true, newer]);
  });

  test('on /login itself leads nowhere', async ({ page, context, problems }) => {
    problems.allow(/401|The page view was not recorded/);
    await signIn(context, { user: { uid: '1', username: 'There' } });
    await page.route(`**${calls.addViewLog}`, (route) => route.fulfill({ status: 401 }));
    const said = line(page, 'The page view was not recorded.');
    await page.goto('/login');
    await mark(page);
    await said;
    await eventually(() => isSignedIn(page)).toBe(false);
    expect((await kept(page)).token).toBeNull();
    await settle(page);
    expect([path(page), await isMarked(page)]).toEqual(['/login', true]);
  });
});

describe('the login check', () => {
  test.for([
    ['without a token', undefined],
    ['of a session that is over', { user: { uid: '1', username: 'Over' }, dead: true }],
  ] as const)('%s stores the requested action and leads to /login', async ([, bearer], { page, context, problems }) => {
    problems.allow(/401.*queryLoginUser|The current user could not be read/);
    if (bearer) await signIn(context, bearer);
    await page.goto('/');
    await download(page).click();
    await page.waitForURL('**/login');
    expect(await stored(page, 'loginSource')).toBe('download');
  });

  test('continues for a signed-in visitor', async ({ page, context }) => {
    await signIn(context, { user: { uid: '1', username: 'In' } });
    await page.goto('/');
    await download(page).click();
    await dialog(page).getByRole('tab').first().waitFor();
    expect(path(page)).toBe('/');
    expect(await stored(page, 'loginSource')).toBeNull();
  });

  test('opens the download dialog once on the home page after a sign-in for it', async ({ page, context }) => {
    const token = tokenOf({ user: { uid: '1', username: 'Flag' } });
    await store(context, { token, openDownloadModal: 'true' });
    await page.goto('/pricing');
    expect(await stored(page, 'openDownloadModal')).toBe('true');
    await follow(page, '/');
    await dialog(page).waitFor();
    expect(await stored(page, 'openDownloadModal')).toBeNull();
    const checked = page.waitForResponse(`**${calls.queryLoginUser}`);
    await page.reload();
    await (await checked).finished();
    await settle(page);
    expect(await dialog(page).count()).toBe(0);
  });
});

describe('logging out', () => {
  const cover = (page: Page) => page.getByRole('status').filter({ hasText: 'Loading' });

  test('shows a loading indicator, clears the session and leads to the home page', async ({ page, context }) => {
    await signIn(context, { user: { uid: '1', username: 'Leaver' } });
    await page.goto('/pricing');
    const call = await hold(page, '**/logout', 'fetch');
    await logout(page);
    await cover(page).waitFor();
    expect(await isSignedIn(page)).toBe(true);
    call.release();
    await page.waitForURL((url) => url.pathname === '/');
    expect(await kept(page)).toEqual(nobody);
    expect(await isSignedIn(page)).toBe(false);
    expect(await page.locator('.bar-end > [data-login]').isVisible()).toBe(true);
    expect(await cover(page).count()).toBe(0);
  });

  test('on the home page shows no indicator', async ({ page, context }) => {
    await signIn(context, { user: { uid: '1', username: 'Home' } });
    await page.goto('/');
    await mark(page);
    const call = await hold(page, '**/logout', 'fetch');
    const asked = page.waitForRequest('**/logout');
    await logout(page);
    await asked;
    expect(await cover(page).count()).toBe(0);
    call.release();
    // Home is loaded again.
    await eventually(() => isMarked(page)).toBe(false);
    expect([await kept(page), await isSignedIn(page), path(page)]).toEqual([nobody, false, '/']);
  });

  test('blocks mouse and keyboard while it waits', async ({ page, context }) => {
    await signIn(context, { user: { uid: '1', username: 'Patient' } });
    await page.goto('/pricing');
    const call = await hold(page, '**/logout', 'fetch');
    await logout(page);
    await cover(page).waitFor();
    const focused: unknown[] = [];
    for (const key of ['Tab', 'Tab', 'Tab', 'Shift+Tab', 'Shift+Tab']) {
      await page.keyboard.press(key);
      focused.push(
        await page.evaluate(() => {
          const at = document.activeElement;
          return at === document.body || at?.contains(document.querySelector('[role=status]')) ? '' : at?.textContent;
        }),
      );
    }
    expect(focused).toEqual(['', '', '', '', '']);
    await page.keyboard.press('Escape');
    await page.mouse.click(150, 35);
    await settle(page);
    expect([await cover(page).isVisible(), path(page)]).toEqual([true, '/pricing']);
    call.release();
    await page.waitForURL((url) => url.pathname === '/');
  });

  test.for(['/pricing', '/'])('sends one call for two clicks on %s', async (from, { page, context, console }) => {
    const token = await signIn(context, { user: { uid: '1', username: `Twice from ${from}` } });
    await page.goto(from);
    const call = await hold(page, '**/logout', 'fetch');
    const asked = page.waitForRequest('**/logout');
    await page.locator('.account [data-logout]').evaluate((button: HTMLElement) => {
      button.click();
      button.click();
    });
    await asked;
    // On the home page no busy indicator blocks a third press.
    await page.locator('.account [data-logout]').evaluate((button: HTMLElement) => button.click());
    call.release();
    await eventually(() => isSignedIn(page)).toBe(false);
    expect((await console.seen(calls.logout)).filter((one) => one.token === token)).toHaveLength(1);
  });

  test('that fails is logged, and the visitor stays signed in', async ({ page, context, problems }) => {
    problems.allow(/Logging out failed|502.*\/logout/);
    const user = { uid: '1', username: 'Stuck' };
    const token = await signIn(context, { user, stuck: true });
    await page.goto('/pricing');
    await mark(page);
    const call = await hold(page, '**/logout', 'fetch');
    const said = line(page, 'Logging out failed.');
    await logout(page);
    await cover(page).waitFor();
    call.release();
    await said;
    await eventually(() => cover(page).count()).toBe(0);
    expect([path(page), await isMarked(page), await isSignedIn(page)]).toEqual(['/pricing', true, true]);
    expect(await kept(page)).toEqual({ token, older: null, user: { loginInfo: { token }, userInfo: user } });
  });
});
