import { isRecord, parseJson } from '../browser/json.ts';
import { session } from '../browser/storage.ts';

const name = 'scroll';
/** Scroll position of each history entry, by the number in its state. */
let positions: Record<number, unknown> = {};

/** The current history entry's number, if it has one. */
export function entryNumber(): number | undefined {
  const state: unknown = history.state;
  return isRecord(state) && typeof state.entry === 'number' ? state.entry : undefined;
}

/** Number of the entry whose page is shown; after back or forward the browser's entry is ahead of it. */
let entry = 0;

/** Gives the current history entry a number; entries created by a link to a heading have none. */
export function numberEntry(): void {
  entry = entryNumber() ?? Date.now();
  history.replaceState({ entry }, '');
}

/** Creates a history entry for an address. */
export function addEntry(url: URL): void {
  keepPosition();
  entry = Date.now();
  history.pushState({ entry }, '', url);
}

/** Forgets the scroll position of the current entry: its page is loaded again. */
export function forgetPosition(): void {
  delete positions[entry];
}

/** Remembers the scroll position of the current entry. */
export function keepPosition(): void {
  positions[entry] = scrollY;
}

/** The element that an address's hash refers to, as written or decoded. */
export function hashTarget(hash: string): HTMLElement | null {
  const id = hash.slice(1);
  try {
    return id ? (document.getElementById(id) ?? document.getElementById(decodeURIComponent(id))) : null;
  } catch {
    return null;
  }
}

/**
 * Scrolls to the entry's last position, otherwise to the hash's target (CSS keeps it below the bar), otherwise to the
 * top.
 */
export function restorePosition(): void {
  const y = positions[entry];
  const target = hashTarget(location.hash);
  if (typeof y === 'number') scrollTo(0, y);
  else if (target) target.scrollIntoView();
  else scrollTo(0, 0);
}

function takeOver(): void {
  history.scrollRestoration = 'manual';
}

/**
 * Takes over scroll restoration, since the browser would scroll before the new page is ready; returns it when the page
 * is left.
 */
export function startScrollMemory(): void {
  const kept = parseJson(session.get(name));
  if (isRecord(kept)) positions = kept;
  numberEntry();
  // After a reload, a hash would scroll away from the reader's position.
  if (entry in positions) restorePosition();
  // Until this script runs, the browser restores on its own. The page is usually shown before that, and again when
  // returned to.
  if (document.readyState === 'complete') takeOver();
  addEventListener('pageshow', ({ persisted }) => {
    takeOver();
    // WebKit scrolls a page that it kept whole to the top.
    if (persisted) restorePosition();
  });
  addEventListener('pagehide', () => {
    keepPosition();
    session.set(name, JSON.stringify(positions));
    history.scrollRestoration = 'auto';
  });
}
