import { describe, expect } from 'vitest';
import { fixedPaths } from '../../server/site/urls.ts';
import { test } from './browser.ts';
import { checkPage } from './page-checks.ts';
import { settle } from './visitor.ts';

describe.each(fixedPaths)('%s', (address) => {
  test('is accessible, fits the window and logs no problems', ({ page, problems }) =>
    checkPage(page, problems, address, address === '/404' ? 404 : 200));
});

// The sign-in page requests the list of identity providers.
test.for<[string, string[]]>([
  ['/login', ['POST /rdp/console/api/v1/constant/sso_type']],
  ['/register', []],
  ['/registerFromMarket', []],
  ['/resetPwd', []],
])('%s makes no other calls when it is opened', async ([address, expected], { page }) => {
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() !== 'GET' && pathname !== '/addviewlog') calls.push(`${request.method()} ${pathname}`);
  });
  // Sent once the page's scripts have finished all automatic work.
  const recorded = page.waitForRequest('**/addviewlog');
  await page.goto(address);
  await recorded;
  // The form's own script has run too, and would have made its calls by now.
  await page.locator('form[data-attached], .form-column > .notice:not([data-without-js])').waitFor();
  await settle(page);
  expect(await page.locator('h1').count()).toBe(1);
  expect(calls).toEqual(expected);
});
