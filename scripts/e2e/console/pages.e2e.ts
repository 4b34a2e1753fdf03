import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { calls } from '../../../client/contract/calls.ts';
import type { Invoice } from '../../../client/contract/console/billing.ts';
import { consolePages } from '../../../client/contract/console/pages.ts';
import { chooseFontSize, overflow, pageFaults, violationsByTheme, withAxe } from '../page-checks.ts';
import { type RunningSite, startSite } from '../site.ts';
import { eventually, goOffline, goOnline } from '../visitor.ts';
import { type Account, fillAccount, newAccount, signInAs } from './account.ts';
import { test } from './browser.ts';

const env = { ALLOW_PLAIN_PASSWORD: 'on' };
let site: RunningSite;
let full: Account;
let empty: Account;

beforeAll(async () => {
  site = await startSite({ env });
  full = await newAccount(site, 'ada@site.example');
  await fillAccount(site, env, full);
  empty = await newAccount(site, 'grace@site.example');
});
afterAll(() => site.stop());

/** A page with live events always has a pending request, so the event stream is blocked here. */
const hearNothing = (page: Page) =>
  page.route('**/job/events*', (route) => route.fulfill({ contentType: 'text/event-stream', body: '' }));

/** Waits until everything has loaded. */
async function loaded(page: Page): Promise<void> {
  await page.locator('.console-nav').waitFor();
  await page.locator('.console-page h1').waitFor();
  await page.waitForLoadState('networkidle');
  await page.locator('.console-skeleton').first().waitFor({ state: 'detached' });
}

const tabs = ['email', 'password', 'providers', 'sessions'].map((tab) => `/console/usercenter?tab=${tab}`);
const addresses = [...consolePages.map(({ path }) => path), ...tabs];

describe.each(addresses)('%s', (path) => {
  test('with data in it has no axe violations in either theme and fits every width and font size', async ({ page }) => {
    await signInAs(page.context(), full);
    await withAxe(page.context());
    await hearNothing(page);
    await page.goto(site.url + path);
    await loaded(page);
    // Everything that can be unfolded.
    for (const entry of await page.locator('.console-entry > summary').all()) await entry.click();
    await loaded(page);
    const found = await pageFaults(page, path);
    for (const width of [700, 996]) found.push(...(await overflow(page, width)));
    await chooseFontSize(page, 32);
    for (const width of [390, 700, 996, 1280])
      found.push(...(await overflow(page, width)).map((one) => `32 px: ${one}`));
    expect(found).toEqual([]);
  });

  test('of a new account has no axe violations in either theme and fits every width', async ({ page }) => {
    await signInAs(page.context(), empty);
    await withAxe(page.context());
    await hearNothing(page);
    await page.goto(site.url + path);
    await loaded(page);
    expect(await pageFaults(page, path)).toEqual([]);
  });
});

test('a page has no page faults while loading or after a failure, and can be retried', async ({ page, problems }) => {
  problems.allow(/503|The current user could not be read/);
  await signInAs(page.context(), full);
  await withAxe(page.context());
  const gate = Promise.withResolvers<void>();
  await page.route(/\/console\/api\/v1\//, async (route) => {
    await gate.promise;
    await route.fulfill({ status: 503, body: '' }).catch(() => undefined);
  });
  await page.goto(`${site.url}/console/orders`);
  await page.locator('.console-skeleton[role=status]').waitFor();
  const found = await pageFaults(page, 'loading');
  await page.emulateMedia({ forcedColors: 'active' });
  const [ground, line] = await page
    .locator('html, .console-skeleton > [aria-hidden]')
    .evaluateAll((all) => all.map((one) => getComputedStyle(one).backgroundColor));
  expect(line).not.toBe(ground);
  await page.emulateMedia({ forcedColors: 'none' });
  gate.resolve();
  await page.getByRole('button', { name: 'Retry' }).waitFor();
  expect([...found, ...(await pageFaults(page, 'failed'))]).toEqual([]);
  // The failed request is repeated.
  await page.unroute(/\/console\/api\/v1\//);
  await page.getByRole('button', { name: 'Retry' }).click();
  await page.getByText('Enterprise, 12 links').waitFor();
});

