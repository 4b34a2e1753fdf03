import { constants, generateKeyPairSync, privateDecrypt } from 'node:crypto';
import type { Page, Route } from 'playwright';
import { describe, expect } from 'vitest';
import { isRecord } from '../../client/browser/json.ts';
import { type Call, calls } from '../../client/contract/calls.ts';
import { chunkOf } from './chunk.ts';
import { tokenOf } from './upstream.ts';
import { eventually, hold, loaded, settle, store, stored, test } from './visitor.ts';

const mail = 'ada@mail.example';
const password = 'correct horse battery staple';
const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
const token = tokenOf({ user: { uid: '7', username: 'Ada' } });
/** The script with the forms' behaviour, which is loaded on first use. */
const runForm = 'client/account/form/run-form.ts';

type Body = Record<string, unknown>;

/** Answers a call in place of the console; `hold` delays the answer. @returns the received bodies */
async function answer(page: Page, path: Call, data: object, status = 200, hold?: Promise<void>): Promise<Body[]> {
  const bodies: Body[] = [];
  await page.route(`**${path}`, async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    const body: unknown = JSON.parse(route.request().postData() ?? '{}');
    if (isRecord(body)) bodies.push(body);
    await hold;
    return route.fulfill({ status, json: 'code' in data ? { success: false, ...data } : { success: true, data } });
  });
  return bodies;
}

/** The server side of sealing: a key, and the password and nonce of a body. */
async function answerKey(page: Page): Promise<void> {
  const key = keys.publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  await answer(page, calls.getPublicKey, { key, kid: 'k1', nonce: 'once' });
}

function unseal(body: Body | undefined): unknown {
  const sealed = Buffer.from(String(body?.password), 'base64');
  const padding = constants.RSA_PKCS1_OAEP_PADDING;
  return JSON.parse(privateDecrypt({ key: keys.privateKey, padding, oaepHash: 'sha256' }, sealed).toString());
}

/** Opens a page and waits until the script handles its form. */
async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.locator('form[data-attached]').waitFor();
}

const error = (page: Page, name: string) => page.locator(`#${name}-error`);
const send = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function logIn(page: Page): Promise<void> {
  await page.getByLabel('E-mail', { exact: true }).fill(mail);
  await page.locator('#password').fill(password);
  await send(page, 'Log in').click();
}

test('a form sent before its script has loaded is sent once by it, with the password encrypted', async ({ page }) => {
  await answerKey(page);
  const sent = await answer(page, calls.login, { code: 'LATER', msg: 'Try it later.' });
  const asked: string[] = [];
  page.on('request', (request) => request.isNavigationRequest() && asked.push(request.method()));
  const script = await hold(page, chunkOf('client/account/form/attach.ts'));
  await page.goto('/login');
  await logIn(page);
  await page.locator('form[data-sent]').waitFor();
  script.release();
  await eventually(() => page.locator('.form-errors p').innerText()).toBe('Try it later.');
  expect(sent).toMatchObject([{ account: mail }]);
  expect(unseal(sent[0])).toEqual({ p: password, n: 'once' });
  expect(asked).toEqual(['GET']);
  expect(await page.getByLabel('E-mail', { exact: true }).inputValue()).toBe(mail);
});

