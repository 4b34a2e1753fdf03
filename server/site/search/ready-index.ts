import { AppError } from '../../errors.ts';
import type { SearchIndex } from './search-index.ts';

/** How long a query waits for the index: a little less than the 10 s a browser waits, so our own answer arrives. */
const waitAtMostMs = 9_000;

/** Thrown when a query has waited long enough for an index that is still being built. */
export class SearchNotReady extends AppError {
  constructor() {
    super('SEARCH_NOT_READY', {
      status: 503,
      msg: 'The search is still being prepared. Please try again in a moment.',
    });
  }
}

/** The index once it is built. @throws SearchNotReady, and what building it threw */
export async function readyIndex(building: Promise<SearchIndex>): Promise<SearchIndex> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new SearchNotReady()), waitAtMostMs);
  try {
    return await Promise.race([building, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
