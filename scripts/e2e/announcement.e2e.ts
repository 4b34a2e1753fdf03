import type { Page } from 'playwright';
import { describe, expect } from 'vitest';
import { test } from './browser.ts';
import { entryScript, eventually, follow, hold, isMarked, mark, store, stored } from './visitor.ts';

const announcement = (page: Page) => page.getByRole('complementary', { name: 'Announcement' });
const close = (page: Page) => page.getByRole('button', { name: 'Close the announcement' });
const idOf = (page: Page) => page.locator('.announcement').getAttribute('data-announcement');
/** Where the bar begins: below the announcement, or at the top of the page. */
const barTop = (page: Page) => page.locator('.bar').evaluate((bar) => bar.getBoundingClientRect().top);

describe.each([390, 1280])('the announcement, %i px', (width) => {
  test('is above the bar of every page until it is closed, then on no page', async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    for (const path of ['/', '/docs/intro/product_intro', '/blog', '/login']) {
      await page.goto(path);
      expect(await announcement(page).isVisible()).toBe(true);
      expect(await barTop(page)).toBe((await announcement(page).boundingBox())?.height);
    }
    expect(await stored(page, 'announcement')).toBeNull();
    await mark(page);
    await close(page).click();
    expect([await announcement(page).count(), await barTop(page)]).toEqual([0, 0]);
    expect(await stored(page, 'announcement')).toBe(await idOf(page));

    await follow(page, '/about');
    await page.waitForURL('**/about');
    expect([await isMarked(page), await announcement(page).count(), await barTop(page)]).toEqual([true, 0, 0]);
    await page.reload();
    expect([await announcement(page).count(), await barTop(page)]).toEqual([0, 0]);
    await page.goto('/');
    expect([await announcement(page).count(), await barTop(page)]).toEqual([0, 0]);
  });

  test('that was closed is not in the first paint', async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/pricing');
    await close(page).click();
    const script = await hold(page, entryScript, 'script');
    await page.reload({ waitUntil: 'commit' });
    await page.locator('.footer').waitFor();
    expect([await announcement(page).count(), await barTop(page)]).toEqual([0, 0]);
    script.release();
    await page.waitForLoadState('load');
    expect([await announcement(page).count(), await barTop(page)]).toEqual([0, 0]);
  });

  test('appears again with another id, from the first paint on, and is closed by that id', async ({
    page,
    context,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    await store(context, { announcement: 'the-one-before' });
    const script = await hold(page, entryScript, 'script');
    await page.goto('/pricing', { waitUntil: 'commit' });
    await page.locator('.footer').waitFor();
    expect(await announcement(page).isVisible()).toBe(true);
    script.release();
    await page.waitForLoadState('load');
    expect(await announcement(page).isVisible()).toBe(true);
    await close(page).click();
    expect(await announcement(page).count()).toBe(0);
    expect(await stored(page, 'announcement')).toBe(await idOf(page));
    await page.reload();
    expect(await announcement(page).count()).toBe(0);
  });
});

test('an announcement closed in one tab closes in the others, which keep their focus', async ({ page, context }) => {
  const other = await context.newPage();
  await other.goto('/about');
  const focused = () => other.evaluate(() => document.activeElement?.textContent?.trim());
  await other.locator('.logo').first().focus();
  await page.goto('/pricing');
  await close(page).click();
  await eventually(() => announcement(other).count()).toBe(0);
  expect([await barTop(other), await focused()]).toEqual([0, 'Millrace']);
});

test('the announcement link is followed without a full load and leaves it open', async ({ page }) => {
  await page.goto('/pricing');
  await mark(page);
  const link = announcement(page).getByRole('link');
  const href = await link.getAttribute('href');
  await link.click();
  await page.waitForURL(`**${href}`);
  expect([await isMarked(page), await announcement(page).isVisible()]).toEqual([true, true]);
  await page.reload();
  expect(await announcement(page).isVisible()).toBe(true);
});

test.for(['Enter', ' '])(
  'the keyboard reaches the announcement before the bar and closes it with %o',
  async (key, { page }) => {
    await page.goto('/pricing');
    const focused = () =>
      page.evaluate(() => document.activeElement?.ariaLabel || document.activeElement?.textContent?.trim());
    const walked: unknown[] = [];
    for (const _stop of ['skip link', 'link', 'button']) {
      await page.keyboard.press('Tab');
      walked.push(await focused());
    }
    expect(walked).toEqual(['Skip to main content', 'Read the notes', 'Close the announcement']);
    await page.keyboard.press(key);
    expect(await announcement(page).count()).toBe(0);
    expect(await stored(page, 'announcement')).toBe(await idOf(page));
    // The button is gone: the focus is at the bar's start and continues from there.
    expect(await focused()).toBe('Millrace');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Product');
  },
);