describe('a fault', () => {
  test('names its field without `labels`, whose use crashes WebKitGTK once the page is replaced', async ({ page }) => {
    await page.addInitScript(() =>
      Object.defineProperty(HTMLInputElement.prototype, 'labels', {
        get() {
          throw new Error('The labels were asked for.');
        },
      }),
    );
    await open(page, '/login');
    await send(page, 'Log in').click();
    await eventually(() => page.locator('.form-errors a').allInnerTexts()).toEqual([
      'Please enter E-mail',
      'Please enter Password',
    ]);
  });

  test('is shown above the form and at each field before anything is sent', async ({ page }) => {
    await answerKey(page);
    const sent = await answer(page, calls.login, { code: 'LATER', msg: 'Try it later.' });
    await open(page, '/login');
    await page.getByLabel('E-mail', { exact: true }).fill('ada');
    await send(page, 'Log in').click();
    const summary = page.locator('.form-errors');
    await eventually(() => summary.locator('p').innerText()).toBe('Some fields need your attention.');
    expect(await summary.evaluate((shown) => shown === document.activeElement)).toBe(true);
    expect(await summary.locator('a').allInnerTexts()).toEqual([
      'E-mail is not a valid e-mail address',
      'Please enter Password',
    ]);
    await summary.getByRole('link', { name: 'Please enter Password' }).click();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('password');
    expect(await page.locator('#password').getAttribute('aria-describedby')).toBe('password-error');
    // Only the form without faults is sent.
    await logIn(page);
    await eventually(() => summary.locator('p').innerText()).toBe('Try it later.');
    expect(sent).toMatchObject([{ account: mail }]);
  });

  test('is shown when a field is left, and disappears as it is corrected', async ({ page }) => {
    await open(page, '/login');
    const field = page.getByLabel('E-mail', { exact: true });
    await field.focus();
    await loaded(page, runForm);
    await field.pressSequentially('ada');
    expect(await error(page, 'account').count()).toBe(0);
    await field.press('Tab');
    expect(await error(page, 'account').innerText()).toBe('E-mail is not a valid e-mail address');
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    await field.press('End');
    await field.pressSequentially('@mail.example');
    await error(page, 'account').waitFor({ state: 'detached' });
    expect(await field.getAttribute('aria-invalid')).toBeNull();
  });

  test.for([
    ['User name', ' ', 'userName', 'User name cannot be blank'],
    ['E-mail code', '12345x', 'verifyCode', 'Please enter the six digits of the code'],
    ['Password', 'short', 'password', 'Password must be at least 8 characters'],
    // Characters as people count them: for JavaScript these are ten.
    ['Password', '🔑🔑🔑🔑🔑', 'password', 'Password must be at least 8 characters'],
  ] as const)('%s: %o', async ([label, value, name, sentence], { page }) => {
    await open(page, '/register');
    const field = page.getByRole('textbox', { name: label, exact: true });
    await field.fill(value);
    await field.press('Tab');
    expect(await error(page, name).innerText()).toBe(sentence);
  });

  test('of a password that does not fit into its encryption is shown at its field', async ({ page }) => {
    await answerKey(page);
    const sent = await answer(page, calls.login, {});
    await open(page, '/login');
    await page.getByLabel('E-mail', { exact: true }).fill(mail);
    await page.locator('#password').fill('"'.repeat(120));
    await send(page, 'Log in').click();
    await eventually(() => error(page, 'password').innerText()).toMatch(/^The password is too long: at most 200 bytes/);
    expect(sent).toEqual([]);
  });

  test('from the server is shown at its field, and too many tries are reported', async ({ page, problems }) => {
    problems.allow(/status of 4|status 4|The form could not be sent/);
    await answerKey(page);
    await answer(page, calls.login, { code: 'FIELDS', msg: 'Look again.', fields: { account: 'Unknown.' } }, 400);
    await open(page, '/login');
    await logIn(page);
    await eventually(() => page.locator('.form-errors p').innerText()).toBe('Look again.');
    expect(await error(page, 'account').innerText()).toBe('Unknown.');
    await page.route(`**${calls.login}`, (route) =>
      route.request().method() === 'POST' ? route.fulfill({ status: 429, body: 'busy' }) : route.fallback(),
    );
    await send(page, 'Log in').click();
    await eventually(() => page.locator('.form-errors p').innerText()).toMatch(/^Too many tries\./);
    expect(await page.locator('#password').inputValue()).toBe(password);
  });

  test.for([
    [
      'an answer of 500',
      'answered with an error (500)',
      (route) => route.fulfill({ status: 500, body: '<h1>500</h1>' }),
    ],
    ['no answer', 'did not answer', (route) => route.abort()],
  ] as const satisfies [string, string, (route: Route) => Promise<void>][])(
    'in the form of %s is reported as such',
    async ([, what, failing], { page, problems }) => {
      problems.allow(/status of 500|status 500|ERR_FAILED|request failed|The form could not be sent/);
      await answerKey(page);
      await page.route(`**${calls.login}`, (route) =>
        route.request().method() === 'POST' ? failing(route) : route.fallback(),
      );
      await open(page, '/login');
      await logIn(page);
      const sentence = `The server ${what}. What you typed is still here; please try again.`;
      await eventually(() => page.locator('.form-errors p').innerText()).toBe(sentence);
      expect(await page.locator('#password').inputValue()).toBe(password);
    },
  );
});

