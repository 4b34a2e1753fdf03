import type { Page } from 'playwright';
import { describe, expect } from 'vitest';
import { calls } from '../../client/contract/calls.ts';
import { dockerProduct } from './upstream.ts';
import { eventually, follow, signIn, store, stored, test } from './visitor.ts';

const ada = { user: { uid: '7', username: 'Ada' } };

const opener = (page: Page) => page.locator('main [data-download]');
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Download' });
const openerHasFocus = (page: Page) => opener(page).evaluate((link) => link === document.activeElement);

/** What has the focus; a focus outside of the dialog says so. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const at = document.activeElement;
    if (!at || at === document.body) return 'nothing';
    return at.closest('dialog') ? (at.getAttribute('name') ?? at.textContent) : `outside: ${at.textContent}`;
  });

/** Presses Tab until the focus is there. */
async function reach(page: Page, name: string): Promise<void> {
  for (let stops = 0; stops < 12 && (await focused(page)) !== name; stops += 1) await page.keyboard.press('Tab');
  expect(await focused(page)).toBe(name);
}

/** Has the console list these packages. */
const list = (page: Page, products: object[]) =>
  page.route(`**${calls.listDownloadProduct}`, (route) => route.fulfill({ json: { success: true, data: products } }));

const desktop = { ...dockerProduct, productType: 'DESKTOP', deployTypeName: 'Archive', cpuArchName: 'ARM64' };

/** Name and text of each command shown. */
const commands = (page: Page) =>
  dialog(page)
    .locator('.dialog-command')
    .evaluateAll((all) =>
      all.map((one) => [one.querySelector('dt')?.textContent, one.querySelector('code')?.textContent]),
    );

describe('an anonymous visitor', () => {
  test('is led to the sign-in, and the label for afterwards is kept', async ({ page, problems, console }) => {
    problems.allow(/401/);
    await page.goto('/');
    await opener(page).click();
    await page.waitForURL('**/login');
    expect(await stored(page, 'loginSource')).toBe('download');
    expect(await dialog(page).count()).toBe(0);
    expect((await console.seen(calls.queryLoginUser)).map(({ token }) => token)).toEqual([undefined]);
  });

  test('with a dead session too', async ({ context, page, problems }) => {
    problems.allow(/401/);
    await signIn(context, { ...ada, dead: true });
    await page.goto('/');
    await opener(page).click();
    await page.waitForURL('**/login');
    expect(await stored(page, 'loginSource')).toBe('download');
  });
});

describe('after a sign-in for a download', () => {
  const openDownloadModal = 'true';

  test('the home page opens with the dialog, once', async ({ context, page }) => {
    await signIn(context, ada);
    await page.goto('/pricing');
    await page.evaluate((flag) => localStorage.setItem('openDownloadModal', flag), openDownloadModal);
    await page.goto('/');
    await dialog(page).getByLabel('Package').waitFor();
    expect(await stored(page, 'openDownloadModal')).toBeNull();
    await page.keyboard.press('Escape');
    await eventually(() => dialog(page).count()).toBe(0);
    const recorded = page.waitForRequest('**/addviewlog');
    await page.reload();
    await recorded;
    expect(await dialog(page).count()).toBe(0);
  });

  test('another page leaves the flag for the home page', async ({ context, page }) => {
    await signIn(context, ada);
    await page.goto('/pricing');
    await page.evaluate((flag) => localStorage.setItem('openDownloadModal', flag), openDownloadModal);
    const recorded = page.waitForRequest('**/addviewlog');
    await page.reload();
    await recorded;
    expect([await stored(page, 'openDownloadModal'), await dialog(page).count()]).toEqual(['true', 0]);
    await follow(page, '/');
    await dialog(page).getByLabel('Package').waitFor();
    expect(await stored(page, 'openDownloadModal')).toBeNull();
  });

  test('a visitor who is signed out by then is led to the sign-in again', async ({ context, page, problems }) => {
    problems.allow(/401/);
    await store(context, { openDownloadModal });
    await page.goto('/');
    await page.waitForURL('**/login');
    expect(await stored(page, 'loginSource')).toBe('download');
  });
});

