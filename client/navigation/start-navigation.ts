import { atFirstSign } from '../browser/idle.ts';
import { clearNotice } from '../browser/notice.ts';
import { current, isOtherPath, type PageTasks } from './current-page.ts';
import { formAddress, linkOf, pageOf, softAddress } from './links.ts';
import { loadFullyIfOnline } from './load-fully.ts';
import { startProgress, stopProgress } from './progress.ts';
import { entryNumber, keepPosition, numberEntry, restorePosition } from './scroll.ts';

// By a name: the build would pull anything chained to an import into the code that runs once its files are loaded.
const load = () => import('./navigate.ts');

type Part = Awaited<ReturnType<typeof load>>;

let coming: Promise<Part> | undefined;

/** Runs a task with what shows pages; tasks keep their order while it is loading. */
function withPart(task: (part: Part) => void, fail: () => void): void {
  coming ??= load();
  coming.then(task, () => {
    coming = undefined;
    fail();
  });
}

/** Counts what the visitor chose: a page whose load fails must not replace a later choice. */
let choices = 0;

function visit(url: URL, push: boolean): void {
  choices += 1;
  const choice = choices;
  if (isOtherPath(url)) startProgress();
  withPart(
    (part) => void part.visit(url, push),
    () => {
      if (choice !== choices) return;
      stopProgress();
      loadFullyIfOnline(url, () => visit(url, push));
    },
  );
}

/** A page that is still loading, or that Retry would load, must not replace a later choice. */
function stay(): void {
  choices += 1;
  stopProgress();
  clearNotice();
  withPart(
    (part) => part.stay(),
    // Without that part no page is loading.
    () => undefined,
  );
}

function follow(event: Event, url: URL | undefined): void {
  if (!url) return;
  // During back or forward, the address is not that of the current page.
  if (url.hash && pageOf(url) === current.page && current.page === pageOf(location)) {
    keepPosition();
    stay();
    return;
  }
  event.preventDefault();
  visit(url, true);
}

/**
 * Follows the site's links and GET forms, and the browser's back and forward. What shows and
 * prefetches pages is loaded at the visitor's first interaction.
 */
export function startNavigation(tasks: PageTasks): void {
  current.tasks = tasks;
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
    if (current.page !== pageOf(location)) return visit(new URL(location.href), false);
    stay();
    numberEntry();
    restorePosition();
  });
  atFirstSign(() => {
    withPart(
      (part) => part.startPrefetch(),
      // Ignored on purpose: the next link tries again.
      () => undefined,
    );
  });
}