describe('a code', () => {
  test('is sent to the typed address; another can be requested after the waiting time', async ({ page }) => {
    const sent = await answer(page, calls.sendCode, { resendAfterMs: 30_000 });
    await page.clock.install();
    await open(page, '/register');
    const button = page.locator('[data-send-code]');
    await button.click();
    expect(await error(page, 'email').innerText()).toBe('Please enter E-mail');
    await page.getByLabel('E-mail', { exact: true }).fill(mail);
    await page.clock.pauseAt(Date.now() + 3_600_000);
    await button.click();
    await eventually(() => button.innerText()).toBe('Again in 30 s');
    expect(sent).toEqual([{ email: mail, verifyType: 'EMAIL_VERIFY_CODE', verifyCodeType: 'REGISTER' }]);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('verifyCode');
    await page.clock.runFor(29_000);
    expect([await button.innerText(), await button.isDisabled()]).toEqual(['Again in 1 s', true]);
    await page.clock.runFor(1_000);
    expect([await button.innerText(), await button.isDisabled()]).toEqual(['Send code', false]);
    expect(sent).toHaveLength(1);
  });

  test('is requested once, by a button that keeps the focus while it waits', async ({ page }) => {
    const slow = Promise.withResolvers<void>();
    const sent = await answer(page, calls.sendCode, {}, 200, slow.promise);
    await open(page, '/register');
    await page.getByLabel('E-mail', { exact: true }).fill(mail);
    await send(page, 'Send code').focus();
    await page.keyboard.press('Enter');
    await eventually(() => sent.length).toBe(1);
    await page.keyboard.press('Enter');
    expect(await page.locator('[data-send-code]').evaluate((one) => one === document.activeElement)).toBe(true);
    slow.resolve();
    await eventually(() => page.locator('[data-send-code]').innerText()).toMatch(/^Again in/);
    await page.locator('[data-send-code]').dispatchEvent('click');
    await settle(page);
    expect(sent).toHaveLength(1);
  });

  test('does not take the focus if the visitor already types elsewhere', async ({ page }) => {
    const slow = Promise.withResolvers<void>();
    await answer(page, calls.sendCode, {}, 200, slow.promise);
    await open(page, '/register');
    await page.getByLabel('E-mail', { exact: true }).fill(mail);
    await send(page, 'Send code').click();
    await page.locator('#password').pressSequentially('corr');
    slow.resolve();
    await eventually(() => page.locator('[data-send-code]').innerText()).toMatch(/^Again in/);
    await page.keyboard.type('ect');
    expect(await page.locator('#password').inputValue()).toBe('correct');
  });

  test('that was not sent is reported and can be requested again at once', async ({ page, problems }) => {
    problems.allow(/The code was not sent/);
    await answer(page, calls.sendCode, { code: 'LATER', msg: 'Wait a day.' });
    await open(page, '/register');
    await page.getByLabel('E-mail', { exact: true }).fill(mail);
    await send(page, 'Send code').click();
    await eventually(() => error(page, 'verifyCode').innerText()).toBe('Wait a day.');
    await eventually(() => page.locator('p[aria-live]').innerText()).toBe('Wait a day.');
    expect(await send(page, 'Send code').isEnabled()).toBe(true);
    expect(await send(page, 'Send code').evaluate((one) => one === document.activeElement)).toBe(true);
  });
});

test.for([
  ['is unreachable', { abort: 'connectionrefused' }, 'did not answer'],
  ['answers with garbage', { status: 502, body: '<h1>Bad gateway' }, 'answered with an error (502)'],
] as const)(
  'if the server %s, code and form say so in our words and keep what was typed',
  async ([, fault, told], { page, problems }) => {
    problems.allow(/was not sent|could not be sent|ERR_CONNECTION_REFUSED|50\d/);
    const failing = (path: Call) =>
      page.route(`**${path}`, (route) => {
        if (route.request().method() !== 'POST') return route.fallback();
        return 'abort' in fault ? route.abort(fault.abort) : route.fulfill(fault);
      });
    await failing(calls.sendCode);
    await open(page, '/register');
    await page.getByLabel('E-mail', { exact: true }).fill(mail);
    await send(page, 'Send code').click();
    await eventually(() => error(page, 'verifyCode').innerText()).toBe('The code was not sent. Please try again.');
    expect(await send(page, 'Send code').isEnabled()).toBe(true);

    await answerKey(page);
    await open(page, '/login');
    await failing(calls.login);
    await logIn(page);
    await eventually(() => page.locator('.form-errors p').innerText()).toBe(
      `The server ${told}. What you typed is still here; please try again.`,
    );
    const typed = [page.getByLabel('E-mail', { exact: true }), page.locator('#password')].map((one) =>
      one.inputValue(),
    );
    expect(await Promise.all(typed)).toEqual([mail, password]);
    expect(await send(page, 'Log in').getAttribute('aria-disabled')).toBeNull();
  },
);