test('in a narrow window, entries of the navigation that get the focus are scrolled out of its faded edges', async ({
  page,
}) => {
  await signInAs(page.context(), full);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${site.url}/console/billing`);
  await loaded(page);
  const faded = await page.locator('.console-nav ul').evaluate(async (row) => {
    const isFaded = [];
    for (const link of row.querySelectorAll('a')) {
      link.focus();
      // The row's scroll event comes with the next frame.
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      const [entry, seen] = [link.getBoundingClientRect(), row.getBoundingClientRect()];
      const isCut = row.scrollLeft > 0;
      if (isCut !== getComputedStyle(row).maskImage.startsWith('linear-gradient(to right, rgba(0, 0, 0, 0)'))
        isFaded.push(`start at ${link.textContent}`);
      const start = isCut ? 48 : 0;
      if (entry.left < seen.left + start - 1 || entry.right > seen.right - 47) isFaded.push(link.textContent);
    }
    return isFaded;
  });
  expect(faded).toEqual([]);
});

test('without a network the console stays, and its next page can be retried', async ({ page, context, problems }) => {
  problems.allow(/ERR_INTERNET_DISCONNECTED|Failed to fetch/);
  await signInAs(context, full);
  await hearNothing(page);
  await page.goto(`${site.url}/console/usercenter`);
  await loaded(page);
  await goOffline(page);
  await page.locator('.console-nav').getByRole('link', { name: 'Orders' }).click();
  await page.getByText('You are offline. This part of the console did not load.').waitFor();
  const retry = page.getByRole('button', { name: 'Retry' });
  await retry.click();
  await goOnline(page);
  await retry.click();
  await page.locator('.console-entry').first().waitFor();
});

test('a customer back from the payment service sees the payment once it is reported', async ({ page }) => {
  await signInAs(page.context(), full);
  await withAxe(page.context());
  let isTold = false;
  await page.route(`**${calls.queryOrders}`, async (route) => {
    const answer = await route.fetch();
    const body = await answer.json();
    body.data.items = [{ ...body.data.items[0], status: isTold ? 'ISSUED' : 'WAIT_PAY' }];
    await route.fulfill({ json: body });
  });
  await page.goto(`${site.url}/console/orders?paid=1`);
  const state = page.locator('.console-entry .console-state');
  await expect.poll(() => state.allInnerTexts()).toEqual(['Awaiting payment']);
  await page.getByText('shows here within a minute', { exact: false }).waitFor();
  isTold = true;
  await expect.poll(() => state.allInnerTexts()).toEqual(['Issued']);
  // Only now: the page looks for a minute, and the checks may take longer.
  isTold = false;
  await page.reload();
  await expect.poll(() => state.allInnerTexts()).toEqual(['Awaiting payment']);
  await page.getByText('shows here within a minute', { exact: false }).waitFor();
  expect(await pageFaults(page, 'paid')).toEqual([]);
  // It may be looking at this moment.
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('the billing chart is redrawn when the theme changes', async ({ page }) => {
  await signInAs(page.context(), full);
  await withAxe(page.context());
  await page.route(`**${calls.listBilling}`, async (route) => {
    const body = await (await route.fetch()).json();
    const [bill] = body.data.items;
    // There is one bill per day, and the account was created today.
    body.data.items = ['03', '02', '01'].map((day, at) => ({
      ...bill,
      id: day,
      day: `2026-03-${day}`,
      amount: { amount: 100_00 * (at + 1), currency: 'USD' },
    }));
    body.data.total = body.data.items.length;
    await route.fulfill({ json: body });
  });
  await page.goto(`${site.url}/console/billing`);
  const chart = page.locator('.console-chart canvas');
  const drawn = () => chart.evaluate((one) => (one instanceof HTMLCanvasElement ? one.toDataURL() : ''));
  await chart.waitFor();
  expect(await pageFaults(page, 'chart')).toEqual([]);
  // It adopts the theme and the window's width some frames later.
  const fits = () =>
    chart.evaluate((one) => {
      const figure = one.closest<HTMLElement>('.console-chart');
      const isLight = figure?.dataset.drawn === 'light';
      return isLight && one instanceof HTMLCanvasElement && one.width === figure?.lastElementChild?.clientWidth;
    });
  await eventually(fits).toBe(true);
  const light = await drawn();
  await page.emulateMedia({ colorScheme: 'dark' });
  await eventually(drawn).not.toBe(light);
  // Once chosen, it is drawn as on a system with that theme.
  await page.locator('.bar summary[aria-label=Theme]').click();
  await page.getByRole('button', { name: 'Light', exact: true }).click();
  await eventually(drawn).toBe(light);
});

test('cards are listed without page faults if the operator accepts them', async ({ page }) => {
  await signInAs(page.context(), full);
  await withAxe(page.context());
  await page.route(`**${calls.getConfigValue}`, async (route) => {
    const answer = await route.fetch();
    const body = await answer.json();
    body.data.payMethods = ['STRIPE', 'BANK_TRANSFER'];
    await route.fulfill({ json: body });
  });
  const card = { brand: 'visa', last4: '4242', expMonth: 4, expYear: 2031 };
  await page.route(`**${calls.listPaymentMethods}`, (route) =>
    route.fulfill({
      json: {
        success: true,
        data: [
          { id: 'a', ...card, isDefault: true },
          { id: 'b', ...card, isDefault: false },
        ],
      },
    }),
  );
  await page.goto(`${site.url}/console/payment-methods`);
  await page.getByText('Used first').waitFor();
  expect(await pageFaults(page, 'cards')).toEqual([]);
});

test('a customer who left the payment page can return to it from the order', async ({ page }) => {
  await signInAs(page.context(), full);
  await withAxe(page.context());
  await page.route(`**${calls.queryOrders}`, async (route) => {
    const body = await (await route.fetch()).json();
    for (const order of body.data.items) {
      if (order.status !== 'WAIT_PAY') continue;
      delete order.transfer;
      order.cardUntil = order.createdAt + 23 * 3_600_000;
    }
    await route.fulfill({ json: body });
  });
  await page.goto(`${site.url}/console/orders`);
  await loaded(page);
  await page.locator('summary', { hasText: 'Awaiting payment' }).click();
  const button = page.getByRole('button', { name: 'Pay by card' });
  await button.waitFor();
  expect(await pageFaults(page, 'order by card')).toEqual([]);
  // This operator accepts no cards: the button says so, and keeps the focus.
  await button.click();
  await page.getByRole('alert').getByText('This payment method is not offered here.').waitFor();
  expect(await button.evaluate((one) => one === document.activeElement)).toBe(true);
  const asked: unknown[] = [];
  await page.route(`**${calls.createSession}`, async (route) => {
    asked.push(route.request().postDataJSON());
    await route.fulfill({ json: { success: true, data: { sessionId: 'cs_1', url: `${site.url}/console/invoices` } } });
  });
  await button.click();
  await page.waitForURL('**/console/invoices');
  expect(asked).toMatchObject([{ purpose: 'PAY_ORDER', orderId: expect.any(String) }]);
  // The page that was left had asked for its orders again.
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('an invoice shows the date of its PDF in every time zone', async ({ page }) => {
  const invoice: Invoice = {
    id: 'i1',
    number: '2026-0001',
    createdAt: Date.UTC(2026, 11, 1, 2),
    status: 'OPEN',
    total: { amount: 100, currency: 'USD' },
    pdfUrl: '/',
  };
  await page.route(`**${calls.listInvoices}`, (route) =>
    route.fulfill({ json: { success: true, data: { items: [invoice], total: 1 } } }),
  );
  await (await page.context().newCDPSession(page)).send('Emulation.setTimezoneOverride', {
    timezoneId: 'America/New_York',
  });
  await signInAs(page.context(), full);
  await page.goto(`${site.url}/console/invoices`);
  await page.getByRole('gridcell', { name: 'December 1, 2026' }).waitFor();
});

test('a dialog traps the focus, closes with Escape and returns it; a menu opens at its button', async ({ page }) => {
  await signInAs(page.context(), full);
  await withAxe(page.context());
  await page.goto(`${site.url}/console/orders`);
  await loaded(page);
  await page.locator('summary', { hasText: 'Awaiting payment' }).click();
  const actions = page.locator('details[open]').getByRole('button', { name: 'Actions' });
  // With room below it.
  await actions.evaluate((one) => one.scrollIntoView({ block: 'center' }));
  await actions.click();
  // The library draws it first, and then positions it.
  await eventually(async () => {
    const [button, menu] = await Promise.all([actions.boundingBox(), page.locator('.console-popover').boundingBox()]);
    if (!button || !menu) return 'one of them is not there';
    return [Math.abs(menu.x - button.x) < 2, menu.y >= button.y + button.height];
  }).toEqual([true, true]);
  expect(await violationsByTheme(page, 'menu')).toEqual([]);
  await page.getByRole('menuitem', { name: 'Close the order' }).click();
  const dialog = page.getByRole('dialog', { name: 'Close the order?' });
  await dialog.waitFor();
  expect(await violationsByTheme(page, 'dialog')).toEqual([]);
  for (let step = 0; step < 6; step += 1) {
    await page.keyboard.press('Tab');
    expect(await dialog.evaluate((one) => one.contains(document.activeElement))).toBe(true);
  }
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  // The library restores it in the next frame.
  await eventually(() => actions.evaluate((one) => one === document.activeElement)).toBe(true);
  // The library's own style applies, allowed by its hash.
  expect(
    await page.evaluate(() => {
      const style = document.getElementById('react-aria-pressable-style');
      return style instanceof HTMLStyleElement && style.sheet !== null && style.sheet.cssRules.length === 1;
    }),
  ).toBe(true);
});
