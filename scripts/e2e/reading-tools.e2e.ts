import type { BrowserContext, Locator, Page } from 'playwright';
import { describe, expect } from 'vitest';
import { isRecord } from '../../client/browser/json.ts';
import { calls } from '../../client/contract/calls.ts';
import { eventually, follow, stopClock, test } from './visitor.ts';

const api = '/docs/openCenter/openApi/openapi_common';
const architecture = '/docs/intro/product_arch';

const announced = (page: Page) => page.locator('[aria-live=polite]').textContent();
const isFocused = (one: Locator) => one.evaluate((node) => node === document.activeElement);
const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

/** Opens a page and moves the mouse: the tools load at the first sign of a visitor. */
async function visit(page: Page, path: string): Promise<void> {
  await page.goto(path);
  // A pointer's first appearance is not a move.
  await page.mouse.move(100, 300);
  await page.mouse.move(200, 300);
  await page.locator('.copy-page').waitFor({ state: 'attached' });
}

/** The same with a stopped clock, so that a button's two-second message can be read. */
async function visitStopped(page: Page, path: string): Promise<void> {
  await page.clock.install();
  await visit(page, path);
  await stopClock(page);
}

const mayCopy = (context: BrowserContext) => context.grantPermissions(['clipboard-read', 'clipboard-write']);

async function mayNotCopy(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const { browserContextId = '' } = (await devtools.send('Target.getTargetInfo')).targetInfo;
  const permission = { name: 'clipboard-write' };
  await devtools.send('Browser.setPermission', { permission, setting: 'denied', browserContextId });
}

describe('code', () => {
  test('is copied in a browser whose clipboard takes only plain text, as in Firefox before 127', async ({
    page,
    context,
  }) => {
    await mayCopy(context);
    await page.addInitScript(() => {
      Reflect.deleteProperty(Clipboard.prototype, 'write');
      Reflect.deleteProperty(window, 'ClipboardItem');
    });
    await visitStopped(page, api);
    const figure = page.locator('figure.code').filter({ has: page.getByText('open_api.py') });
    const copy = figure.locator('.code-tools button').last();
    await copy.click();
    await eventually(() => copy.textContent()).not.toBe('Copy');
    expect([await copy.textContent(), (await clipboard(page)).includes('import base64')]).toEqual(['Copied', true]);
  });

  test('is copied as written; the button says so and has its name back after 2 s', async ({ page, context }) => {
    await mayCopy(context);
    await visitStopped(page, api);
    const figure = page.locator('figure.code').filter({ has: page.getByText('open_api.py') });
    const copy = figure.locator('.code-tools button').last();
    expect(await copy.textContent()).toBe('Copy');
    await copy.click();
    await eventually(() => copy.textContent()).toBe('Copied');
    const code = await page.evaluate(async (path) => {
      const text = await (await fetch(`${path}.md`)).text();
      return /```python[^\n]*\n(.*?)\n```/s.exec(text)?.[1];
    }, api);
    expect(code).toContain('import base64');
    expect(await clipboard(page)).toBe(code);
    expect(await announced(page)).toBe('Copied');
    // A second press while the first message is shown must not keep it for ever.
    await page.clock.runFor(1000);
    await page.locator('[aria-live=polite]').evaluate((region) => region.replaceChildren());
    await copy.click();
    await eventually(() => announced(page)).toBe('Copied');
    await page.clock.runFor(2000);
    expect(await copy.textContent()).toBe('Copy');
    await figure.locator('pre').focus();
    await page.keyboard.press('Tab');
    const tools = figure.locator('.code-tools button');
    expect(await tools.evaluateAll((all) => all.some((one) => one === document.activeElement))).toBe(true);
  });

  test('is copied without the lines marked as removed', async ({ page, context }) => {
    await mayCopy(context);
    await visitStopped(page, api);
    const figure = page.locator('figure.code').filter({ has: page.getByText('open_api.py') });
    await figure
      .locator('.line')
      .first()
      .evaluate((line) => line.classList.add('removed'));
    const kept = await figure.locator('.line:not(.removed)').allTextContents();
    const copy = figure.locator('.code-tools button').last();
    await copy.click();
    await eventually(() => copy.textContent()).toBe('Copied');
    expect(await clipboard(page)).toBe(kept.join('\n'));
  });

  test('is reported as not copied if the browser forbids it', async ({ page }) => {
    await visitStopped(page, api);
    await mayNotCopy(page);
    const copy = page.locator('.code-tools').last().getByRole('button', { name: 'Copy' });
    await copy.click();
    await eventually(() => page.locator('.code-tools').last().innerText()).toContain('Not copied');
    expect(await announced(page)).toBe('Not copied');
  });

  test('with long lines can be wrapped and unwrapped, also in a formerly hidden tab', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 800 });
    await visit(page, api);
    await page.getByRole('tab', { name: 'Bash' }).click();
    const figure = page.locator('figure.code').filter({ has: page.getByText('open_api.sh') });
    const wrap = figure.getByRole('button', { name: 'Wrap' });
    const overflows = () => figure.locator('pre').evaluate((pre) => pre.scrollWidth > pre.clientWidth);
    expect(await overflows()).toBe(true);
    expect(await wrap.getAttribute('aria-pressed')).toBe('false');
    await wrap.click();
    expect([await overflows(), await wrap.getAttribute('aria-pressed')]).toEqual([false, 'true']);
    await wrap.press('Enter');
    expect([await overflows(), await wrap.getAttribute('aria-pressed')]).toEqual([true, 'false']);
  });

  test('with short lines has no wrap button, and each block has one set of tools', async ({ page }) => {
    await visit(page, api);
    const short = page.locator('figure.code[data-language=http]');
    expect(await short.locator('pre').evaluate((pre) => pre.scrollWidth > pre.clientWidth)).toBe(false);
    expect(await short.getByRole('button').allTextContents()).toEqual(['Copy']);
    await follow(page, architecture);
    await page.waitForURL(`**${architecture}`);
    await follow(page, api);
    await page.waitForURL(`**${api}`);
    await page.locator('.copy-page').waitFor();
    const sets = await page
      .locator('figure.code')
      .evaluateAll((all) => all.map((one) => one.querySelectorAll('.code-tools').length));
    expect(new Set(sets)).toEqual(new Set([1]));
  });
});

