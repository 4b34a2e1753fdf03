import type { Page } from 'playwright';
import { afterAll, beforeAll, expect } from 'vitest';
import type { RunningSite } from '../site.ts';
import { eventually, isMarked, mark } from '../visitor.ts';
import { type Account, signInAs, startOwnedSite } from './account.ts';
import { test } from './browser.ts';

let site: RunningSite;
let owner: Account;

beforeAll(async () => {
  ({ site, owner } = await startOwnedSite());
});
afterAll(() => site.stop());

const entry = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name, exact: true });
const shown = async (page: Page) => [
  await page.locator('.console-page h1').allTextContents(),
  await page.evaluate(() => scrollY),
];

async function scrollDown(page: Page, by: number): Promise<void> {
  const at = () => page.evaluate(() => scrollY);
  await eventually(async () => {
    await page.evaluate((y) => scrollTo(0, y), by);
    return at();
  }).toBe(by);
}

test('back and forward show each console page where it was left, however often, and its links work', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 560 });
  await signInAs(page.context(), owner);
  await page.goto(`${site.url}/console`);
  await mark(page);
  await entry(page, 'User center').click();
  // On a slow machine the page that is left would be scrolled otherwise.
  await eventually(() => shown(page)).toEqual([['User center'], 0]);
  await scrollDown(page, 150);
  await entry(page, 'Licences').click();
  await eventually(() => shown(page)).toEqual([['Licences'], 0]);
  await scrollDown(page, 120);
  for (let round = 0; round < 2; round += 1) {
    await page.goBack();
    await eventually(() => shown(page)).toEqual([['User center'], 150]);
    await page.goForward();
    await eventually(() => shown(page)).toEqual([['Licences'], 120]);
  }
  await page.goBack();
  await page.goBack();
  // The click that left it may have scrolled it.
  await eventually(() => shown(page)).toEqual([['Overview'], expect.any(Number)]);
  await entry(page, 'Orders').click();
  await eventually(() => shown(page)).toEqual([['Orders'], 0]);
  expect([await page.title(), await isMarked(page)]).toEqual(['Orders · Console', true]);
});

test('a page of the site that is opened from the console is loaded anew, and back shows the console', async ({
  page,
}) => {
  await signInAs(page.context(), owner);
  await page.goto(`${site.url}/console`);
  await entry(page, 'Orders').click();
  await eventually(() => shown(page)).toEqual([['Orders'], 0]);
  await mark(page);
  await page.getByRole('banner').getByRole('link', { name: 'Pricing' }).first().click();
  await page.waitForURL('**/pricing');
  expect(await isMarked(page)).toBe(false);
  await eventually(() => page.title()).toContain('Pricing');
  await page.goBack();
  await eventually(() => shown(page)).toEqual([['Orders'], 0]);
  expect(await page.title()).toBe('Orders · Console');
});