test('a press on a button hits it, even if the field that is left shows a fault', async ({ page }) => {
  await open(page, '/login');
  await page.getByLabel('E-mail', { exact: true }).fill('ada');
  await loaded(page, runForm);
  const place = (await send(page, 'Log in').boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await page.mouse.move(place.x + place.width / 2, place.y + place.height / 2);
  await page.mouse.down();
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  expect([await error(page, 'account').count(), await send(page, 'Log in').boundingBox()]).toEqual([0, place]);
  await page.mouse.up();
  await eventually(() => page.locator('.form-errors a').allInnerTexts()).toEqual([
    'E-mail is not a valid e-mail address',
    'Please enter Password',
  ]);
});

test('typed values are kept on the way to the terms and back, except password and code', async ({ page }) => {
  await open(page, '/register');
  await page.getByLabel('User name').fill('Ada');
  await page.getByLabel('E-mail', { exact: true }).fill(mail);
  await page.getByLabel('E-mail code').fill('123456');
  await page.getByLabel('Country').selectOption('PL');
  await page.locator('#password').fill(password);
  await send(page, 'Show').click();
  await page.locator('#password').pressSequentially('!');
  await page.locator('form a').first().click();
  await page.locator('form[data-attached]').waitFor({ state: 'detached' });
  await page.goBack();
  await page.locator('form[data-attached]').waitFor();
  const fields = ['userName', 'email', 'country', 'verifyCode', 'password'];
  const values = fields.map((name) => page.locator(`form [name=${name}]`).inputValue());
  expect(await Promise.all(values)).toEqual(['Ada', mail, 'PL', '', '']);
});

describe('single sign-on providers', () => {
  const ways = (page: Page) => page.getByRole('group', { name: 'Single sign-on' }).getByRole('link');

  test('with a valid address are offered by name, and a click stores which one', async ({ page }) => {
    await answer(page, calls.ssoType, {
      google: 'https://accounts.example/start?state=g1',
      sesame: 'https://sesame.example/start?state=s1',
      github: 'https://github.example/without-a-state',
      oidc: 'no address',
      number: 5,
    });
    await page.route('https://sesame.example/**', (route) => route.fulfill({ contentType: 'text/html', body: 'in' }));
    await open(page, '/login');
    await eventually(() => ways(page).allInnerTexts()).toEqual(['Continue with Google', 'Continue with sesame']);
    await ways(page).last().click();
    await page.waitForURL('https://sesame.example/**');
    await page.goto('/robots.txt');
    expect(await page.evaluate(() => sessionStorage.getItem('sso_state'))).toBe('s1');
  });

  test.for([[], null, { code: 'NONE', msg: 'None.' }])(
    'are not offered if the answer is %o',
    async (data, { page }) => {
      const answered = page.waitForResponse(`**${calls.ssoType}`);
      await page.route(`**${calls.ssoType}`, (route) =>
        route.fulfill({ json: data && 'code' in data ? { success: false, ...data } : { success: true, data } }),
      );
      await open(page, '/login');
      await (await answered).finished();
      await settle(page);
      expect(await page.getByRole('group', { name: 'Single sign-on' }).count()).toBe(0);
    },
  );
});

test('two clicks send a form once, with the password encrypted', async ({ page }) => {
  const gate = Promise.withResolvers<void>();
  await answerKey(page);
  const sent = await answer(page, calls.login, { token }, 200, gate.promise);
  await open(page, '/login');
  await logIn(page);
  await eventually(() => sent.length).toBe(1);
  await send(page, 'Log in').dispatchEvent('click');
  await send(page, 'Log in').dispatchEvent('click');
  gate.resolve();
  await page.waitForURL((url) => url.pathname === '/');
  expect(sent).toEqual([{ account: mail, loginType: 'PASSWORD', password: expect.any(String), kid: 'k1' }]);
  expect(unseal(sent[0])).toEqual({ p: password, n: 'once' });
});

test('a sign-up whose sign-in fails leads to the login page, since the account exists', async ({ page, problems }) => {
  problems.allow(/is not signed in|503/);
  await answerKey(page);
  const sent = await answer(page, calls.register, {});
  await page.route(`**${calls.login}`, (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 503 }) : route.fallback(),
  );
  await open(page, '/register');
  await page.getByLabel('User name').fill('Ada');
  await page.getByLabel('E-mail', { exact: true }).fill(mail);
  await page.getByLabel('E-mail code').fill('123456');
  await page.locator('#password').fill(password);
  await send(page, 'Sign up').click();
  await page.getByText('Your account is ready. Log in with it.').waitFor();
  expect(new URL(page.url()).pathname).toBe('/login');
  expect(sent).toHaveLength(1);
});

