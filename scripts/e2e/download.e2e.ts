import type { Page } from 'playwright';
import { describe, expect } from 'vitest';
import { calls } from '../../client/contract/calls.ts';
import {
  clipboard,
  eventually,
  follow,
  hold,
  onPlainHttp,
  settle,
  signIn,
  stopClock,
  store,
  stored,
  test,
} from './visitor.ts';

const ada = { user: { uid: '7', username: 'Ada' } };

const opener = (page: Page) => page.locator('main [data-download]');
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Download' });
const openerHasFocus = (page: Page) => opener(page).evaluate((link) => link === document.activeElement);

/** The focused element; a focus outside the dialog is reported as such. */
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

const tab = (page: Page, name: string) => dialog(page).getByRole('tab', { name });
const processor = (page: Page, name: string) => dialog(page).getByRole('button', { name });
const ready = (page: Page) => dialog(page).getByRole('tab').first().waitFor();
const link = (page: Page) => dialog(page).getByRole('link', { name: 'Download', exact: true });

/** Name and text of each command shown. */
const commands = (page: Page) =>
  dialog(page)
    .locator('.dialog-command')
    .evaluateAll((all) =>
      all.map((one) => [one.querySelector('dt')?.textContent, one.querySelector('code')?.textContent]),
    );

describe('an anonymous visitor', () => {
  test('is led to the login page, and the label for afterwards is stored', async ({ page, problems, console }) => {
    problems.allow(/401/);
    await page.goto('/');
    await opener(page).click();
    await page.waitForURL('**/login');
    expect(await stored(page, 'loginSource')).toBe('download');
    expect(await dialog(page).count()).toBe(0);
    expect((await console.seen(calls.queryLoginUser)).map(({ token }) => token)).toEqual([undefined]);
  });

  test('is led to the login page with an expired session, too', async ({ context, page, problems }) => {
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
    await ready(page);
    expect(await stored(page, 'openDownloadModal')).toBeNull();
    await page.keyboard.press('Escape');
    await eventually(() => dialog(page).count()).toBe(0);
    const recorded = page.waitForRequest('**/addviewlog');
    await page.reload();
    await recorded;
    await page.waitForLoadState('networkidle');
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
    await ready(page);
    expect(await stored(page, 'openDownloadModal')).toBeNull();
  });

  test('a visitor who is signed out by then is led to the login page again', async ({ context, page, problems }) => {
    problems.allow(/401/);
    await store(context, { openDownloadModal });
    await page.goto('/');
    await page.waitForURL('**/login');
    expect(await stored(page, 'loginSource')).toBe('download');
  });
});

