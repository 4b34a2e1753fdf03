import { clearNotice, showNotice } from './notice.ts';
import { report } from './report.ts';
import { retryLoad } from './retry-load.ts';

/**
 * Loads a part of the site that is needed now; when its files do not arrive, the page stays, with an error text and
 * Retry.
 * @param failure what to tell the visitor then, as a sentence
 */
export function loadPart<Part>(failure: string, load: () => Promise<Part>, use: (part: Part) => unknown): void {
  load().then(
    (part) => {
      clearNotice();
      return use(part);
    },
    (error: unknown) => {
      report(failure, error);
      const { hint, retry } = retryLoad(error, () => loadPart(failure, load, use));
      showNotice((navigator.onLine ? failure : `You are offline. ${failure}`) + hint, retry);
    },
  );
}
