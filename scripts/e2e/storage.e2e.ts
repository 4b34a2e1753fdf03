import type { BrowserContext, Page } from 'playwright';
import { describe, expect } from 'vitest';
import { calls } from '../../client/contract/calls.ts';
import { tokenOf } from './upstream.ts';
import { eventually, isMarked, mark, store, test } from './visitor.ts';

/** As in browsers whose visitor has blocked storage: the getters themselves throw. */
const blocked = () => {
  for (const name of ['localStorage', 'sessionStorage']) {
    Object.defineProperty(window, name, {
      get() {
        throw new DOMException('Access is denied for this document.', 'SecurityError');
      },
    });
  }
};

/** Storage without room for another character; the contents of `values` were there before and can be read. */
const full = (values: Record<string, string>) => {
  if (!localStorage.getItem('test-was-here')) {
    for (const [key, value] of Object.entries({ ...values, 'test-was-here': '1' })) localStorage.setItem(key, value);
  }
  Storage.prototype.setItem = () => {
    throw new DOMException('Setting the value exceeded the quota.', 'QuotaExceededError');
  };
};

const faults: [name: string, (context: BrowserContext) => Promise<unknown>][] = [
  ['blocked', (context) => context.addInitScript(blocked)],
  ['full', (context) => context.addInitScript(full, {})],
];

/** Every warning of the page's console so far. */
function warningsOf(page: Page): string[] {
  const warnings: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'warning') warnings.push(message.text());
  });
  return warnings;
}

const warning = 'Browser storage is not available: choices last until the page is closed.';
const path = (page: Page) => new URL(page.url()).pathname;
const isMobile = (page: Page) => (page.viewportSize()?.width ?? 0) < 996;
const menu = (page: Page) => page.locator('.mobile-menu > summary');
const theme = (page: Page) => page.evaluate(() => document.documentElement.dataset.theme);
const barTop = (page: Page) => page.locator('.bar').evaluate((bar) => bar.getBoundingClientRect().top);

const password = 'correct horse battery staple';
const typed: Record<string, Record<string, string>> = {
  login: { account: 'ada@site.example', password },
  register: { userName: 'Ada', email: 'ada@site.example', verifyCode: '123456', password },
};

describe.each(faults)('if storage is %s', (_name, provoke) => {
  test.for([390, 1280])(
    'navigation, menu, theme, announcement and search work, with one warning, %i px',
    async (width, { page, context }) => {
      await provoke(context);
      const warnings = warningsOf(page);
      await page.setViewportSize({ width, height: 800 });
      await page.goto('/');
      await mark(page);

      const bar = page.locator('.bar');
      if (isMobile(page)) await menu(page).click();
      await bar.getByText('Product', { exact: true }).locator('visible=true').click();
      await bar.getByRole('link', { name: 'Connectors' }).click();
      await page.waitForURL('**/connector');

      if (isMobile(page)) await menu(page).click();
      else await page.locator('.bar .theme > summary').click();
      await bar.getByRole('button', { name: 'Dark' }).click();
      expect(await theme(page)).toBe('dark');
      expect(await page.locator('[data-theme-choice=dark]').first().getAttribute('aria-pressed')).toBe('true');
      await page.keyboard.press('Escape');

      await page.getByRole('button', { name: 'Close the announcement' }).click();
      expect(await barTop(page)).toBe(0);

      await page.locator('.footer').getByRole('link', { name: 'Pricing' }).click();
      await page.waitForURL('**/pricing');
      await page.goBack();
      await page.waitForURL('**/connector');
      // The page appears later than its address, and anything opened before that closes with the previous page.
      await page.locator('form[data-filter]').waitFor();
      expect([await theme(page), await barTop(page)]).toEqual(['dark', 0]);

      await page.keyboard.press('/');
      const box = page.getByRole('combobox', { name: 'Search documents and posts' });
      const options = page.locator('#SearchResults').getByRole('option');
      await box.fill('mysql');
      await eventually(() => options.count()).toBeGreaterThan(1);
      await page.keyboard.press('Enter');
      await page.waitForURL((url) => url.pathname !== '/connector');
      await page.keyboard.press('/');
      await box.fill('');
      // Kept as long as the document.
      await eventually(() => options.allInnerTexts()).toEqual(['mysql']);
      await page.keyboard.press('Escape');

      if (isMobile(page)) await menu(page).click();
      await bar.getByRole('link', { name: 'Log In', exact: true }).click();
      await page.waitForURL('**/login');
      expect(await isMarked(page)).toBe(true);
      expect(warnings).toEqual([warning]);
    },
  );

  test('the page view is recorded, and Try Cloud Free leads to the cloud app', async ({ page, context }) => {
    await provoke(context);
    const warnings = warningsOf(page);
    const recorded = page.waitForResponse(`**${calls.addViewLog}`);
    await page.goto('/pricing?bd_vid=7&kw=cdc');
    expect((await recorded).status()).toBe(204);
    // In this document the campaign is known nevertheless.
    expect((await recorded).request().postDataJSON()).toMatchObject({ vbId: '7', kw: 'cdc', uri: '/pricing' });
    expect(warnings).toEqual([warning]);
    await page.locator('.bar-end').getByRole('link', { name: 'Try Cloud Free' }).click();
    await page.waitForURL('http://localhost:*/**');
  });

  test('signing in and up say what to allow, and send nothing', async ({ page, context }) => {
    await provoke(context);
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') sent.push(new URL(request.url()).pathname);
    });
    for (const form of ['login', 'register']) {
      await page.goto(`/${form}`);
      await page.locator('form[data-attached]').waitFor();
      for (const [name, value] of Object.entries(typed[form] ?? {}))
        await page.locator(`input[name=${name}]`).fill(value);
      await page.locator('form[data-attached] button[type=submit]').click();
      await page.locator('main').getByText('Allow cookies and site data for this site').waitFor();
      expect(path(page)).toBe(`/${form}`);
    }
    expect(sent.filter((call) => call === calls.login || call === calls.register)).toEqual([]);
  });

  test('a download leads a visitor without a session to the login page', async ({ page, context, problems }) => {
    problems.allow(/401.*queryLoginUser/);
    await provoke(context);
    const warnings = warningsOf(page);
    await page.goto('/');
    await page.locator('main').getByRole('link', { name: 'Download' }).click();
    await page.waitForURL('**/login');
    await page.locator('h1').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.waitForLoadState('networkidle');
    // One for each of the two documents.
    expect(warnings).toEqual([warning, warning]);
  });
});

