import type { BrowserContext, Page } from 'playwright';
import { describe, expect } from 'vitest';
import { isRecord } from '../../client/browser/json.ts';
import { calls } from '../../client/contract/calls.ts';
import { tokenOf } from './upstream.ts';
import { eventually, settle, signIn, store, stored, test } from './visitor.ts';

/** Name, length and repetition of each animation in the spinner. */
const turning = (page: Page) =>
  page.locator('main .spinner').evaluate((spinner) =>
    spinner
      .getAnimations({ subtree: true })
      .map((one) => (one instanceof CSSAnimation ? [one.animationName, one.effect?.getTiming().duration] : []))
      .map(String)
      .sort(),
  );

describe.each([390, 1280])('the loading page, %i px', (width) => {
  test('shows a spinner with cycles of 1.5 s and 3 s, and says that it loads', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await page.setViewportSize({ width, height: 800 });
    const response = await page.goto('/loading');
    expect(response?.status()).toBe(200);
    expect(await turning(page)).toEqual(['race,1500', 'race,1500', 'wheel,3000']);
    const spinner = await page.locator('main .spinner').boundingBox();
    expect([spinner?.width, spinner?.height]).toEqual([64, 64]);
    expect(await page.getByRole('status').filter({ hasText: 'Loading' }).locator('h1').innerText()).toBe('Loading');
    expect(await page.locator('meta[name=robots]').getAttribute('content')).toBe('noindex');
    // The visitor can continue without waiting.
    await page.locator('main').getByRole('link', { name: 'Log in' }).click();
    await page.waitForURL('**/login');
  });
});

test('the spinner stands still for visitors who want less motion', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/loading');
  expect(await turning(page)).toEqual([]);
  expect(await page.locator('main .spinner').isVisible()).toBe(true);
});

describe('the response of an identity provider', () => {
  test.for([
    'code=secret-1&state=secret-2',
    'accessToken=secret-1&state=secret-2&kw=secret-3&bd_vid=secret-4',
    'error=access_denied&error_description=secret-1&state=secret-2',
  ])('?%s leaves nothing in storage or records', async (query, { context, page, console }) => {
    const kw = `loading ${query.length}`;
    await store(context, { kw_for_cc: kw });
    await page.goto(`/loading?${query}`);
    const mine = async () =>
      (await console.seen(calls.addViewLog)).filter(({ body }) => isRecord(body) && body.kw === kw);
    await eventually(async () => (await mine()).length).toBe(1);
    expect((await mine())[0]?.body).toMatchObject({ uri: '/loading', vbId: '' });
    expect(JSON.stringify(await mine())).not.toContain('secret');
    const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
    expect(kept).toContain(kw);
    expect(kept).not.toContain('secret');
    expect(await stored(page, 'cc_info_collected')).toBeNull();
  });

  test('keeps a signed-in visitor signed in', async ({ context, page }) => {
    const token = await signIn(context, { user: { uid: '7', username: 'Ada' } });
    const checked = page.waitForResponse(`**${calls.queryLoginUser}`);
    await page.goto('/loading?state=1');
    await (await checked).finished();
    await settle(page);
    expect(await stored(page, 'token')).toBe(token);
    expect(await page.locator('.bar .account').innerText()).toBe('Hello, Ada');
  });
});

