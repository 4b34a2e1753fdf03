import type { Page } from 'playwright';
import { describe, expect } from 'vitest';
import { calls } from '../../client/contract/calls.ts';
import { test } from './browser.ts';
import { chunkOf } from './chunk.ts';
import {
  entryScript,
  eventually,
  goOffline,
  goOnline,
  hold,
  isMarked,
  mark,
  settle,
  stopClock,
  stored,
} from './visitor.ts';

const box = (page: Page) => page.getByRole('dialog', { name: 'Search' });
const field = (page: Page) => box(page).getByRole('combobox');
const options = (page: Page) => box(page).getByRole('option');
const status = (page: Page) => box(page).getByRole('status').textContent();
const button = (page: Page) => page.locator('.bar').getByRole('link', { name: 'Search' });
const isOpen = async (page: Page) => (await box(page).count()) === 1;
const found = (page: Page) => options(page).locator('strong').allTextContents();
const selected = (page: Page) =>
  options(page).evaluateAll((all) => all.flatMap((one, at) => (one.ariaSelected === 'true' ? [at] : [])));

/** How much of an option is hidden: under the field and its line, or past the bottom of the box or the window. */
const hidden = (page: Page, at: number) =>
  options(page)
    .nth(at)
    .evaluate((one) => {
      const option = one.getBoundingClientRect();
      const frame = one.closest('dialog')?.getBoundingClientRect();
      const above = document.querySelector('.search-status')?.getBoundingClientRect();
      return [
        ...(option.top < (above?.bottom ?? 0) - 0.5 ? ['top'] : []),
        ...(option.bottom > Math.min(frame?.bottom ?? 0, innerHeight) + 0.5 ? ['bottom'] : []),
      ];
    });

async function open(page: Page, path = '/about'): Promise<void> {
  await page.goto(path);
  await mark(page);
  await button(page).click();
  await field(page).waitFor();
}

async function ask(page: Page, words: string): Promise<void> {
  const answered = page.waitForResponse((response) => response.url().endsWith(`?q=${encodeURIComponent(words)}`));
  await field(page).fill(words);
  await (await answered).finished();
  // The previous results may still be shown.
  await settle(page);
  await eventually(() => status(page)).toMatch(/ results?$|^Nothing/);
}

