import type { Page } from 'playwright';
import { expect } from 'vitest';
import { test } from './browser.ts';
import { entryScript, eventually, follow, goOnline, hold, isMarked, mark, openAnswered, settle } from './visitor.ts';

/** Style-sheet files that a page requests, in order. */
function watchStyles(page: Page): string[] {
  const files: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'stylesheet') files.push(new URL(request.url()).pathname);
  });
  return files;
}

/** Names of the files whose rules the document has, inline and as links. */
const stylesOf = (page: Page) =>
  page.evaluate(() => ({
    inside: (document.querySelector('style')?.dataset.files ?? '').split(' '),
    linked: Array.from(document.querySelectorAll('link[rel=stylesheet]'), (link) => link.getAttribute('href')),
  }));

const size = (page: Page, selector: string) =>
  page.locator(selector).evaluate((one) => getComputedStyle(one).fontSize + getComputedStyle(one).display);

test('style sheets are inline in the first page, and later only missing ones are loaded as files', async ({
  page,
  context,
}) => {
  const asked = watchStyles(page);
  await page.goto('/docs/intro/product_intro');
  await mark(page);
  const first = await stylesOf(page);
  expect(first.inside.length).toBeGreaterThan(3);
  expect([first.linked, asked]).toEqual([[], []]);

  const answer = page.waitForResponse('**/pricing');
  await follow(page, '/pricing');
  await page.waitForURL('**/pricing');
  const html = await (await answer).text();
  expect(html).not.toContain('<style');
  const second = await stylesOf(page);
  expect(await isMarked(page)).toBe(true);
  expect(second.inside).toEqual(first.inside);
  expect(second.linked).toEqual(asked);
  expect(asked.length).toBeGreaterThan(0);
  expect(first.inside.filter((file) => asked.includes(file))).toEqual([]);

  // The page looks as it does after a full load.
  const fresh = await context.newPage();
  await fresh.goto('/pricing');
  const alone = await stylesOf(fresh);
  expect(alone.inside.filter((file) => ![...second.inside, ...second.linked].includes(file))).toEqual([]);
  for (const selector of ['main h1', 'table >> nth=0'])
    expect(await size(page, selector)).toBe(await size(fresh, selector));

  await follow(page, '/docs/intro/product_arch');
  await page.waitForURL('**/product_arch');
  await follow(page, '/pricing');
  await page.waitForURL('**/pricing');
  expect((await stylesOf(page)).linked).toEqual(asked);
});

/** The file that only the pricing page has. */
const pricingStyles = /pages_pricing_[^/]*\.css$/;
const isShown = (page: Page) => page.locator('main [data-island=PricingCalculator]').isVisible();

test('style sheets that do not load are requested again by Retry', async ({ page, context, problems }) => {
  problems.allow(/ERR_INTERNET_DISCONNECTED/);
  // The requests that every page sends on its own are answered first.
  await openAnswered(page, '/about');
  await mark(page);
  await page.route(pricingStyles, async (route) => {
    await context.setOffline(true);
    await route.abort('internetdisconnected');
  });
  await follow(page, '/pricing');
  const notice = page.locator('body > .retry');
  await notice.waitFor();
  expect([new URL(page.url()).pathname, await isShown(page)]).toEqual(['/about', false]);
  await goOnline(page);
  await page.unroute(pricingStyles);
  await notice.getByRole('button', { name: 'Retry' }).click();
  await page.waitForURL('**/pricing');
  const rules = page
    .locator('link[rel=stylesheet]')
    .evaluateAll((all: HTMLLinkElement[]) => all.map(({ sheet }) => sheet?.cssRules.length ?? 0));
  expect(await rules).not.toContain(0);
  expect((await stylesOf(page)).linked.filter((file) => pricingStyles.test(file ?? ''))).toHaveLength(1);
  expect(await isMarked(page)).toBe(true);
});

test('a second click waits for style sheets, too', async ({ page }) => {
  await page.goto('/about');
  await mark(page);
  const held = await hold(page, pricingStyles);
  const asked = page.waitForRequest(pricingStyles);
  await follow(page, '/pricing');
  await asked;
  const again = page.waitForResponse('**/pricing');
  await follow(page, '/pricing');
  await (await again).finished();
  await settle(page);
  expect([new URL(page.url()).pathname, await isShown(page)]).toEqual(['/about', false]);
  held.release();
  await page.waitForURL('**/pricing');
  expect(await isMarked(page)).toBe(true);
});

test('a full load has inline style sheets, even if the other variant is cached', async ({ page }) => {
  await page.goto('/about');
  await follow(page, '/why');
  await page.waitForURL('**/why');
  await page.goto('/robots.txt');
  // On Back browsers do not revalidate a copy.
  await page.goBack();
  expect((await stylesOf(page)).inside.length).toBeGreaterThan(2);
  expect((await stylesOf(page)).linked).toEqual([]);
});

test("a component's style sheets are loaded once, or not at all if they are inline", async ({ page }) => {
  const asked = watchStyles(page);
  await page.goto('/pricing');
  expect((await stylesOf(page)).inside.join()).toContain('calculator');
  await page.locator('[data-island] input').first().focus();
  await page.locator('[data-hydrated]').waitFor();
  expect(asked).toEqual([]);

  for (let time = 0; time < 2; time += 1) {
    await page.keyboard.press('Control+k');
    await page.locator('.search-dialog[open]').waitFor();
    await page.keyboard.press('Escape');
  }
  expect(asked.length).toBeGreaterThan(0);
  expect(new Set(asked).size).toBe(asked.length);
});

test('a page whose script does not load says that files are missing', async ({ page, problems }) => {
  problems.allow(/ERR_FAILED/);
  const html = await (await page.goto('/about'))?.text();
  // Text browsers and readers would show it on every page.
  expect(html?.split('<body>')[1]).not.toContain('files did not load');
  const read = () => page.locator('body').ariaSnapshot();
  expect(await read()).not.toContain('PUBLIC_URL');
  await page.route(entryScript, (route) => route.abort());
  await page.reload();
  await eventually(read).toContain('PUBLIC_URL');
});
