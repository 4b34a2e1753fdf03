import type { Page } from 'playwright';
import { describe, expect } from 'vitest';
import { clipboard, eventually, onPlainHttp, stopClock, test } from './visitor.ts';

const api = '/docs/openCenter/openApi/openapi_common';

/**
 * Opens a page and moves the mouse: the tools load at the first sign of a visitor. The page's clock stands still, so
 * that a button's two-second message can be read.
 */
async function visit(page: Page, address: string): Promise<void> {
  await page.clock.install();
  await page.goto(address);
  expect(await page.evaluate(() => [isSecureContext, 'clipboard' in navigator])).toEqual([false, false]);
  // A pointer's first appearance is not a move.
  await page.mouse.move(100, 300);
  await page.mouse.move(200, 300);
  await page.locator('.copy-page').waitFor({ state: 'attached' });
  await stopClock(page);
}

test('the browser console stays empty', async ({ page, context, siteUrl, console }) => {
  const said: string[] = [];
  page.on('console', (message) => said.push(`${message.type()}: ${message.text()}`));
  const address = await onPlainHttp(context, siteUrl);
  for (const path of ['/', api, '/login']) {
    const recorded = page.waitForResponse('**/addviewlog');
    await page.goto(address + path);
    await (await recorded).finished();
  }
  expect((await console.seen()).length).toBeGreaterThan(0);
  expect(said).toEqual([]);
});

describe('copying', () => {
  test('a code block is confirmed and leaves the page unchanged', async ({ page, context, siteUrl }) => {
    await visit(page, (await onPlainHttp(context, siteUrl)) + api);
    const figure = page.locator('figure.code').filter({ has: page.getByText('open_api.py') });
    const code = await figure.locator('.line').allTextContents();
    expect(code.length).toBeGreaterThan(3);
    const copy = figure.getByRole('button', { name: 'Copy' });
    await copy.scrollIntoViewIfNeeded();
    const before = await page.evaluate(() => [scrollY, document.querySelectorAll('textarea').length]);
    await copy.click();
    await eventually(() => figure.locator('.code-tools').innerText()).toContain('Copied');
    expect(await page.evaluate(() => [scrollY, document.querySelectorAll('textarea').length])).toEqual(before);
    expect(
      await figure
        .locator('.code-tools button')
        .last()
        .evaluate((one) => one === document.activeElement),
    ).toBe(true);
    expect(await clipboard(context, siteUrl)).toBe(code.join('\n'));
  });

  test('the page as Markdown works, although the text arrives after the click', async ({ page, context, siteUrl }) => {
    await visit(page, (await onPlainHttp(context, siteUrl)) + api);
    const text = await page.evaluate(async (path) => (await fetch(`${path}.md`)).text(), api);
    await page.locator('.copy-page').click();
    await eventually(() => page.locator('.copy-page').textContent()).toBe('Copied');
    expect(await clipboard(context, siteUrl)).toBe(text);
  });

  test('that the browser refuses is reported', async ({ page, context, siteUrl }) => {
    await page.addInitScript(() => {
      document.execCommand = () => false;
    });
    await visit(page, (await onPlainHttp(context, siteUrl)) + api);
    await page.locator('.copy-page').click();
    await eventually(() => page.locator('.copy-page').textContent()).toBe('Not copied');
  });
});