test.for([
  ['/register', 'Sign up', calls.register],
  ['/resetPwd', 'Set the new password', calls.resetPasswordUnlogin],
] as const)('%s, sent again after its answer was lost, signs in', async ([path, name, call], { page, problems }) => {
  problems.allow(/could not be sent|ERR_FAILED/);
  await answerKey(page);
  const signedIn = await answer(page, calls.login, { token });
  await open(page, path);
  let sent = 0;
  await page.route(`**${call}`, (route) => {
    sent += 1;
    // The first one counted: its code is used up.
    return sent === 1
      ? route.abort()
      : route.fulfill({ json: { success: false, code: 'BAD_CODE', msg: 'Not right.' } });
  });
  await page.getByLabel('E-mail', { exact: true }).fill(mail);
  await page.getByLabel('E-mail code').fill('123456');
  for (const field of await page.locator('form input[type=password]').all()) await field.fill(password);
  if (path === '/register') await page.getByLabel('User name').fill('Ada');
  await send(page, name).click();
  await page.getByText('did not answer').waitFor();
  await send(page, name).click();
  await page.waitForURL((url) => url.pathname === '/');
  expect(signedIn).toMatchObject([{ account: mail }]);
  expect(unseal(signedIn[0])).toEqual({ p: password, n: 'once' });
});

test('a sign-up sends the typed values and the campaign, and signs in', async ({ page, context }) => {
  await store(context, { kw_for_cc: 'cdc', source_for_cc: 'https://ads.example/', cc_info_collected: '1' });
  await answerKey(page);
  const sent = await answer(page, calls.register, {});
  const signedIn = await answer(page, calls.login, { token });
  await open(page, '/register');
  await page.getByLabel('User name').fill('Ada');
  await page.getByLabel('E-mail', { exact: true }).fill(mail);
  await page.getByLabel('E-mail code').fill('123456');
  await page.locator('#password').fill(password);
  await page.getByLabel('Country').selectOption('FR');
  await page.getByLabel(/may contact me/).check();
  await send(page, 'Sign up').click();
  await page.waitForURL((url) => url.pathname === '/');
  expect(sent).toEqual([
    {
      userName: 'Ada',
      email: mail,
      verifyCode: '123456',
      password: expect.any(String),
      kid: 'k1',
      company: '',
      country: 'FR',
      contactMe: true,
      src: 'https://ads.example/',
      keyword: 'cdc',
    },
  ]);
  expect(unseal(sent[0])).toEqual({ p: password, n: 'once' });
  expect(signedIn).toMatchObject([{ account: mail, loginType: 'PASSWORD' }]);
  expect(await stored(page, 'token')).toBe(token);
});

