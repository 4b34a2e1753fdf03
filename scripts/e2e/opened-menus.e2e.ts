import { expect } from 'vitest';
import { test } from './browser.ts';
import { overflow, sizes, violationsByTheme, withAxe } from './page-checks.ts';

test('drop-downs and the theme menu are accessible', async ({ context, page }) => {
  await withAxe(context);
  await page.goto('/about');
  for (const menu of ['Product', 'Solutions', 'Resources', 'Theme']) {
    const summary = page
      .locator('.bar summary', { hasText: menu })
      .or(page.locator(`.bar summary[aria-label="${menu}"]`));
    await summary.locator('visible=true').press('Enter');
    expect(await page.locator('.bar details[open] .drop-down').locator('visible=true').count()).toBe(1);
    expect(await violationsByTheme(page, menu)).toEqual([]);
  }
});

test('the mobile menu and the documents drawer are accessible and fit the window', async ({ context, page }) => {
  await withAxe(context);
  await page.setViewportSize(sizes.phone);
  await page.goto('/docs/intro/product_intro');
  await page.locator('.mobile-menu > summary').click();
  await page.locator('.mobile-panel summary', { hasText: 'Product' }).click();
  expect(await page.locator('.mobile-panel').isVisible()).toBe(true);
  expect(await violationsByTheme(page, 'menu')).toEqual([]);
  expect(await overflow(page, sizes.phone.width)).toEqual([]);
  await page.locator('.mobile-menu > summary').click();
  await page.getByRole('button', { name: 'Documentation menu' }).click();
  expect(await page.locator('#Sidebar').isVisible()).toBe(true);
  expect(await violationsByTheme(page, 'drawer')).toEqual([]);
  expect(await overflow(page, sizes.phone.width)).toEqual([]);
});