describe('opening', () => {
  /** Ctrl-K with Caps Lock on. */
  const capitalK = (page: Page) =>
    page.evaluate(() =>
      document.activeElement?.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'K', ctrlKey: true, bubbles: true, cancelable: true }),
      ),
    );

  test('loads nothing before the box is used', async ({ page }) => {
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto('/docs/intro/product_intro');
    // A visitor who reads, moves and presses other keys.
    await page.mouse.move(300, 300);
    await page.keyboard.press('PageDown');
    await page.locator('.code-tools, .copy-page').first().waitFor();
    await page.waitForLoadState('networkidle');
    const chunk = chunkOf('client/search/search-dialog.ts').slice(2);
    const ofSearch = () => asked.filter((path) => path === chunk || /search/.test(path));
    expect(ofSearch()).toEqual([]);
    await page.keyboard.press('/');
    await field(page).waitFor();
    await eventually(ofSearch).toContain(chunk);
    await ask(page, 'mysql');
    expect(ofSearch()).toContain('/search.json');
  });

  test.for([390, 1280])(
    'works by button and keys; Escape closes at once and returns the focus, %i px',
    async (width, { page }) => {
      await page.setViewportSize({ width, height: 800 });
      await page.goto('/pricing');
      const link = page.locator('.bar a').first();
      for (const key of ['/', 'Control+k', 'Meta+k', 'capital K', 'Enter']) {
        const origin = key === 'Enter' ? button(page) : link;
        await origin.focus();
        await (key === 'capital K' ? capitalK(page) : page.keyboard.press(key));
        await field(page).waitFor();
        expect([key, await field(page).evaluate((one) => one === document.activeElement)]).toEqual([key, true]);
        const fits = await box(page).evaluate((one) => {
          const { left, right, top } = one.getBoundingClientRect();
          return left >= 0 && right <= innerWidth && top >= 0 && document.documentElement.scrollWidth <= innerWidth;
        });
        expect(fits).toBe(true);
        await field(page).fill('mysql');
        await page.keyboard.press('Escape');
        expect([key, await isOpen(page)]).toEqual([key, false]);
        expect([key, await origin.evaluate((one) => one === document.activeElement)]).toEqual([key, true]);
      }
      expect(new URL(page.url()).pathname).toBe('/pricing');
    },
  );

  test('starts with what was typed before the box had loaded', async ({ page }) => {
    await page.goto('/docs/intro/product_intro');
    const chunk = await hold(page, chunkOf('client/search/search-dialog.ts'));
    await page.keyboard.press('/');
    await page.keyboard.type('a/b my');
    chunk.release();
    await field(page).waitFor();
    expect(await field(page).inputValue()).toBe('a/b my');
    await page.keyboard.type('sql');
    expect(await field(page).inputValue()).toBe('a/b mysql');
    // Reopened, it has the last words selected for typing over, and none of the early input.
    await page.keyboard.press('Escape');
    // Nothing had the focus before: it leaves the closed box with the next frame, and until then keys still go there.
    await eventually(() => page.evaluate(() => document.activeElement?.localName)).toBe('body');
    await page.keyboard.press('/');
    await page.keyboard.type('kafka');
    expect(await field(page).inputValue()).toBe('kafka');
  });

  test("starts with what was typed before the page's script had arrived", async ({ page }) => {
    const script = await hold(page, entryScript);
    const asked = page.waitForRequest(entryScript);
    await page.goto('/pricing', { waitUntil: 'domcontentloaded' });
    await asked;
    // In a field it is a character like any other.
    await page.locator('[data-island] input').first().focus();
    await page.keyboard.press('/');
    await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
    await page.keyboard.press('k');
    await page.keyboard.type('/post/gre');
    script.release();
    await eventually(() => field(page).inputValue()).toBe('post/gre');
    await options(page).first().waitFor();
    // From then on the script itself listens.
    await page.keyboard.press('Escape');
    await eventually(() => page.evaluate(() => document.activeElement?.localName)).toBe('body');
    await page.keyboard.press('/');
    await eventually(() => isOpen(page)).toBe(true);
  });

  test('with a modifier key leads to the search page in another tab', async ({ page, context }) => {
    await page.goto('/about');
    const opened = context.waitForEvent('page');
    await button(page).click({ modifiers: ['ControlOrMeta'] });
    await (await opened).waitForURL('**/search');
    expect(await isOpen(page)).toBe(false);
  });

  test('after a click outside shows the last words, selected for typing over', async ({ page }) => {
    await open(page);
    await ask(page, 'heartbeat');
    const before = await found(page);
    await page.mouse.click(10, 700);
    await eventually(() => isOpen(page)).toBe(false);
    // So does the button in it, for visitors without a keyboard or room beside the box.
    await page.keyboard.press('/');
    await box(page).getByRole('button', { name: 'Close' }).click();
    await eventually(() => isOpen(page)).toBe(false);
    await page.keyboard.press('/');
    await eventually(() => found(page)).toEqual(before);
    const chosen = await field(page).evaluate((one: HTMLInputElement) =>
      one.value.slice(one.selectionStart ?? 0, one.selectionEnd ?? 0),
    );
    expect(chosen).toBe('heartbeat');
    await page.keyboard.type('zzzzqqq');
    await eventually(() => status(page)).toBe('Nothing was found for “zzzzqqq”.');
  });

  test('does not happen on a slash in a field or on browser shortcuts', async ({ page }) => {
    await page.goto('/connector');
    // From now on the box is loaded: a key that opens it would do so at once.
    await page.keyboard.press('Control+k');
    await field(page).press('/');
    expect(await field(page).inputValue()).toBe('/');
    await page.keyboard.press('Escape');
    for (const [at, key] of [
      ['#filter-q', '/'],
      ['#filter-kind', '/'],
      ...['Control+/', 'Alt+/', 'Control+Shift+k', 'Control+Alt+k', 'k'].map((key) => ['.bar a', key] as const),
    ] as const) {
      await page.locator(at).first().press(key);
      await settle(page);
      expect([at, key, await isOpen(page)]).toEqual([at, key, false]);
    }
    expect(await page.getByLabel('Name').inputValue()).toBe('/');
    // A field of the page does not prevent the box from opening.
    await page.getByLabel('Name').press('Control+k');
    await eventually(() => isOpen(page)).toBe(true);
  });
});

