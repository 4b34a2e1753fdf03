import { markSection } from '../bar/mark-section.ts';
import { announce } from '../browser/live-region.ts';
import { clearNotice, showNotice } from '../browser/notice.ts';
import { formAddress, linkOf, pageOf, softAddress } from './links.ts';
import { buildOf, forget, type LoadedPage, take } from './load.ts';
import { startProgress, stopProgress } from './progress.ts';
import {
  addEntry,
  entryNumber,
  forgetPosition,
  hashTarget,
  keepPosition,
  numberEntry,
  restorePosition,
} from './scroll.ts';
import { addStyleSheets, swap } from './swap.ts';

/** Tasks around a page change, in order. */
export interface PageTasks {
  leave: (() => void)[];
  arrive: (() => void)[];
  /** After a change of the address only. */
  addressChange: (() => void)[];
}

let tasks: PageTasks;
/** Path and query of the current page; after back or forward the address bar is ahead of it. */
let shown = pageOf(location);
/** Number of the latest navigation: an earlier one that finishes later is dropped. */
let journey = 0;

function loadFully(url: URL): void {
  // Assigning the current address would at most scroll.
  if (url.href === location.href) location.reload();
  else location.assign(url);
}

function show({ url, document: page }: LoadedPage, hash: string, push: boolean): void {
  for (const task of tasks.leave) task();
  url.hash = hash;
  if (push && url.href !== location.href) addEntry(url);
  else {
    if (push) forgetPosition();
    history.replaceState(history.state, '', url);
    numberEntry();
  }
  swap(page);
  shown = pageOf(location);
  // A redirect may have led to a section other than the link's.
  markSection(shown);
  for (const task of tasks.arrive) task();
  restorePosition();
  const start = hashTarget(hash) ?? document.querySelector<HTMLElement>('main h1') ?? document.querySelector('main');
  if (start && start.tabIndex < 0) start.tabIndex = -1;
  start?.focus({ preventScroll: true });
  announce(document.title);
}

function explainOffline(url: URL, push: boolean): void {
  markSection(shown);
  showNotice('You are offline, so the page could not be loaded.', () => void visit(url, push));
}

/** Changes the current page's address after a script has changed a part of the page. */
export function replaceAddress(url: URL, title: string): void {
  history.replaceState(history.state, '', url);
  document.title = title;
  shown = pageOf(location);
  for (const task of tasks.addressChange) task();
}

/** Navigates to a page of the site without a full load; `push` adds a history entry. */
async function visit(url: URL, push = true): Promise<void> {
  journey += 1;
  const mine = journey;
  markSection(url.pathname);
  if (shown.replace(/\?.*/s, '') !== url.pathname) startProgress();
  try {
    const page = await take(url);
    if (mine !== journey) return;
    if (buildOf(page.document) !== buildOf(document)) return loadFully(url);
    await addStyleSheets(page.document);
    if (mine === journey) show({ ...page, url: new URL(page.url) }, url.hash, push);
  } catch {
    if (mine !== journey) return;
    if (navigator.onLine) loadFully(url);
    else explainOffline(url, push);
  } finally {
    if (mine === journey) stopProgress();
  }
}

/** A page that is still loading, or that Retry would load, must not replace a later choice. */
function stay(): void {
  journey += 1;
  clearNotice();
  stopProgress();
  markSection(shown);
}

/** Fetches and shows the current page again without changing the scroll position. */
export async function refresh(): Promise<void> {
  keepPosition();
  forget();
  await visit(new URL(location.href), false);
}

function follow(event: Event, url: URL | undefined): void {
  if (!url) return;
  // During back or forward, the address is not that of the current page.
  if (url.hash && pageOf(url) === shown && shown === pageOf(location)) {
    keepPosition();
    stay();
    return;
  }
  event.preventDefault();
  void visit(url);
}

/** Follows the site's links and GET forms, and the browser's back and forward. */
export function startNavigation(around: PageTasks): void {
  tasks = around;
  document.addEventListener('click', (event) => {
    const link = linkOf(event);
    if (!link || event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    follow(event, softAddress(link));
  });
  document.addEventListener('submit', (event) => {
    if (event.defaultPrevented || !(event.target instanceof HTMLFormElement)) return;
    follow(event, formAddress(event.target, event.submitter));
  });
  addEventListener('popstate', () => {
    // An entry without a number was created by a link to a heading: the browser has already scrolled.
    if (entryNumber() === undefined) return numberEntry();
    keepPosition();
    if (shown !== pageOf(location)) {
      void visit(new URL(location.href), false);
      return;
    }
    stay();
    numberEntry();
    restorePosition();
  });
}
