import type { Page } from 'playwright';
import { describe, expect } from 'vitest';
import { test } from './browser.ts';
import { chunkOf } from './chunk.ts';
import { eventually, follow, hold, isMarked, loaded, mark, settle, stopClock } from './visitor.ts';

const name = (page: Page) => page.getByLabel('Name');
const kind = (page: Page) => page.getByLabel('Kind');
const side = (page: Page) => page.getByLabel('Side');
const shown = (page: Page) => page.locator('#found .connector');
const tested = (page: Page) => page.locator('#found .connector-tested');
const count = (page: Page) => page.locator('.connector-count strong').innerText();
const query = (page: Page) => new URL(page.url()).search;
const announced = (page: Page) => page.locator('[aria-live=polite]').textContent();
const fields = async (page: Page) => [
  await name(page).inputValue(),
  await kind(page).inputValue(),
  await side(page).inputValue(),
];

/** The list as the server sends it for the current address, loaded in a separate page. */
async function served(page: Page): Promise<string[]> {
  const fresh = await page.context().newPage();
  await fresh.goto(page.url());
  const list = await shown(fresh).allInnerTexts();
  await fresh.close();
  return list;
}

describe.each([390, 1280])('the connector filter, %i px', (width) => {
  test('narrows the list while typing and choosing, and updates the address without a full load', async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/connector');
    await mark(page);
    const all = await shown(page).count();
    await name(page).pressSequentially('my');
    await eventually(() => query(page)).toBe('?q=my');
    expect(await shown(page).count()).toBeLessThan(all);
    expect(await shown(page).allInnerTexts()).toEqual(await served(page));
    // The field keeps caret and focus.
    await page.keyboard.type('sql');
    await eventually(() => query(page)).toBe('?q=mysql');
    expect(await name(page).inputValue()).toBe('mysql');

    await side(page).selectOption('As a source');
    await eventually(() => query(page)).toBe('?q=mysql&role=source');
    await kind(page).selectOption('Database');
    await eventually(() => query(page)).toBe('?q=mysql&kind=database&role=source');
    expect(await shown(page).count()).toBeGreaterThan(0);
    expect(await shown(page).allInnerTexts()).toEqual(await served(page));
    await name(page).fill('');
    await kind(page).selectOption('All kinds');
    await side(page).selectOption('Source or target');
    await eventually(() => query(page)).toBe('');
    await eventually(() => shown(page).count()).toBe(all);
    expect(await isMarked(page)).toBe(true);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  });

  test('shows the number of results, and announces it to screen readers', async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/connector');
    const all = await tested(page).count();
    expect(all).toBeGreaterThan(0);
    expect(await count(page)).toBe(`${all} tested connectors, planned ones below`);
    await name(page).fill('postgresql');
    await eventually(() => count(page)).toMatch(/ of /);
    expect(await tested(page).count()).toBe(1);
    expect(await count(page)).toBe(`1 of ${all} tested connectors, planned ones below`);
    await eventually(() => announced(page)).toBe(`1 of ${all} tested connectors, planned ones below`);
    await name(page).fill('');
    await eventually(() => announced(page)).toBe(`${all} tested connectors, planned ones below`);
  });

  test('says when nothing matches, and offers ways out', async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/connector');
    await mark(page);
    const all = await shown(page).count();
    const counted = await tested(page).count();
    await kind(page).selectOption('Cache');
    await name(page).fill('no-such-engine');
    await page.getByRole('heading', { name: 'No connector fits these filters.' }).waitFor();
    await eventually(() => announced(page)).toBe(`0 of ${counted} tested connectors`);
    expect(await shown(page).count()).toBe(0);
    await page.getByRole('link', { name: 'Remove “no-such-engine” and keep the rest' }).click();
    await eventually(() => query(page)).toBe('?kind=cache');
    await eventually(() => fields(page)).toEqual(['', 'cache', '']);
    expect(await shown(page).count()).toBeGreaterThan(0);
    await page.getByRole('link', { name: 'Clear' }).click();
    await eventually(() => query(page)).toBe('');
    await eventually(() => fields(page)).toEqual(['', '', '']);
    expect(await shown(page).count()).toBe(all);
    expect(await isMarked(page)).toBe(true);
  });
});

describe('history', () => {
  test('back and forward restore the narrowed list; typing adds no entries', async ({ page }) => {
    await page.goto('/about');
    await mark(page);
    await follow(page, '/connector');
    await page.waitForURL('**/connector');
    const entries = await page.evaluate(() => history.length);
    await name(page).pressSequentially('kafka');
    await side(page).selectOption('As a target');
    await eventually(() => query(page)).toBe('?q=kafka&role=target');
    expect(await page.evaluate(() => history.length)).toBe(entries);
    const narrowed = await shown(page).allInnerTexts();
    await follow(page, '/why');
    await page.waitForURL('**/why');
    await page.goBack();
    await page.waitForURL('**/connector?q=kafka&role=target');
    await eventually(() => fields(page)).toEqual(['kafka', '', 'target']);
    expect(await shown(page).allInnerTexts()).toEqual(narrowed);
    await page.goBack();
    await page.waitForURL('**/about');
    await page.locator('#found').waitFor({ state: 'detached' });
    await page.goForward();
    await eventually(() => fields(page)).toEqual(['kafka', '', 'target']);
    expect(await isMarked(page)).toBe(true);
  });

  test('the button adds an entry, and a reload shows the same', async ({ page }) => {
    await page.goto('/connector');
    await mark(page);
    // Before the first change nothing is loaded, so the button is first.
    await kind(page).evaluate((select: HTMLSelectElement) => {
      select.value = 'cache';
    });
    await page.getByRole('button', { name: 'Show' }).click();
    await page.waitForURL('**/connector?kind=cache');
    await eventually(() => fields(page)).toEqual(['', 'cache', '']);
    expect(await isMarked(page)).toBe(true);
    const list = await shown(page).allInnerTexts();
    await page.goBack();
    await eventually(() => query(page)).toBe('');
    await eventually(() => fields(page)).toEqual(['', '', '']);
    await page.goForward();
    // The browser restores the fields when it reloads.
    await eventually(() => fields(page)).toEqual(['', 'cache', '']);
    await page.reload();
    expect(await fields(page)).toEqual(['', 'cache', '']);
    expect(await shown(page).allInnerTexts()).toEqual(list);
  });
});