describe('the marketplace sign-up', () => {
  test('says where to start instead of showing a form if there is no purchase', async ({ page }) => {
    await page.goto('/registerFromMarket');
    const notice = page.locator('.form-column .notice', { hasText: 'Start in your marketplace account' });
    await notice.waitFor();
    expect(await page.locator('form').locator('visible=true').count()).toBe(0);
    await notice.getByRole('link', { name: 'sign up without a purchase' }).click();
    await page.waitForURL('**/register');
  });

  test('sends the reference from the response to the marketplace’s form', async ({ page }) => {
    await answerKey(page);
    const sent = await answer(page, calls.registerFromMarket, {});
    await answer(page, calls.login, { token });
    await open(page, '/registerFromMarket?ref=one-time-reference&marketplace=AWS');
    await page.getByLabel('User name').fill('Ada');
    await page.getByLabel('E-mail', { exact: true }).fill(mail);
    await page.getByLabel('E-mail code').fill('123456');
    await page.locator('#password').fill(password);
    await send(page, 'Sign up').click();
    await page.waitForURL((url) => url.pathname === '/');
    expect(sent).toMatchObject([{ marketplaceType: 'AWS', registerToken: 'one-time-reference', email: mail }]);
  });
});

describe('after the sign-in', () => {
  test.for([
    ['sign_in', '/'],
    ['try_cloud_free', '/console'],
    ['download', '/'],
  ] as const)('the visitor who came for %s is at %s', async ([source, path], { page, context }) => {
    await store(context, { loginSource: source });
    await answerKey(page);
    await answer(page, calls.login, { token });
    await page.route('**/console', (route) => route.fulfill({ contentType: 'text/html', body: 'the console' }));
    await open(page, '/login');
    await logIn(page);
    await page.waitForURL((url) => url.pathname === path);
    if (source === 'download') await page.getByRole('dialog', { name: 'Download' }).waitFor();
    // The cloud app has its own address.
    await page.goto('/robots.txt');
    expect(await stored(page, 'loginSource')).toBeNull();
  });

  test.for([
    ['/console/orders?order=7', '/console/orders'],
    ['//other.example/console', '/'],
    ['https://other.example/', '/'],
    ['/consoles', '/'],
  ] as const)('the visitor who wanted %s is led to %s', async ([wanted, path], { page, context, siteUrl }) => {
    await context.addInitScript((address) => sessionStorage.setItem('return_to', address), wanted);
    await answerKey(page);
    await answer(page, calls.login, { token });
    await page.route('**/console/orders?*', (route) => route.fulfill({ contentType: 'text/html', body: 'orders' }));
    await open(page, '/login');
    await logIn(page);
    await page.waitForURL((url) => url.pathname !== '/login');
    const { origin, pathname } = new URL(page.url());
    expect([origin, pathname]).toEqual([siteUrl, path]);
  });
});

test('a new password is sent when both fields agree, and the login page confirms it', async ({ page }) => {
  await answerKey(page);
  const sent = await answer(page, calls.resetPasswordUnlogin, {});
  await open(page, '/resetPwd');
  await page.getByLabel('E-mail', { exact: true }).fill(mail);
  await page.getByLabel('E-mail code').fill('123456');
  await page.getByLabel('New password', { exact: true }).fill(password);
  await page.getByLabel('New password, again').fill('another one');
  await send(page, 'Set the new password').click();
  await eventually(() => error(page, 'passwordAgain').innerText()).toBe('New password, again is not the same');
  await page.getByLabel('New password, again').fill(password);
  await send(page, 'Set the new password').click();
  await page.waitForURL('**/login');
  await eventually(() => page.locator('.notice[role=status]').innerText()).toBe(
    'Your new password is set. Log in with it.',
  );
  expect(sent).toHaveLength(1);
  expect(unseal(sent[0])).toEqual({ p: password, n: 'once' });
  await page.reload();
  await page.locator('form[data-attached]').waitFor();
  expect(await page.locator('.notice[role=status]').count()).toBe(0);
});

test('a password can be shown, and a new one is rated as weak or strong', async ({ page }) => {
  await open(page, '/register');
  const field = page.locator('#password');
  const strength = page.locator('.field-strength [role=status]');
  await field.fill('aaaaaaaa');
  await eventually(() => strength.innerText()).toBe('Weak');
  await field.fill(password);
  await eventually(() => strength.innerText()).toBe('Strong');
  await send(page, 'Show').click();
  expect(await field.getAttribute('type')).toBe('text');
  await send(page, 'Show').click();
  expect(await field.getAttribute('type')).toBe('password');
});