describe.each([390, 1280])('a signed-in visitor, %i px', (width) => {
  test('chooses deployment, edition and processor, and gets the addresses', async ({ context, page, console }) => {
    await page.setViewportSize({ width, height: 844 });
    const token = await signIn(context, { user: { uid: '7', username: `Chooser ${width}` } });
    await page.goto('/');
    await opener(page).click();
    await ready(page);
    expect(await dialog(page).getByRole('tab').allTextContents()).toEqual(['Docker', 'Archive']);
    const processors = () =>
      dialog(page).getByRole('group', { name: 'Processor' }).getByRole('button').allTextContents();
    expect(await processors()).toEqual(['x86-64 0.7.0', 'ARM64 0.7.0']);
    // Browsing records nothing.
    await tab(page, 'Archive').click();
    expect(await processors()).toEqual(['x86-64 0.7.0']);
    await dialog(page).getByLabel('Community').check();
    expect(await console.seen(calls.recordAndReturnDownloadUrl)).not.toContainEqual(expect.objectContaining({ token }));
    await processor(page, 'x86-64').click();
    await link(page).waitFor();
    expect(await processor(page, 'x86-64').getAttribute('aria-pressed')).toBe('true');
    const address = 'https://files.example/ARCHIVE_X86/COMMUNITY_VERSION.tar.gz';
    expect(await link(page).getAttribute('href')).toBe(address);
    expect(await commands(page)).toEqual([
      ['Direct link', address],
      ['wget', `wget ${address}`],
      ['curl', `curl -O ${address}`],
      ['SHA-256', 'ab12'],
    ]);
    expect(await dialog(page).getByRole('link', { name: address }).getAttribute('href')).toBe(address);
    expect(await dialog(page).innerText()).toContain('Version 0.7.0.');
    expect(await dialog(page).innerText()).toContain('1/2/2030');
    const asked = (await console.seen(calls.recordAndReturnDownloadUrl)).filter((call) => call.token === token);
    expect(asked.map(({ body }) => body)).toEqual([
      { productType: 'ARCHIVE_X86', productVersionType: 'COMMUNITY_VERSION' },
    ]);
    const box = await dialog(page).boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  });

  test('no longer sees the previous addresses after another choice', async ({ context, page }) => {
    await page.setViewportSize({ width, height: 844 });
    await signIn(context, ada);
    await page.goto('/');
    await opener(page).click();
    for (const change of [
      () => dialog(page).getByLabel('Community').check(),
      () => tab(page, 'Archive').click(),
      () => dialog(page).getByLabel('Enterprise').check(),
    ]) {
      await processor(page, 'x86-64').click();
      await link(page).waitFor();
      await change();
      expect([await link(page).count(), await processor(page, 'x86-64').getAttribute('aria-pressed')]).toEqual([
        0,
        'false',
      ]);
    }
    // Nor do addresses that arrive too late.
    const held = await hold(page, `**${calls.recordAndReturnDownloadUrl}`);
    const answered = page.waitForResponse(`**${calls.recordAndReturnDownloadUrl}`);
    await processor(page, 'x86-64').click();
    await tab(page, 'Docker').click();
    held.release();
    await (await answered).finished();
    await settle(page);
    expect(await link(page).count()).toBe(0);
    // Nor while others are loading.
    const older = await hold(page, `**${calls.recordAndReturnDownloadUrl}`);
    const late = page.waitForResponse(`**${calls.recordAndReturnDownloadUrl}`);
    await processor(page, 'x86-64').click();
    await tab(page, 'Archive').click();
    const newer = await hold(page, `**${calls.recordAndReturnDownloadUrl}`);
    await processor(page, 'x86-64').click();
    older.release();
    await (await late).finished();
    await settle(page);
    expect(await link(page).count()).toBe(0);
    newer.release();
    await link(page).waitFor();
  });

  test('can use the keyboard alone: the focus stays inside, and Escape returns it', async ({
    context,
    page,
    console,
  }) => {
    await page.setViewportSize({ width, height: 844 });
    const token = await signIn(context, { user: { uid: '8', username: `Keys ${width}` } });
    await page.goto('/');
    await opener(page).focus();
    await page.keyboard.press('Enter');
    await ready(page);
    const around: string[] = [];
    for (let stops = 0; stops < 10; stops += 1) {
      await page.keyboard.press('Tab');
      around.push((await focused(page)) ?? '');
    }
    // After the last control comes the browser's own bar: no part of the page.
    expect([...new Set(around)].sort()).toEqual(
      ['Close', 'Docker', 'edition', 'x86-64 0.7.0', 'ARM64 0.7.0', 'nothing'].sort(),
    );
    await reach(page, 'Docker');
    const selected = () => dialog(page).getByRole('tab', { selected: true }).textContent();
    for (const [key, name] of [
      ['ArrowRight', 'Archive'],
      ['ArrowRight', 'Docker'],
      ['ArrowLeft', 'Archive'],
      ['Home', 'Docker'],
      ['End', 'Archive'],
      ['Home', 'Docker'],
    ] as const) {
      await page.keyboard.press(key);
      expect([key, await selected(), await focused(page)]).toEqual([key, name, name]);
    }
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    await reach(page, 'ARM64 0.7.0');
    await page.keyboard.press('Enter');
    await link(page).waitFor();
    const asked = (await console.seen(calls.recordAndReturnDownloadUrl)).filter((call) => call.token === token);
    expect(asked.map(({ body }) => body)).toEqual([
      { productType: 'DOCKER_ARM', productVersionType: 'COMMUNITY_VERSION' },
    ]);
    // The focus stays where it was; the addresses come next.
    expect(await focused(page)).toBe('ARM64 0.7.0');
    const address = 'https://files.example/DOCKER_ARM/COMMUNITY_VERSION.tar.gz';
    for (const stop of ['Download', address, 'Copy Direct link', 'Copy wget']) {
      await page.keyboard.press('Tab');
      expect(await focused(page)).toBe(stop);
    }
    await page.keyboard.press('Escape');
    await eventually(() => dialog(page).count()).toBe(0);
    expect(await openerHasFocus(page)).toBe(true);
    await page.keyboard.press('Enter');
    await ready(page);
    await reach(page, 'Close');
    await page.keyboard.press('Enter');
    await eventually(() => dialog(page).count()).toBe(0);
    expect(await openerHasFocus(page)).toBe(true);
  });
});

test('with a modifier key, the button is a link to the login page', async ({ context, page }) => {
  await signIn(context, ada);
  await page.goto('/');
  const opened = context.waitForEvent('page');
  await opener(page).click({ modifiers: ['ControlOrMeta'] });
  await (await opened).waitForURL('**/login');
  expect([new URL(page.url()).pathname, await page.locator('dialog').count()]).toEqual(['/', 0]);
});

test('each address and the checksum can be copied, with a confirmation', async ({ context, page }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await signIn(context, ada);
  await page.clock.install();
  await page.goto('/');
  await opener(page).click();
  await processor(page, 'x86-64').click();
  await link(page).waitFor();
  // What is said stays until it was read.
  await stopClock(page);
  const lines = await commands(page);
  expect(lines).toHaveLength(4);
  for (const [name, text] of lines) {
    await dialog(page)
      .getByRole('button', { name: `Copy ${name}` })
      .click();
    await dialog(page)
      .getByRole('button', { name: `Copied ${name}` })
      .waitFor();
    expect([name, await page.evaluate(() => navigator.clipboard.readText())]).toEqual([name, text]);
  }
  const said = await dialog(page).getByRole('status').allTextContents();
  expect(said).toContain('Copied');
});

test('addresses can be copied on plain http, too, and the dialog keeps the focus', async ({
  context,
  page,
  siteUrl,
}) => {
  const address = await onPlainHttp(context, siteUrl);
  await signIn(context, ada);
  await page.clock.install();
  await page.goto(address);
  await opener(page).click();
  await processor(page, 'x86-64').click();
  await link(page).waitFor();
  // What is said stays until it was read.
  await stopClock(page);
  await dialog(page).getByRole('button', { name: 'Copy curl' }).click();
  await dialog(page).getByRole('button', { name: 'Copied curl' }).waitFor();
  expect(await focused(page)).toBe('Copied curl');
  expect(await clipboard(context, siteUrl)).toBe('curl -O https://files.example/DOCKER_X86/ENTERPRISE_VERSION.tar.gz');
});

test('the dialog closes on a click beside it and on a change of page', async ({ context, page }) => {
  await signIn(context, ada);
  await page.goto('/');
  await opener(page).click();
  await ready(page);
  await page.mouse.click(10, 400);
  await eventually(() => dialog(page).count()).toBe(0);
  await opener(page).click();
  await ready(page);
  await follow(page, '/about');
  await page.waitForURL('**/about');
  await eventually(() => page.locator('dialog').count()).toBe(0);
});