describe('a single sign-on that this tab started', () => {
  const user = { uid: '8', username: 'Grace' };
  const answer = (token: string) => `/loading?state=started-here&code=${encodeURIComponent(token)}`;
  const start = (context: BrowserContext) =>
    context.addInitScript(() => {
      if (!sessionStorage.getItem('asked')) sessionStorage.setItem('sso_state', 'started-here');
      sessionStorage.setItem('asked', '1');
    });

  test('signs the visitor in and goes home', async ({ context, page, console }) => {
    await start(context);
    // With the provider's own address, so that the server can tell providers apart.
    await page.goto(`${answer(tokenOf({ user }))}&iss=${encodeURIComponent('https://accounts.example')}`);
    await page.waitForURL((url) => url.pathname === '/');
    await page.locator('.bar span[data-greeting]', { hasText: 'Hello, Grace' }).waitFor();
    expect(await stored(page, 'token')).toBe(tokenOf({ user }));
    expect(await stored(page, 'user-store')).toContain('"expiresAt"');
    expect((await console.seen(calls.auth)).at(-1)?.body).toEqual({
      state: 'started-here',
      code: tokenOf({ user }),
      iss: 'https://accounts.example',
    });
    // Back leads to the page where the sign-in began, not into the sign-in again.
    expect(await page.evaluate(() => sessionStorage.getItem('sso_state'))).toBeNull();
  });

  test.for([
    ['download', '/', true],
    ['try_cloud_free', '/login', false],
  ] as const)('with the label %s it leads to %s', async ([label, path, opens], { context, page }) => {
    await start(context);
    await store(context, { loginSource: label });
    await page.goto(answer(tokenOf({ user })));
    // Without its own accounts the site leads the cloud app's visitors to the sign-in page.
    await page.waitForURL((url) => url.pathname === path);
    if (opens) await page.locator('dialog[open]').waitFor();
    // The cloud app may have another origin, and therefore another storage.
    await page.goto('/about');
    expect(await stored(page, 'loginSource')).toBeNull();
  });

  test('shows a message if the server does not accept it', async ({ context, page, problems }) => {
    problems.allow(/The single sign-on could not be finished/);
    await start(context);
    await page.goto(answer('no token'));
    const alert = page.getByRole('alert');
    expect(await alert.innerText()).toContain('You are not signed in\n\nRefused.');
    expect(await stored(page, 'token')).toBeNull();
    await alert.getByRole('link', { name: 'Log in' }).click();
    await page.waitForURL('**/login');
  });

  test('that the provider refused is reported without a call, and its response counts once', async ({
    context,
    page,
  }) => {
    await start(context);
    let asked = 0;
    page.on('request', (request) => {
      if (new URL(request.url()).pathname === calls.auth) asked += 1;
    });
    await page.goto('/loading?state=started-here&error=access_denied&code=1');
    const alert = page.getByRole('alert');
    await alert.getByText('The identity provider refused the sign-in.').waitFor();
    await page.reload();
    await alert.getByText('This sign-in was not started in this tab.').waitFor();
    expect(asked).toBe(0);
  });

  test('shows a message if the server is unreachable', async ({ context, page, problems }) => {
    problems.allow(/ERR_CONNECTION_REFUSED|The single sign-on could not be finished/);
    await start(context);
    await page.route(`**${calls.auth}`, (route) => route.abort('connectionrefused'));
    await page.goto(answer('any'));
    const alert = page.getByRole('alert');
    await alert.getByText('The server did not accept the sign-in, or could not be reached.').waitFor();
    expect(await stored(page, 'token')).toBeNull();
  });

  test('sends an access token in place of a code', async ({ context, page }) => {
    await start(context);
    const bodies: unknown[] = [];
    await page.route(`**${calls.auth}`, (route) => {
      bodies.push(route.request().postDataJSON());
      return route.fulfill({ json: { success: true, data: { token: tokenOf({ user }) } } });
    });
    await page.goto('/loading?state=started-here&accessToken=a1');
    await page.waitForURL((url) => url.pathname === '/');
    expect(bodies).toEqual([{ state: 'started-here', accessToken: 'a1' }]);
  });

  test('asks for an e-mail address if the response says so, also after a reload', async ({
    context,
    page,
    problems,
  }) => {
    problems.allow(/The single sign-on could not be finished/);
    await start(context);
    let asked = 0;
    await page.route(`**${calls.auth}`, (route) => {
      asked += 1;
      const data = { requestId: 'r1', email: 7 };
      return route.fulfill({ json: { success: false, code: 'PROFILE_NEEDED', msg: 'Tell us.', data } });
    });
    await page.goto(answer('any'));
    const field = page.getByLabel('E-mail', { exact: true });
    const isFocused = () => field.evaluate((one) => one === document.activeElement);
    for (const again of [false, true]) {
      if (again) await page.reload();
      await eventually(isFocused).toBe(true);
      expect([await field.inputValue(), asked]).toEqual(['', 1]);
    }
    // Data stored for another sign-in, or broken data, is not used for this one.
    for (const kept of ['{', '[]', '{"state":"another","requestId":"r2","email":"b@mail.example"}']) {
      await page.evaluate((text) => sessionStorage.setItem('sso_profile', text), kept);
      await page.reload();
      await page.getByRole('alert').getByText('This sign-in was not started in this tab.').waitFor();
    }
  });
});

test('a single sign-on that another tab started is refused without a call', async ({ page, console }) => {
  const token = tokenOf({ user: { uid: '9' } });
  await page.goto(`/loading?state=foreign&code=${encodeURIComponent(token)}`);
  expect(await page.getByRole('alert').innerText()).toContain('was not started in this tab');
  expect(await stored(page, 'token')).toBeNull();
  const answers = (await console.seen(calls.auth)).map(({ body }) => isRecord(body) && body.code);
  expect(answers).not.toContain(token);
});