describe.each([390, 1280])('a signed-in visitor, %i px', (width) => {
  test('chooses and gets the addresses, with wget, curl and SHA-256', async ({ context, page, console }) => {
    await page.setViewportSize({ width, height: 844 });
    const token = await signIn(context, ada);
    await list(page, [dockerProduct, desktop]);
    await page.goto('/');
    await opener(page).click();
    const packages = dialog(page).getByLabel('Package').locator('option');
    await packages.first().waitFor({ state: 'attached' });
    expect(await packages.allTextContents()).toEqual(['Docker, x86-64, 0.7.0', 'Archive, ARM64, 0.7.0']);
    await dialog(page).getByLabel('Package').selectOption('Archive, ARM64, 0.7.0');
    await dialog(page).getByLabel('Community').check();
    await dialog(page).getByRole('button', { name: 'Get the address' }).click();
    const link = dialog(page).getByRole('link', { name: 'Download' });
    await link.waitFor();
    const address = 'https://files.example/DESKTOP/COMMUNITY_VERSION.tar.gz';
    expect(await link.getAttribute('href')).toBe(address);
    expect(await commands(page)).toEqual([
      ['wget', `wget ${address}`],
      ['curl', `curl -O ${address}`],
      ['SHA-256', 'ab12'],
    ]);
    expect(await dialog(page).innerText()).toContain('Version 0.7.0.');
    expect(await dialog(page).innerText()).toContain('1/2/2030');
    const asked = (await console.seen(calls.recordAndReturnDownloadUrl)).filter((call) => call.token === token);
    expect(asked.at(-1)?.body).toEqual({ productType: 'DESKTOP', productVersionType: 'COMMUNITY_VERSION' });
    const box = await dialog(page).boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  });

  test('by keyboard alone: the focus stays inside, Escape gives it back', async ({ context, page, console }) => {
    await page.setViewportSize({ width, height: 844 });
    const token = await signIn(context, { user: { uid: '8', username: `Keys ${width}` } });
    await page.goto('/');
    await opener(page).focus();
    await page.keyboard.press('Enter');
    await dialog(page).getByLabel('Package').waitFor();
    const around: string[] = [];
    for (let stops = 0; stops < 10; stops += 1) {
      await page.keyboard.press('Tab');
      around.push((await focused(page)) ?? '');
    }
    // Past the last control is the browser's own bar: nothing of the page.
    expect([...new Set(around)].sort()).toEqual(['Close', 'Get the address', 'edition', 'nothing', 'product'].sort());
    await reach(page, 'product');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await dialog(page).getByRole('link', { name: 'Download' }).waitFor();
    const asked = (await console.seen(calls.recordAndReturnDownloadUrl)).filter((call) => call.token === token);
    expect(asked.map(({ body }) => body)).toEqual([{ productType: 'SERVER', productVersionType: 'COMMUNITY_VERSION' }]);
    expect(await focused(page)).toBe('Download');
    await reach(page, 'Copy');
    await page.keyboard.press('Escape');
    await eventually(() => dialog(page).count()).toBe(0);
    expect(await openerHasFocus(page)).toBe(true);
    await page.keyboard.press('Enter');
    await dialog(page).getByLabel('Package').waitFor();
    await reach(page, 'Close');
    await page.keyboard.press('Enter');
    await eventually(() => dialog(page).count()).toBe(0);
    expect(await openerHasFocus(page)).toBe(true);
  });
});

test('a command is copied', async ({ context, page }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await signIn(context, ada);
  await page.goto('/');
  await opener(page).click();
  await dialog(page).getByRole('button', { name: 'Get the address' }).click();
  await dialog(page).getByRole('button', { name: 'Copy' }).nth(1).click();
  await dialog(page).getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    'curl -O https://files.example/SERVER/ENTERPRISE_VERSION.tar.gz',
  );
});

test('a click beside the dialog, and a change of page, close it', async ({ context, page }) => {
  await signIn(context, ada);
  await page.goto('/');
  await opener(page).click();
  await dialog(page).getByLabel('Package').waitFor();
  await page.mouse.click(10, 400);
  await eventually(() => dialog(page).count()).toBe(0);
  await opener(page).click();
  await dialog(page).getByLabel('Package').waitFor();
  await follow(page, '/about');
  await page.waitForURL('**/about');
  await eventually(() => page.locator('dialog').count()).toBe(0);
});
