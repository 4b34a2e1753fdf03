import type { Page } from 'playwright';
import { describe, expect } from 'vitest';
import { calls } from '../../client/contract/calls.ts';
import { chunkOf } from './chunk.ts';
import { tokenOf } from './upstream.ts';
import { eventually, goOffline, goOnline, isMarked, mark, openAnswered, signIn, test } from './visitor.ts';

const field = (page: Page) => page.getByRole('combobox', { name: 'Search documents and posts' });
const openSearch = (use: (page: Page) => Promise<unknown>) => ({
  path: '/about',
  use,
  failure: 'The search did not load.',
  shown: (page: Page) => field(page).waitFor(),
});

/** Parts that load on use, how a visitor uses each, and what is visible once it has loaded. */
const parts: Record<
  string,
  {
    path: string;
    use: (page: Page) => Promise<unknown>;
    failure: string;
    shown: (page: Page) => Promise<unknown>;
    /** Where it leads, if it leaves the page. */
    leadsTo?: string;
  }
> = {
  'the search, by /': openSearch((page) => page.keyboard.press('/')),
  'the search, by Ctrl-K': openSearch((page) => page.keyboard.press('Control+k')),
  'the search, by its button': openSearch((page) => page.locator('.bar [data-search]').click()),
  "'Was this page helpful'": {
    path: '/docs/intro/product_arch',
    use: (page) => page.getByRole('button', { name: 'Yes', exact: true }).click(),
    failure: 'Your answer could not be sent.',
    shown: (page) => page.getByText('Thank you, noted.').waitFor(),
  },
  'the filter of connectors': {
    path: '/connector',
    use: (page) => page.getByLabel('Name').fill('kafka'),
    failure: 'The filter did not load.',
    shown: (page) =>
      page
        .locator('#found')
        .getByText(/\d+ of \d+ tested connectors/)
        .waitFor(),
  },
  'the download dialog': {
    path: '/',
    use: (page) => page.locator('main [data-download]').click(),
    failure: 'The download dialog did not load.',
    shown: (page) => page.getByRole('dialog', { name: 'Download' }).waitFor(),
  },
  'logging out': {
    path: '/pricing',
    use: async (page) => {
      await page.locator('.account > summary').click();
      await page.getByRole('button', { name: 'Logout' }).click();
    },
    failure: 'Logging out failed.',
    shown: (page) => page.waitForURL((url) => url.pathname === '/'),
    leadsTo: '/',
  },
};

/** Two ways to be without the server; each returns a function that ends it. */
const ways: Record<string, (page: Page) => Promise<() => Promise<unknown>>> = {
  offline: async (page) => {
    await goOffline(page);
    return () => goOnline(page);
  },
  'with the server gone': async (page) => {
    await page.route('**/*', (route) => route.abort('connectionrefused'));
    return () => page.unroute('**/*');
  },
};

describe.each(Object.entries(ways))('%s', (way, lose) => {
  test.for(Object.entries(parts))(
    '%s keeps the page, with a message and a working Retry',
    async ([, { path, use, failure, shown, leadsTo }], { page, context, problems }) => {
      problems.allow(/ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_REFUSED|did not load|could not be|Logging out failed/);
      await signIn(context, { user: { uid: '1', username: 'Ada' } });
      // The requests that every page sends on its own are answered first.
      await openAnswered(page, path, calls.queryLoginUser);
      await page.waitForLoadState('networkidle');
      await mark(page);
      const before = await page.locator('main h1').innerText();
      const find = await lose(page);
      await use(page);

      const notice = page.locator('body > .retry');
      const retry = notice.getByRole('button', { name: 'Retry' });
      await notice.waitFor();
      const sentence = way === 'offline' ? `You are offline. ${failure}` : failure;
      expect(await notice.getByRole('paragraph').innerText()).toBe(sentence);
      expect([await isMarked(page), new URL(page.url()).pathname]).toEqual([true, path]);
      expect(await page.locator('main h1').innerText()).toBe(before);

      // It fails again: there is one text, and the keyboard reaches Retry again.
      await notice.evaluate((one) => one.setAttribute('data-first', ''));
      await retry.press('Enter');
      await eventually(() => page.locator('body > .retry:not([data-first])').count()).toBe(1);
      expect(await notice.count()).toBe(1);
      expect(await retry.evaluate((one) => one === document.activeElement)).toBe(true);

      await find();
      await retry.press('Enter');
      await shown(page);
      await eventually(() => notice.count()).toBe(0);
      if (leadsTo === undefined) expect([await isMarked(page), new URL(page.url()).pathname]).toEqual([true, path]);
    },
  );
});

