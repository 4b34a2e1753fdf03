import type { Browser, Page } from 'playwright';
import { patience } from '../../server/testing/patience.ts';

// A page without our scripts (another site, a file, scripts off), one whose script failed to load, or one that runs it.
const settled = ':root:not([data-js]), [data-files-missing], [aria-live=polite]';

/**
 * Makes pages wait as long as a starved machine needs. Waiting for a page's load also waits for its script, which
 * starts after the first paint and so may be later. @returns the same browser
 */
export function patientBrowser(browser: Browser): Browser {
  const newContext = browser.newContext.bind(browser);
  return Object.assign(browser, {
    async newContext(...args: Parameters<Browser['newContext']>) {
      const context = await newContext(...args);
      context.setDefaultTimeout(patience.timeout);
      await context.addInitScript(liftTimeLimits);
      return context.on('page', awaitScript);
    },
  });
}

/** A page gives up what takes longer than ten seconds. */
function liftTimeLimits(): void {
  AbortSignal.timeout = () => new AbortController().signal;
  Object.defineProperty(XMLHttpRequest.prototype, 'timeout', { set: () => undefined });
}

function awaitScript(page: Page): void {
  const { goto, reload, goBack, goForward, waitForLoadState, waitForURL } = page;
  async function then<Result>(loaded: Promise<Result>, until: string | undefined): Promise<Result> {
    const result = await loaded;
    if (until === undefined || until === 'load') await page.locator(settled).first().waitFor({ state: 'attached' });
    return result;
  }
  Object.assign(page, {
    goto: (...args: Parameters<Page['goto']>) => then(goto.apply(page, args), args[1]?.waitUntil),
    reload: (...args: Parameters<Page['reload']>) => then(reload.apply(page, args), args[0]?.waitUntil),
    goBack: (...args: Parameters<Page['goBack']>) => then(goBack.apply(page, args), args[0]?.waitUntil),
    goForward: (...args: Parameters<Page['goForward']>) => then(goForward.apply(page, args), args[0]?.waitUntil),
    waitForLoadState: (...args: Parameters<Page['waitForLoadState']>) =>
      then(waitForLoadState.apply(page, args), args[0]),
    waitForURL: (...args: Parameters<Page['waitForURL']>) => then(waitForURL.apply(page, args), args[1]?.waitUntil),
  });
}