describe('results', () => {
  test('mark the words, match their starts, forgive a typo and lead to headings', async ({ page }) => {
    await open(page);
    await ask(page, 'heartbeat');
    const count = await options(page).count();
    expect(count).toBeGreaterThan(2);
    expect(await status(page)).toBe(`${count} results`);
    const words = await options(page).locator('mark').allTextContents();
    expect(words.length).toBeGreaterThan(0);
    for (const word of words) expect(word.toLowerCase()).toContain('heartbeat');
    const whole = await found(page);
    await ask(page, 'heartbea');
    expect(await found(page)).toEqual(expect.arrayContaining(whole.slice(0, 1)));
    await ask(page, 'hearbeat');
    expect(await found(page)).toEqual(expect.arrayContaining(whole.slice(0, 1)));

    await ask(page, 'how much it takes');
    const option = options(page).filter({ hasText: 'Architecture › How much it takes' });
    expect(await option.getAttribute('href')).toBe('/docs/intro/product_arch#how-much-it-takes');
    await option.click();
    await page.waitForURL('**/docs/intro/product_arch#how-much-it-takes');
    expect(await isOpen(page)).toBe(false);
    expect(await isMarked(page)).toBe(true);
    await eventually(() => page.evaluate(() => document.activeElement?.id)).toBe('how-much-it-takes');
  });

  test('that fill the list are called the first 20', async ({ page }) => {
    await open(page);
    await ask(page, 'replication');
    expect([await options(page).count(), await status(page)]).toEqual([20, 'The first 20 results']);
    await page.goto('/search?q=replication');
    expect(await page.locator('main .eyebrow').first().textContent()).toBe('The first 20 results for “replication”');
  });

  test('are stepped through in a ring with arrow keys, and Enter opens one', async ({ page }) => {
    await open(page);
    await ask(page, 'mysql');
    const last = (await options(page).count()) - 1;
    for (const [key, at] of [
      ['', 0],
      ['ArrowDown', 1],
      ['ArrowDown', 2],
      ['ArrowUp', 1],
      ['ArrowUp', 0],
      ['ArrowUp', last],
      ['ArrowDown', 0],
      ['ArrowDown', 1],
    ] as const) {
      if (key) await page.keyboard.press(key);
      expect(await selected(page)).toEqual([at]);
      const active = await field(page).getAttribute('aria-activedescendant');
      expect(await options(page).nth(at).getAttribute('id')).toBe(active);
      expect([key, at, await hidden(page, at)]).toEqual([key, at, []]);
    }
    const href = await options(page).nth(1).getAttribute('href');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${href}`);
    expect(await isOpen(page)).toBe(false);
  });

  test.for([
    [1280, 800],
    [390, 844],
    [844, 390],
  ] as const)('are in view when selected, down and up, %i × %i px', async ([width, height], { page }) => {
    await page.setViewportSize({ width, height });
    await open(page);
    await ask(page, 'mysql');
    const frame = await box(page).boundingBox();
    expect((frame?.y ?? 0) + (frame?.height ?? 0)).toBeLessThanOrEqual(height);
    const last = (await options(page).count()) - 1;
    const steps = [
      ...Array.from({ length: last }, (_, at) => at + 1),
      ...Array.from({ length: last }, (_, at) => last - 1 - at),
    ];
    let before = 0;
    for (const at of steps) {
      await page.keyboard.press(at > before ? 'ArrowDown' : 'ArrowUp');
      before = at;
      expect([at, await selected(page), await hidden(page, at)]).toEqual([at, [at], []]);
    }
    expect(await field(page).isVisible()).toBe(true);
  });

  test.for([
    ['postgers', 'postgres'],
    ['kakfa', 'kafka'],
    ['clickhosue', 'clickhouse'],
  ] as const)('forgive two swapped letters: %s has the first result of %s', async ([typed, meant], { page }) => {
    await open(page);
    await ask(page, meant);
    const [wanted] = await found(page);
    expect(wanted).toBeTruthy();
    await ask(page, typed);
    expect((await found(page))[0]).toBe(wanted);
  });

  test('that are outdated are not opened: Enter before the response leads to the search page', async ({ page }) => {
    await open(page);
    await ask(page, 'mysql');
    const held = await hold(page, '**/search.json?q=heartbeat');
    await field(page).fill('heartbeat');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/search?q=heartbeat');
    held.release();
    expect(await page.locator('main .results a').count()).toBeGreaterThan(2);
    expect(await isMarked(page)).toBe(true);
  });

  test('are not affected by keys that an input method still needs', async ({ page }) => {
    await open(page);
    await ask(page, 'mysql');
    for (const key of ['Enter', 'ArrowDown', 'Escape'])
      await field(page).dispatchEvent('keydown', { key, isComposing: true, bubbles: true, cancelable: true });
    // Safari's Enter that ends the composition: the composition has ended by then, only its code tells.
    await field(page).dispatchEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true, cancelable: true });
    await settle(page);
    expect([await isOpen(page), await selected(page), new URL(page.url()).pathname]).toEqual([true, [0], '/about']);
  });

  test('that are empty are reported, and Enter leads to the search page', async ({ page }) => {
    await open(page);
    await ask(page, 'zzzzqqq');
    expect(await status(page)).toBe('Nothing was found for “zzzzqqq”.');
    expect(await options(page).count()).toBe(0);
    expect(await field(page).getAttribute('aria-expanded')).toBe('false');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/search?q=zzzzqqq');
    expect(await page.locator('main').innerText()).toContain('Nothing was found for “zzzzqqq”');
    expect(await page.getByRole('searchbox').inputValue()).toBe('zzzzqqq');
  });

  test('are preceded by at most five recent searches, newest first', async ({ page }) => {
    await open(page);
    expect(await status(page)).toMatch(/^Titles, headings/);
    // As long as nothing is found yet, Enter leads to the search page.
    const held = await hold(page, '**/search.json*');
    for (const words of ['binlog', 'kafka', 'redis', 'oracle', 'mysql', 'kafka', 'hana']) {
      await field(page).fill(words);
      await page.keyboard.press('Enter');
      await page.waitForURL(`**/search?q=${words}`);
      await page.keyboard.press('Control+k');
      await field(page).waitFor();
    }
    held.release();
    await field(page).fill('');
    expect(await status(page)).toBe('Recent searches');
    const recent = ['hana', 'kafka', 'mysql', 'oracle', 'redis'];
    expect(await options(page).allTextContents()).toEqual(recent);
    expect(await stored(page, 'recent-searches')).toBe(JSON.stringify(recent));
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    expect(await field(page).inputValue()).toBe('kafka');
    await eventually(() => status(page)).toMatch(/ results$/);
  });
});

describe('faults', () => {
  test('a failed response offers Retry, and the next key works', async ({ page, problems }) => {
    problems.allow(/500/);
    await open(page);
    let fails = true;
    await page.route('**/search.json*', (route) =>
      fails ? route.fulfill({ status: 500, body: '<h1>500</h1>' }) : route.continue(),
    );
    const alert = box(page).getByRole('alert');
    await field(page).fill('mysql');
    await alert.waitFor();
    expect(await alert.innerText()).toContain('The search did not answer.');
    expect(await options(page).count()).toBe(0);
    const again = page.waitForResponse('**/search.json*');
    await alert.getByRole('button', { name: 'Retry' }).click();
    await eventually(() => field(page).evaluate((one) => one === document.activeElement)).toBe(true);
    await (await again).finished();
    await settle(page);
    expect(await alert.count()).toBe(1);
    fails = false;
    await alert.getByRole('button', { name: 'Retry' }).click();
    await eventually(() => status(page)).toMatch(/ results$/);
    expect(await alert.count()).toBe(0);

    fails = true;
    await page.keyboard.type(' x');
    await alert.waitFor();
    fails = false;
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Backspace');
    await eventually(() => status(page)).toMatch(/ results$/);
    expect(await alert.count()).toBe(0);
  });

  test('an index that is still being built is reported in the server’s words, with Retry', async ({
    page,
    problems,
  }) => {
    problems.allow(/503/);
    await open(page);
    const msg = 'The search is still being prepared. Please try again in a moment.';
    await page.route('**/search.json*', (route) =>
      route.fulfill({ status: 503, json: { success: false, code: 'SEARCH_NOT_READY', msg } }),
    );
    const alert = box(page).getByRole('alert');
    await field(page).fill('mysql');
    await alert.waitFor();
    expect(await alert.getByRole('paragraph').innerText()).toBe(msg);
    await page.unroute('**/search.json*');
    await alert.getByRole('button', { name: 'Retry' }).click();
    await eventually(() => status(page)).toMatch(/ results$/);
  });

  test.for([
    ['no list', { results: 'many' }, []],
    ['no object', ['a'], []],
    [
      'broken entries',
      {
        results: [
          null,
          { title: 'No address', section: 's', excerpt: [] },
          { title: 'No text', href: '/', section: 's', excerpt: [{ mark: true }] },
          { title: 'Whole', href: '/about', section: 's', excerpt: [{ text: 'w' }] },
        ],
      },
      ['Whole'],
    ],
  ] as const)('the intact part of a response with %s is shown', async ([, json, titles], { page }) => {
    await open(page);
    await page.route('**/search.json*', (route) => route.fulfill({ json }));
    await ask(page, 'mysql');
    expect(await found(page)).toEqual(titles);
    expect(await box(page).getByRole('alert').count()).toBe(0);
  });

  test('a search without a response ends after 10 s, with Retry', async ({ page }) => {
    await page.clock.install();
    await open(page);
    await stopClock(page);
    const held = await hold(page, '**/search.json?q=mysql');
    const asked = page.waitForRequest('**/search.json?q=mysql');
    await field(page).fill('mysql');
    await asked;
    const alert = box(page).getByRole('alert');
    await page.clock.runFor(9_999);
    expect(await alert.count()).toBe(0);
    await page.clock.runFor(1);
    await alert.waitFor();
    expect(await alert.getByRole('paragraph').innerText()).toBe('The search did not answer.');
    held.release();
    await alert.getByRole('button', { name: 'Retry' }).click();
    await eventually(() => status(page)).toMatch(/ results$/);
  });

  test('the box says that the visitor is offline', async ({ page, problems }) => {
    problems.allow(/ERR_INTERNET_DISCONNECTED/);
    // The requests that every page sends on its own are answered first.
    const recorded = page.waitForResponse(`**${calls.addViewLog}`);
    await open(page);
    await (await recorded).finished();
    await goOffline(page);
    await field(page).fill('mysql');
    const alert = box(page).getByRole('alert');
    await alert.waitFor();
    expect(await alert.getByRole('paragraph').innerText()).toBe('You are offline, so the search did not answer.');
    await goOnline(page);
    await alert.getByRole('button', { name: 'Retry' }).click();
    await eventually(() => status(page)).toMatch(/ results$/);
  });

  test('a late response does not replace a newer one', async ({ page }) => {
    await open(page);
    const slow = await hold(page, '**/search.json?q=kafka');
    await field(page).fill('kafka');
    await ask(page, 'zzzzqqq');
    slow.release();
    // A second request has been answered: so has the first.
    await page.evaluate(async () => (await fetch('/search.json?q=kafka')).text());
    expect([await status(page), await found(page)]).toEqual(['Nothing was found for “zzzzqqq”.', []]);
  });
});