test('a form whose script does not load says so, and Retry loads it', async ({ page, problems }) => {
  problems.allow(/The form did not load|ERR_FAILED/);
  const script = chunkOf('client/account/form/attach.ts');
  const failed: string[] = [];
  page.on('requestfailed', (request) => failed.push(request.resourceType()));
  await page.route(script, (route) => route.abort('failed'));
  await page.goto('/login');
  await page.getByText('The form did not load.').waitFor();
  // Chromium 150 never retries a failed import.
  expect(failed).toEqual(['fetch']);
  await page.unroute(script);
  await page.getByRole('button', { name: 'Retry' }).click();
  await page.locator('form[data-attached]').waitFor();
  expect(await page.getByText('The form did not load.').count()).toBe(0);
});

describe('the behaviour of a form is loaded at the first sign of a visitor in it', () => {
  const file = chunkOf(runForm);

  /** Delays the part until the returned function is called. */
  async function held(page: Page): Promise<() => void> {
    const gate = Promise.withResolvers<void>();
    await page.route(file, async (route) => {
      await gate.promise;
      await route.continue();
    });
    return gate.resolve;
  }

  test('and not before; a form sent meanwhile is sent once, with all typed values', async ({ page }) => {
    let asked = 0;
    page.on('request', (request) => {
      if (request.url().endsWith(file.replace('**', ''))) asked += 1;
    });
    const release = await held(page);
    await answerKey(page);
    const sent = await answer(page, calls.login, { token });
    await open(page, '/login');
    await settle(page);
    expect(asked).toBe(0);
    const place = await send(page, 'Log in').boundingBox();
    const first = page.waitForRequest(file);
    await page.getByLabel('E-mail', { exact: true }).focus();
    await first;
    await logIn(page);
    await send(page, 'Log in').click();
    expect([asked, sent.length, new URL(page.url()).pathname]).toEqual([1, 0, '/login']);
    expect(await send(page, 'Log in').boundingBox()).toEqual(place);
    release();
    await page.waitForURL((url) => url.pathname === '/');
    expect(sent).toMatchObject([{ account: mail, loginType: 'PASSWORD' }]);
    expect(unseal(sent[0])).toEqual({ p: password, n: 'once' });
  });

  test('a field left and a code requested meanwhile are handled afterwards', async ({ page }) => {
    const release = await held(page);
    const sent = await answer(page, calls.sendCode, {});
    await open(page, '/register');
    await page.getByLabel('User name').fill(' ');
    await page.getByLabel('E-mail', { exact: true }).fill(mail);
    await page.locator('#password').fill('aaaaaaaa');
    await send(page, 'Send code').click();
    expect(await page.locator('.field-error').count()).toBe(0);
    release();
    await eventually(() => error(page, 'userName').innerText()).toBe('User name cannot be blank');
    await eventually(() => page.locator('[data-send-code]').innerText()).toMatch(/^Again in/);
    await eventually(() => page.locator('.field-strength [role=status]').innerText()).toBe('Weak');
    expect(sent).toEqual([{ email: mail, verifyType: 'EMAIL_VERIFY_CODE', verifyCodeType: 'REGISTER' }]);
  });

  test.for(['Retry', 'Log in'])(
    'if it does not load, a submitted form is sent by %s',
    async (name, { page, problems }) => {
      problems.allow(/The form did not load|ERR_FAILED/);
      await page.route(file, (route) => route.abort('failed'));
      await answerKey(page);
      const sent = await answer(page, calls.login, { token });
      await open(page, '/login');
      await logIn(page);
      // Each focused field has requested it: the last request has failed too.
      await settle(page);
      const asked = (await page.requests()).filter((request) => request.url().endsWith(file.slice(2)));
      await eventually(() => asked.filter((request) => !request.failure())).toEqual([]);
      await page.getByText('The form did not load.').waitFor();
      await page.unroute(file);
      expect(sent).toEqual([]);
      await send(page, name).click();
      await page.waitForURL((url) => url.pathname === '/');
      expect(sent).toHaveLength(1);
    },
  );

  test('also if the visitor was in it before it was ready', async ({ page }) => {
    const gate = Promise.withResolvers<void>();
    await page.route(chunkOf('client/account/form/attach.ts'), async (route) => {
      await gate.promise;
      await route.continue();
    });
    await page.goto('/login', { waitUntil: 'commit' });
    await page.getByLabel('E-mail', { exact: true }).fill(mail);
    const first = page.waitForRequest(file);
    gate.resolve();
    await first;
    expect(await page.getByLabel('E-mail', { exact: true }).inputValue()).toBe(mail);
  });
});