test('the message can be closed, and disappears with the page', async ({ page, problems }) => {
  problems.allow(/ERR_FAILED|The search did not load/);
  await page.route(chunkOf('client/search/search-dialog.ts'), (route) => route.abort());
  await page.goto('/about');
  const notice = page.locator('body > .retry');
  await page.keyboard.press('/');
  await notice.getByRole('button', { name: 'Close' }).click();
  expect(await notice.count()).toBe(0);
  await page.keyboard.press('/');
  await notice.waitFor();
  await page.locator('.footer').getByRole('link', { name: 'Pricing' }).click();
  await page.waitForURL('**/pricing');
  expect(await notice.count()).toBe(0);
});

test('the reading tools load when the visitor is online again', async ({ page, problems }) => {
  problems.allow(/ERR_INTERNET_DISCONNECTED|The reading tools did not load/);
  await openAnswered(page, '/docs/openCenter/openApi/openapi_common');
  // They are also loaded without use.
  await page.getByRole('tab').first().waitFor();
  await goOffline(page);
  const said: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  // The script may not listen yet when the pointer moves for the first time.
  let moves = 0;
  await eventually(async () => {
    await page.mouse.move(200, 300 + moves++);
    return said.some((text) => text.startsWith('The reading tools did not load.'));
  }).toBe(true);
  expect(await page.locator('.code-tools').count()).toBe(0);
  await goOnline(page);
  // The page's own event may come before the network.
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await eventually(() => page.locator('.code-tools').count()).toBeGreaterThan(0);
});

test('a style sheet that does not load keeps the page, too', async ({ page, problems }) => {
  problems.allow(/ERR_FAILED|The search did not load/);
  await page.route(/styles_search[^/]*\.css$/, (route) => route.abort());
  await page.goto('/about');
  await mark(page);
  await page.keyboard.press('/');
  await page.locator('body > .retry').waitFor();
  await page.unroute(/styles_search[^/]*\.css$/);
  await page.getByRole('button', { name: 'Retry' }).click();
  await field(page).waitFor();
  expect(await isMarked(page)).toBe(true);
});

test.for(['a script', 'a style sheet'])(
  'an updated site has other files, so Retry loads the page: %s',
  async (kind, { page, problems }) => {
    problems.allow(/status (of )?404|The search did not load/);
    const files = kind === 'a script' ? chunkOf('client/search/search-dialog.ts') : /styles_search[^/]*\.css$/;
    // The site's script creates it.
    const started = page.locator('[aria-live=polite]');
    await page.route(files, (route) => route.fulfill({ status: 404, body: '' }));
    await page.goto('/about');
    await mark(page);
    await started.waitFor({ state: 'attached' });
    await page.keyboard.press('/');
    const notice = page.locator('body > .retry');
    await notice.getByText('The site has been updated').waitFor();
    expect(await isMarked(page)).toBe(true);
    await page.unroute(files);
    const loaded = page.waitForEvent('load');
    await notice.getByRole('button', { name: 'Retry' }).click();
    await loaded;
    expect(await isMarked(page)).toBe(false);
    await started.waitFor({ state: 'attached' });
    await page.keyboard.press('/');
    await field(page).waitFor();
  },
);

test('a single sign-on whose script does not load can be retried', async ({ page, context, problems }) => {
  problems.allow(/ERR_FAILED|The sign-in could not be finished/);
  await context.addInitScript(() => sessionStorage.setItem('sso_state', 'mine'));
  const chunk = chunkOf('client/account/single-sign-on.ts');
  await page.route(chunk, (route) => route.abort());
  const token = tokenOf({ user: { uid: '3', username: 'Sso' } });
  await page.goto(`/loading?state=mine&code=${encodeURIComponent(token)}`);
  const notice = page.getByRole('alert');
  await notice.waitFor();
  expect(await notice.innerText()).toContain('The sign-in could not be finished.');
  await page.unroute(chunk);
  await notice.getByRole('button', { name: 'Retry' }).click();
  await page.waitForURL((url) => url.pathname === '/');
});