describe('pictures', () => {
  const picture = (page: Page) => page.locator('.prose img').first();
  const large = (page: Page) => page.locator('dialog.zoom');

  test.for([390, 1280])('open in window size and close with Escape, %i px', async (width, { page }) => {
    await page.setViewportSize({ width, height: 800 });
    await visit(page, architecture);
    const alt = (await picture(page).getAttribute('alt')) ?? '';
    expect(await picture(page).getAttribute('aria-label')).toBe(`Enlarge: ${alt}`);
    for (const way of ['click', 'Enter', ' '] as const) {
      if (way === 'click') await picture(page).click();
      else await picture(page).press(way);
      await large(page).waitFor();
      expect(await large(page).getAttribute('aria-label')).toBe(alt);
      expect(await large(page).boundingBox()).toMatchObject({ x: 0, y: 0, height: 800 });
      const img = large(page).locator('img');
      await eventually(() => img.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBeGreaterThan(0);
      expect(await img.evaluate((one) => one.getBoundingClientRect().right)).toBeLessThanOrEqual(width);
      await page.keyboard.press('Escape');
      await eventually(() => large(page).count()).toBe(0);
      expect([way, await isFocused(picture(page))]).toEqual([way, true]);
    }
  });

  test('close with their button, with a click and with the page', async ({ page }) => {
    await visit(page, architecture);
    await picture(page).click();
    await large(page).getByRole('button', { name: 'Close' }).click();
    await eventually(() => large(page).count()).toBe(0);
    await picture(page).click();
    await large(page).locator('img').click();
    await eventually(() => large(page).count()).toBe(0);
    await picture(page).click();
    await follow(page, '/about');
    await page.waitForURL('**/about');
    await eventually(() => large(page).count()).toBe(0);
  });
});

describe("'Copy page as Markdown'", () => {
  test('copies the text at the .md address to the clipboard', async ({ page, context }) => {
    await mayCopy(context);
    await visitStopped(page, architecture);
    const text = await page.evaluate(async (path) => (await fetch(`${path}.md`)).text(), architecture);
    expect(text).toContain('## Three roles');
    const copy = page.locator('.copy-page');
    expect(await copy.textContent()).toBe('Copy page as Markdown');
    await copy.click();
    await eventually(() => copy.textContent()).toBe('Copied');
    expect(await clipboard(page)).toBe(text);
  });

  test('says when the text does not load', async ({ page, context, problems }) => {
    problems.allow(/503/);
    await mayCopy(context);
    await page.route('**/*.md', (route) => route.fulfill({ status: 503, body: 'busy' }));
    await visitStopped(page, architecture);
    await page.locator('.copy-page').click();
    await eventually(() => page.locator('.copy-page').textContent()).toBe('Not copied');
  });
});

describe("'Was this page helpful'", () => {
  const question = (page: Page) => page.locator('.helpful');

  test.for([
    ['Yes', architecture],
    ['No', '/docs/intro/product_intro'],
  ] as const)('%s is recorded like a page view, with thanks', async ([answer, path], { page, console }) => {
    await visit(page, path);
    await question(page).getByRole('button', { name: answer, exact: true }).click();
    await eventually(() => question(page).textContent()).toBe('Thank you, noted.');
    expect(await question(page).getAttribute('role')).toBe('status');
    expect(await isFocused(question(page))).toBe(true);
    const uri = `${path}?helpful=${answer.toLowerCase()}`;
    const seen = (await console.seen(calls.addViewLog)).filter(({ body }) => isRecord(body) && body.uri === uri);
    expect(seen).toHaveLength(1);
    expect(seen[0]?.body).toMatchObject({ src: '', kw: '', vbId: '', uid: '', uri });
  });

  test('a failure is reported, and Retry sends the same answer', async ({ page, problems, console }) => {
    problems.allow(/50\d|was not recorded/);
    const recorded = page.waitForResponse(`**${calls.addViewLog}`);
    await visit(page, api);
    // The record of the visit itself is not among the failing calls.
    await recorded;
    let failures = 2;
    await page.route(`**${calls.addViewLog}`, (route) => {
      failures -= 1;
      return failures < 0 ? route.continue() : route.fulfill({ status: 503, body: '' });
    });
    await question(page).getByRole('button', { name: 'No', exact: true }).click();
    const notice = question(page).getByRole('alert');
    await notice.waitFor();
    expect(await notice.textContent()).toContain('Your answer could not be sent.');
    expect(await question(page).textContent()).not.toContain('Thank you');
    await notice.getByRole('button', { name: 'Retry' }).click();
    await eventually(() => failures).toBe(0);
    // Until then the button belongs to the first failure and sends nothing more.
    await eventually(() => question(page).getAttribute('aria-busy')).toBeNull();
    await notice.getByRole('button', { name: 'Retry' }).click();
    await eventually(() => question(page).textContent()).toBe('Thank you, noted.');
    const seen = await console.seen(calls.addViewLog);
    expect(seen.filter(({ body }) => isRecord(body) && body.uri === `${api}?helpful=no`)).toHaveLength(1);
  });
});
