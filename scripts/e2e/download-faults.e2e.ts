import type { Page } from 'playwright';
import { describe, expect } from 'vitest';
import { calls } from '../../client/contract/calls.ts';
import { chunkOf } from './chunk.ts';
import { eventually, hold, isMarked, mark, settle, signIn, stopClock, stored, test } from './visitor.ts';

const ada = { user: { uid: '7', username: 'Ada' } };
const opener = (page: Page) => page.locator('main [data-download]');
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Download' });

/** True while the focus is inside the dialog or on the dialog itself. */
const focusIsInside = (page: Page) => page.evaluate(() => document.activeElement?.closest('dialog') !== null);

/** Answers a call with a fault until the returned function is called. */
async function fail(page: Page, path: string, status = 500): Promise<() => Promise<void>> {
  const answer = JSON.stringify({ success: false, code: 'BROKEN', msg: 'Broken.' });
  await page.route(`**${path}`, (route) => route.fulfill({ status, body: answer }));
  return () => page.unroute(`**${path}`);
}

test('a spinner is shown while the packages load', async ({ context, page }) => {
  await signIn(context, ada);
  const packages = await hold(page, `**${calls.listDownloadProduct}`);
  await page.goto('/');
  await opener(page).click();
  await dialog(page).getByRole('status').waitFor();
  expect(await dialog(page).getByRole('status').innerText()).toBe('Loading the packages');
  expect(await focusIsInside(page)).toBe(true);
  packages.release();
  await dialog(page).getByRole('tab').first().waitFor();
  expect(await dialog(page).getByRole('status').count()).toBe(0);
});

test.for([
  [500, 'an error'],
  [200, 'a refusal'],
] as const)(
  'a list request answered with %i, %s, is reported, and Retry repeats it',
  async ([status], { context, page, problems }) => {
    problems.allow(/status of 500|status 500/);
    await signIn(context, ada);
    await page.goto('/');
    const mend = await fail(page, calls.listDownloadProduct, status);
    await opener(page).click();
    const alert = dialog(page).getByRole('alert');
    await alert.waitFor();
    expect(await alert.innerText()).toContain('The list of packages did not load.');
    const again = page.waitForResponse(`**${calls.listDownloadProduct}`);
    await alert.getByRole('button', { name: 'Retry' }).press('Enter');
    await again;
    await alert.waitFor();
    await eventually(() => focusIsInside(page)).toBe(true);
    await mend();
    await alert.getByRole('button', { name: 'Retry' }).press('Enter');
    await dialog(page).getByRole('tab').first().waitFor();
    expect([await alert.count(), await focusIsInside(page)]).toEqual([0, true]);
    await page.keyboard.press('Escape');
    await eventually(() => dialog(page).count()).toBe(0);
    expect(await opener(page).evaluate((link) => link === document.activeElement)).toBe(true);
  },
);

test('a call without a response ends after 10 s, with Retry', async ({ context, page }) => {
  await context.addInitScript(() => {
    // The browser's own clock differs from the page's.
    AbortSignal.timeout = (ms) => {
      const late = new AbortController();
      setTimeout(() => late.abort(new DOMException('The time is over.', 'TimeoutError')), ms);
      return late.signal;
    };
  });
  await signIn(context, ada);
  await page.clock.install();
  await page.goto('/');
  await stopClock(page);
  const packages = await hold(page, `**${calls.listDownloadProduct}`);
  const asked = page.waitForRequest(`**${calls.listDownloadProduct}`);
  await opener(page).click();
  await asked;
  const alert = dialog(page).getByRole('alert');
  await page.clock.runFor(9_999);
  await settle(page);
  expect(await alert.count()).toBe(0);
  await page.clock.runFor(1);
  await alert.waitFor();
  packages.release();
  await alert.getByRole('button', { name: 'Retry' }).click();
  await dialog(page).getByRole('tab').first().waitFor();
});

test('the intact entries of a partly broken list are offered', async ({ context, page }) => {
  await signIn(context, ada);
  const whole = {
    productType: 'P',
    deployType: 'D',
    deployTypeName: 'Docker',
    cpuArch: 'C',
    cpuArchName: 'Arch',
    version: '1',
  };
  const data = [null, 'P', { ...whole, version: 5, cpuArchName: 'Broken' }, whole];
  await page.route(`**${calls.listDownloadProduct}`, (route) => route.fulfill({ json: { success: true, data } }));
  await page.goto('/');
  await opener(page).click();
  const processors = dialog(page).getByRole('group', { name: 'Processor' }).getByRole('button');
  await eventually(() => processors.allTextContents()).toEqual(['Arch 1']);
});

test('a response without addresses is a failure; missing lines are left out', async ({ context, page }) => {
  await signIn(context, ada);
  await page.goto('/');
  await opener(page).click();
  let data: object = { version: '1' };
  await page.route(`**${calls.recordAndReturnDownloadUrl}`, (route) =>
    route.fulfill({ json: { success: true, data } }),
  );
  const processor = dialog(page).getByRole('button', { name: 'x86-64' });
  await processor.click();
  await dialog(page).getByRole('alert').waitFor();
  const direct = 'https://files.example/a.tar.gz';
  data = { version: '1', downloadUrl: { direct, wget: 5 } };
  await processor.click();
  await dialog(page).getByRole('link', { name: 'Download', exact: true }).waitFor();
  expect(await dialog(page).locator('dt').allTextContents()).toEqual(['Direct link']);
  expect(await dialog(page).getByRole('status').first().innerText()).toBe('Version 1.');
});