test('if storage is full, the download dialog works for a signed-in visitor', async ({ page, context }) => {
  await context.addInitScript(full, { token: tokenOf({ user: { uid: '1', username: 'No room' } }) });
  const warnings = warningsOf(page);
  await page.goto('/');
  await eventually(() => page.locator('.account summary').innerText()).toBe('Hello, No room');
  await page.locator('main').getByRole('link', { name: 'Download' }).click();
  const dialog = page.getByRole('dialog', { name: 'Download' });
  await dialog.getByRole('button', { name: 'x86-64' }).click();
  await dialog.getByText('wget https://files.example').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await eventually(() => page.getByRole('dialog').count()).toBe(0);

  // A session can be ended: removing needs no room.
  await page.locator('.account > summary').click();
  await page.getByRole('button', { name: 'Logout' }).click();
  await eventually(() => page.evaluate(() => localStorage.getItem('token'))).toBeNull();
  expect(path(page)).toBe('/');
  await eventually(() => page.locator('.bar-end > [data-login]').isVisible()).toBe(true);
  expect(warnings.slice(0, 1)).toEqual([warning]);
});

/** Older visits, other software or a full disk may have left arbitrary data. */
const damaged = [
  '',
  '{',
  'null',
  '5',
  '"text"',
  '[]',
  '[null,5,{}]',
  '{"userInfo":5,"loginInfo":[]}',
  '{"userInfo":null}',
];

test.for(damaged)(
  'stored values of %o are ignored: page, account, tabs, search and scrolling work',
  async (value, { page, context }) => {
    const names = ['user-store', 'recent-searches', 'tabs', 'theme', 'announcement', 'loginSource'];
    const token = tokenOf({ user: { uid: '1', username: 'Whole' } });
    await store(context, { ...Object.fromEntries(names.map((name) => [name, value])), token });
    await page.goto('/docs/faq/solve_db_connect_fail');
    await eventually(() => page.locator('.account summary').innerText()).toBe('Hello, Whole');
    expect([await theme(page), await page.locator('.announcement').isVisible()]).toEqual([undefined, true]);
    await eventually(() => page.getByRole('tab', { selected: true }).allInnerTexts()).toEqual(['MySQL']);
    await page.getByRole('tab', { name: 'Oracle' }).click();

    await page.keyboard.press('/');
    const box = page.getByRole('combobox', { name: 'Search documents and posts' });
    await box.waitFor();
    expect(await page.locator('#SearchResults').getByRole('option').count()).toBe(0);
    await box.fill('mysql');
    await eventually(() => page.locator('#SearchResults').getByRole('option').count()).toBeGreaterThan(1);
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname !== '/docs/faq/solve_db_connect_fail');

    await page.evaluate((text) => addEventListener('pagehide', () => sessionStorage.setItem('scroll', text)), value);
    await page.goto('/docs/faq/solve_db_connect_fail');
    await eventually(() => page.getByRole('tab', { selected: true }).allInnerTexts()).toEqual(['Oracle']);
    await mark(page);
    await page.locator('.footer').getByRole('link', { name: 'Pricing' }).click();
    await page.waitForURL('**/pricing');
    expect(await isMarked(page)).toBe(true);
  },
);