test('the filter works by keyboard alone: type, choose, open an entry', async ({ page }) => {
  await page.goto('/connector');
  await name(page).focus();
  await page.keyboard.type('kafka');
  await eventually(() => query(page)).toBe('?q=kafka');
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowDown');
  const chosen = await kind(page).inputValue();
  expect(chosen).not.toBe('');
  await eventually(() => query(page)).toBe(`?q=kafka&kind=${chosen}`);
  await page.keyboard.press('ArrowUp');
  await eventually(() => query(page)).toBe('?q=kafka');
  await name(page).focus();
  await page.keyboard.press('Enter');
  await eventually(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
  await page.locator('#found details summary').first().focus();
  await page.keyboard.press('Enter');
  expect(await shown(page).first().locator('details[open]').count()).toBe(1);
});

describe('late and missing responses', () => {
  test('a response for deleted letters is dropped', async ({ page }) => {
    await page.clock.install();
    await page.goto('/connector');
    await stopClock(page);
    const all = await count(page);
    const enter = async (letters: string) => {
      await name(page).fill(letters);
      // The field's script is loaded with the first letter; then wait out the pause after typing.
      await loaded(page, 'client/filter/narrow.ts');
      await page.clock.runFor(1000);
    };
    const held = await hold(page, '**/connector?q=kafka', 'xhr');
    const asked = page.waitForRequest('**/connector?q=kafka');
    await enter('kafka');
    const answered = (await asked).response();
    await enter('');
    held.release();
    await (await answered)?.finished();
    await settle(page);
    expect([await count(page), query(page)]).toEqual([all, '']);
  });

  test('the newer of two responses is shown', async ({ page }) => {
    await page.goto('/connector');
    const held = await hold(page, '**/connector?q=kafka', 'xhr');
    const asked = page.waitForRequest('**/connector?q=kafka');
    await name(page).fill('kafka');
    const answered = (await asked).response();
    await name(page).fill('redis');
    await eventually(() => query(page)).toBe('?q=redis');
    const list = await shown(page).allInnerTexts();
    held.release();
    await (await answered)?.finished();
    await settle(page);
    expect([query(page), await shown(page).allInnerTexts()]).toEqual(['?q=redis', list]);
  });

  test('a failed response leaves the list, and the next letter works', async ({ page, problems }) => {
    problems.allow(/50\d|could not be filtered/);
    await page.goto('/connector');
    const all = await shown(page).count();
    await page.route('**/connector?q=kaf', (route) =>
      route.fulfill({ status: 503, contentType: 'text/html', body: '<p>busy' }),
    );
    await name(page).fill('kaf');
    await page.getByText('The list could not be filtered.').waitFor();
    expect(await shown(page).count()).toBe(all);
    await page.keyboard.type('k');
    await eventually(() => query(page)).toBe('?q=kafk');
    expect(await shown(page).count()).toBeLessThan(all);
  });

  test('a failure is shown with Retry, but not after leaving the page', async ({ page, problems }) => {
    problems.allow(/ERR_FAILED|could not be filtered/);
    await page.goto('/connector');
    const notice = page.locator('body > .retry');
    await page.route('**/connector?q=kafka', (route) => route.abort('failed'));
    await name(page).fill('kafka');
    await notice.getByText('The list could not be filtered.').waitFor();
    await page.unroute('**/connector?q=kafka');
    await notice.getByRole('button', { name: 'Retry' }).click();
    await eventually(() => query(page)).toBe('?q=kafka');
    expect(await notice.count()).toBe(0);

    const gate = Promise.withResolvers<void>();
    await page.route('**/connector?q=redis', async (route) => {
      await gate.promise;
      await route.abort('failed');
    });
    const asked = page.waitForRequest('**/connector?q=redis');
    await name(page).fill('redis');
    await asked;
    await follow(page, '/about');
    await page.waitForURL('**/about');
    const failed = page.waitForEvent('requestfailed');
    gate.resolve();
    await failed;
    await settle(page);
    expect([await notice.count(), new URL(page.url()).pathname]).toEqual([0, '/about']);
  });

  test('without the script, the button still filters', async ({ page, problems }) => {
    problems.allow(/ERR_FAILED|The filter did not load/);
    await page.route(chunkOf('client/filter/narrow.ts'), (route) => route.abort());
    await page.goto('/connector');
    await name(page).fill('kafka');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/connector?q=kafka');
    await eventually(() => count(page)).toMatch(/ of /);
  });
});
