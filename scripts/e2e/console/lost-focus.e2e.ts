import type { Page } from 'playwright';
import { afterAll, beforeAll, expect } from 'vitest';
import { z } from 'zod';
import { calls } from '../../../client/contract/calls.ts';
import { jobCalls } from '../../../client/contract/jobs/calls.ts';
import type { RunningSite } from '../site.ts';
import { eventually } from '../visitor.ts';
import { type Account, signInAs, startOwnedSite } from './account.ts';
import { test } from './browser.ts';
import { keyboard } from './hand.ts';
import { retrySlowQueries, untilChecked } from './slow-queries.ts';

let site: RunningSite;
let owner: Account;

beforeAll(async () => {
  ({ site, owner } = await startOwnedSite());
});
afterAll(() => site.stop());

async function open(page: Page, path: string): Promise<void> {
  await signInAs(page.context(), owner);
  await page.goto(site.url + path);
}

/** Presses a button of the dialog, which takes the focus when it opens. */
async function answer(page: Page, words: string): Promise<void> {
  await page.locator('[role=dialog]:focus').waitFor();
  const button = page.getByRole('dialog').getByRole('button', { name: words, exact: true });
  await eventually(async () => {
    await page.keyboard.press('Tab');
    return button.and(page.locator(':focus')).count();
  }).toBe(1);
  await page.keyboard.press('Enter');
}

const keptByPage = (page: Page) => page.locator('.console-page:focus').waitFor();

test('revoking a key or deleting a data source keeps the focus on the page', async ({ page }) => {
  await owner.ask(jobCalls.createApiKey, z.unknown(), { name: 'shell' });
  await open(page, '/console/api-keys');
  const hand = keyboard(page);
  await hand.press('Revoke');
  await answer(page, 'Revoke');
  await page.getByText('No API key yet').waitFor();
  await keptByPage(page);
  await page.keyboard.press('Tab');
  expect(await page.getByLabel('Name', { exact: true }).and(page.locator(':focus')).count()).toBe(1);

  const body = { type: 'SQLite', instanceDesc: 'Shop', settings: { file: 'shop.sqlite' } };
  await owner.ask(jobCalls.addDataSource, z.unknown(), body);
  await page.goto(`${site.url}/console/data-sources`);
  await hand.press('Shop');
  await hand.press('Delete');
  await answer(page, 'Delete');
  await page.getByText('No data sources yet').waitFor();
  await keptByPage(page);
});

test('turning a list to its next page keeps the focus on the page', async ({ page }) => {
  const order = {
    edition: 'ENTERPRISE',
    links: 5,
    createdAt: 0,
    status: 'CLOSED',
    total: { amount: 0, currency: 'USD' },
    events: [],
  };
  await page.route(`**${calls.queryOrders}`, (route) =>
    route.fulfill({ json: { success: true, data: { total: 11, items: [{ ...order, orderId: 'a' }] } } }),
  );
  await open(page, '/console/orders');
  await keyboard(page).press('Older');
  await page.getByText('2 of 2').waitFor();
  await keptByPage(page);
});

test('an input error belongs to its field, and a refused job leaves the focus on its button', async ({
  page,
  problems,
}) => {
  await owner.ask(jobCalls.createPractice, z.unknown(), {});
  await open(page, '/console/new-job');
  const stopRetrying = await retrySlowQueries(page, problems);
  const hand = keyboard(page);
  await hand.choose('Source', 'SQLite: Practice source');
  await hand.choose('Target', 'SQLite: Practice target');
  await hand.press('Select all');
  await hand.press('Only some columns');
  await page.getByLabel('Columns').fill('main.nothing: id');
  const field = page.getByRole('textbox', { name: 'Columns', exact: false, description: /is not one of the selected/ });
  await eventually(() => field.getAttribute('aria-invalid')).toBe('true');
  // The field is still there when it is emptied for retyping.
  await page.getByLabel('Columns').fill('');
  await page.getByText('Passed').first().waitFor();
  await page.getByLabel('Columns').and(page.locator(':focus')).waitFor();
  const refusal = { success: false, code: 'NOT_POSSIBLE', msg: 'It cannot be made now.' };
  await page.route(`**${jobCalls.createJob}`, (route) => route.fulfill({ json: refusal }));
  // Following a SQLite file writes into it, which needs the user's consent.
  const create = page.getByRole('button', { name: 'Create only' });
  expect(await create.getAttribute('aria-disabled')).toBe('true');
  await page.getByRole('checkbox', { name: 'The job may write to the source' }).press('Space');
  await untilChecked(page);
  await stopRetrying();
  await hand.press('Create only');
  await page.getByText(refusal.msg).waitFor();
  expect(await create.and(page.locator(':focus')).count()).toBe(1);
});
