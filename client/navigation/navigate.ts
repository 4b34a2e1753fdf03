import { markSection } from '../bar/mark-section.ts';
import { announce } from '../browser/live-region.ts';
import { current, isOtherPath } from './current-page.ts';
import { pageOf } from './links.ts';
import { buildOf, forget, type LoadedPage, take } from './load.ts';
import { loadFully, loadFullyIfOnline } from './load-fully.ts';
import { prefetchInView, prefetchOnUse } from './prefetch.ts';
import { startProgress, stopProgress } from './progress.ts';
import { addEntry, forgetPosition, hashTarget, keepPosition, numberEntry, restorePosition } from './scroll.ts';
import { addStyleSheets, swap } from './swap.ts';

/** Number of the latest navigation: an earlier one that finishes later is dropped. */
let journey = 0;

function show({ url, document: page }: LoadedPage, hash: string, push: boolean): void {
  for (const task of current.tasks.leave) task();
  url.hash = hash;
  if (push && url.href !== location.href) addEntry(url);
  else {
    if (push) forgetPosition();
    history.replaceState(history.state, '', url);
    numberEntry();
  }
  swap(page);
  current.page = pageOf(location);
  // A redirect may have led to a section other than the link's.
  markSection(current.page);
  for (const task of current.tasks.arrive) task();
  prefetchInView();
  restorePosition();
  const start = hashTarget(hash) ?? document.querySelector<HTMLElement>('main h1') ?? document.querySelector('main');
  if (start && start.tabIndex < 0) start.tabIndex = -1;
  start?.focus({ preventScroll: true });
  announce(document.title);
}

/** Changes the current page's address after a script has changed a part of the page. */
export function replaceAddress(url: URL, title: string): void {
  history.replaceState(history.state, '', url);
  document.title = title;
  current.page = pageOf(location);
  for (const task of current.tasks.addressChange) task();
}

/** Navigates to a page of the site without a full load; `push` adds a history entry. */
export async function visit(url: URL, push = true): Promise<void> {
  journey += 1;
  const mine = journey;
  markSection(url.pathname);
  if (isOtherPath(url)) startProgress();
  try {
    const page = await take(url);
    if (mine !== journey) return;
    if (buildOf(page.document) !== buildOf(document)) return loadFully(url);
    await addStyleSheets(page.document);
    if (mine === journey) show({ ...page, url: new URL(page.url) }, url.hash, push);
  } catch {
    if (mine !== journey) return;
    if (!navigator.onLine) markSection(current.page);
    loadFullyIfOnline(url, () => void visit(url, push));
  } finally {
    if (mine === journey) stopProgress();
  }
}

/** Begins to prefetch what the visitor may follow. */
export function startPrefetch(): void {
  prefetchOnUse();
}

/** Drops a page that is still loading: the visitor has chosen the one that is shown. */
export function stay(): void {
  journey += 1;
  stopProgress();
  markSection(current.page);
}

/** Fetches and shows the current page again without changing the scroll position. */
export async function refresh(): Promise<void> {
  keepPosition();
  forget();
  await visit(new URL(location.href), false);
}
