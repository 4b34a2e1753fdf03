import { showNotice } from '../browser/notice.ts';

/** Has the browser load a page itself. */
export function loadFully(url: URL): void {
  // Assigning the current address would at most scroll.
  if (url.href === location.href) location.reload();
  else location.assign(url);
}

/** For a page that did not arrive: the browser tries it; offline the current page stays, with a message and Retry. */
export function loadFullyIfOnline(url: URL, retry: () => void): void {
  if (navigator.onLine) loadFully(url);
  else showNotice('You are offline, so the page could not be loaded.', retry);
}