test('an empty list says that there is nothing to download', async ({ context, page }) => {
  await signIn(context, ada);
  await page.route(`**${calls.listDownloadProduct}`, (route) => route.fulfill({ json: { success: true, data: [] } }));
  await page.goto('/');
  await opener(page).click();
  await dialog(page).getByText('There is nothing to download at present.').waitFor();
});

test('a failed address request is reported, keeps the choice, and can be repeated', async ({
  context,
  page,
  problems,
}) => {
  problems.allow(/status of 500|status 500/);
  await signIn(context, ada);
  await page.goto('/');
  await opener(page).click();
  await dialog(page).getByLabel('Community').check();
  const mend = await fail(page, calls.recordAndReturnDownloadUrl);
  const send = dialog(page).getByRole('button', { name: 'x86-64' });
  await send.press('Enter');
  const alert = dialog(page).getByRole('alert');
  await alert.waitFor();
  expect(await alert.innerText()).toBe('The addresses could not be fetched. Choose the processor again in a moment.');
  expect(await dialog(page).getByLabel('Community').isChecked()).toBe(true);
  expect(await focusIsInside(page)).toBe(true);
  await mend();
  const underway = await hold(page, `**${calls.recordAndReturnDownloadUrl}`);
  const first = page.waitForRequest(`**${calls.recordAndReturnDownloadUrl}`);
  await send.press('Enter');
  await first;
  await dialog(page).getByText('Fetching the addresses').waitFor();
  expect(await send.getAttribute('aria-disabled')).toBe('true');
  expect([await alert.count(), await focusIsInside(page)]).toEqual([0, true]);
  // Two requests must not record two downloads.
  let asked = 0;
  page.on('request', (request) => {
    if (request.url().endsWith(calls.recordAndReturnDownloadUrl)) asked += 1;
  });
  await send.press('Enter');
  await dialog(page).getByRole('button', { name: 'ARM64' }).click({ force: true });
  underway.release();
  await dialog(page).getByRole('link', { name: 'Download' }).waitFor();
  expect([asked, await focusIsInside(page)]).toEqual([0, true]);
});

test('a session that ends while the dialog is open leads to the login page', async ({ context, page, problems }) => {
  problems.allow(/401/);
  await signIn(context, { user: { uid: '9' }, ends: true });
  await page.goto('/');
  await opener(page).click();
  await page.waitForURL('**/login');
  expect(await stored(page, 'token')).toBeNull();
});

test('a login check that fails for another reason is ignored', async ({ context, page, problems }) => {
  problems.allow(/50\d|The current user could not be read/);
  await signIn(context, { user: { uid: '10' }, broken: true });
  const visits: string[] = [];
  page.on('request', (request) => request.isNavigationRequest() && visits.push(new URL(request.url()).pathname));
  await page.goto('/');
  // A failed query clears the stored user, which shows that the page has processed the answer.
  const userIsEmpty = () => eventually(() => stored(page, 'user-store')).toContain('"userInfo":{}');
  await userIsEmpty();
  await mark(page);
  await page.evaluate(() => localStorage.setItem('user-store', 'not yet asked again'));
  await opener(page).click();
  await userIsEmpty();
  await settle(page);
  expect(visits).toEqual(['/']);
  expect([new URL(page.url()).pathname, await isMarked(page), await dialog(page).count()]).toEqual(['/', true, 0]);
  expect([await stored(page, 'loginSource'), await page.locator('[role=alert]').count()]).toEqual([null, 0]);
});

describe.each([390, 1280])('a script that does not load, %i px', (width) => {
  test('shows a message with Retry, and the page stays', async ({ context, page, problems }) => {
    problems.allow(/ERR_FAILED|The download dialog did not load/);
    await page.setViewportSize({ width, height: 844 });
    await signIn(context, ada);
    // The account functions, a separate chunk, have loaded by then.
    const checked = page.waitForResponse(`**${calls.queryLoginUser}`);
    await page.goto('/');
    await checked;
    await mark(page);
    await page.route('**/assets/chunks/*.js', (route) => route.abort('failed'));
    const notice = page.getByRole('alert');
    await opener(page).click();
    await notice.waitFor();
    expect(await notice.innerText()).toContain('The download dialog did not load.');
    const box = await notice.boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
    const file = chunkOf('client/download/open.tsx').slice(2);
    const failedAgain = page.waitForEvent('requestfailed', (request) => request.url().endsWith(file));
    await notice.getByRole('button', { name: 'Retry' }).click();
    await failedAgain;
    await settle(page);
    expect(await notice.count()).toBe(1);
    expect([new URL(page.url()).pathname, await isMarked(page)]).toEqual(['/', true]);
    await page.unroute('**/assets/chunks/*.js');
    await notice.getByRole('button', { name: 'Retry' }).click();
    await dialog(page).getByRole('tab').first().waitFor();
    expect(await notice.count()).toBe(0);
  });
});
