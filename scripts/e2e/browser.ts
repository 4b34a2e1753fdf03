import { randomBytes } from 'node:crypto';
import { expect, inject, test as plain } from 'vitest';
import { launchChromium } from './chromium.ts';
import { watchPage } from './watch-page.ts';

/**
 * Vitest's `test` with a page of a real Chromium on the running site: `page.goto('/pricing')`. A console error, a
 * hydration warning, a policy violation, an uncaught error or a failed request fails the test, unless the test called
 * `problems.allow(/…/)` before. Create other contexts (JavaScript off, another size) from `browser` and watch their
 * pages with `watchPage`.
 */
export const test = plain
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the pattern to know which fixtures are wanted
  .extend('browser', { scope: 'worker' }, async ({}, { onCleanup }) => {
    const browser = await launchChromium();
    onCleanup(() => browser.close());
    return browser;
  })
  .extend('siteUrl', { scope: 'file' }, () => inject('siteUrl'))
  // A separate address, so that what the site and the console record per address belongs to this test alone.
  .extend('visitor', () => `10.${[...randomBytes(3)].join('.')}`)
  .extend('context', async ({ browser, siteUrl, visitor }, { onCleanup }) => {
    const context = await browser.newContext({
      baseURL: siteUrl,
      viewport: { width: 1280, height: 800 },
      extraHTTPHeaders: { 'X-Forwarded-For': visitor },
      // Animations keep a core busy with drawing; a test of motion turns them on with `emulateMedia`.
      reducedMotion: 'reduce',
    });
    onCleanup(() => context.close());
    return context;
  })
  .extend('watched', async ({ context }, { onCleanup }) => {
    const page = await context.newPage();
    const problems = watchPage(page);
    onCleanup(() => expect(problems.list(), 'problems in the page').toEqual([]));
    return { page, problems };
  })
  .extend('page', ({ watched }) => watched.page)
  .extend('problems', ({ watched }) => watched.problems);
