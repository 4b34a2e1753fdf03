import { pageOf } from './links.ts';

/** Tasks around a page change, in order. */
export interface PageTasks {
  leave: (() => void)[];
  arrive: (() => void)[];
  /** After a change of the address only. */
  addressChange: (() => void)[];
}

/** The page that is shown, and what runs when another one takes its place. */
export const current: { page: string; tasks: PageTasks } = {
  /** Path and query; after back or forward the address bar is ahead of it. */
  page: pageOf(location),
  tasks: { leave: [], arrive: [], addressChange: [] },
};

/** False for an address that differs from the current page's at most in its query. */
export function isOtherPath(url: URL): boolean {
  return current.page.replace(/\?.*/s, '') !== url.pathname;
}
