import { expect } from 'vitest';
import { test } from './browser.ts';
import { entryScript } from './visitor.ts';

test('a script that was changed in transit is not run', async ({ page, problems }) => {
  problems.allow(/integrity/);
  await page.route(entryScript, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `${await response.text()}\ndocument.documentElement.dataset.changed = '';` });
  });
  const refused = page.waitForEvent('console', (message) => /integrity/.test(message.text()));
  await page.goto('/why');
  expect((await refused).type()).toBe('error');
  expect(await page.locator('html').getAttribute('data-changed')).toBeNull();
  // The page itself needs no script.
  expect(await page.locator('h1').innerText()).not.toBe('');
});
