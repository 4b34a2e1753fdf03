import { onClick } from '../browser/element.ts';
import { atFirstSign } from '../browser/idle.ts';
import { loadPart } from '../browser/load-part.ts';
import { report } from '../browser/report.ts';
import { hashTarget } from '../navigation/scroll.ts';
import { revealTarget } from './reveal.ts';

/** How far down the window a heading counts as current: just below where heading links scroll to on a phone. */
const line = 150;
let awake = false;
let links: HTMLAnchorElement[] = [];
let headings: HTMLElement[] = [];

/** Marks the heading being read in the tables of contents. */
function markHeading(): void {
  if (links.length === 0) return;
  const atEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2;
  const passed = headings.filter((heading) => heading.getBoundingClientRect().top < (atEnd ? innerHeight : line));
  const current = passed.at(-1);
  for (const link of links) {
    const state = current && hashTarget(link.hash) === current ? 'location' : null;
    if (link.ariaCurrent !== state) link.ariaCurrent = state;
  }
}

function findHeadings(): void {
  links = [...document.querySelectorAll<HTMLAnchorElement>('.toc li a, .toc-folded li a')];
  headings = [...document.querySelectorAll<HTMLElement>('.prose :is(h2, h3)[id]')];
  markHeading();
}

function makeTabs(): void {
  if (!document.querySelector('[data-tabs]')) return;
  import('./tabs.ts').then(
    ({ makeTabs }) => makeTabs(),
    (error: unknown) => {
      // Shows every section again, one below the other.
      document.documentElement.dataset.noTabs = '';
      report('The tabs did not load.', error);
    },
  );
}

function addTools(): void {
  if (!awake || !document.querySelector('.prose')) return;
  import('./tools.ts').then(
    ({ addTools }) => addTools(),
    (error: unknown) => report('The reading tools did not load.', error),
  );
}

/** Shows the current page in a sidebar that is taller than the window. */
function showCurrentBranch(): void {
  const sidebar = document.querySelector<HTMLElement>('.sidebar');
  const current = sidebar?.querySelector<HTMLElement>('[aria-current]');
  if (!sidebar || !current) return;
  const { top, bottom } = current.getBoundingClientRect();
  const frame = sidebar.getBoundingClientRect();
  if (top < frame.top || bottom > frame.bottom) sidebar.scrollTop += top - frame.top - frame.height / 3;
}

/** Runs each time a page is shown. */
export function startReading(): void {
  findHeadings();
  makeTabs();
  revealTarget();
  addTools();
  showCurrentBranch();
}

/**
 * Copying, wrapping and enlarging load at the visitor's first interaction, 'Was this page helpful' when it is answered,
 * a branch of a long sidebar when it is opened.
 */
export function startReadingTools(): void {
  onClick('[data-helpful]', (button) => {
    const { pathname } = location;
    loadPart(
      'Your answer could not be sent.',
      () => import('./feedback.ts'),
      ({ sendFeedback }) => sendFeedback(button, pathname),
    );
  });
  onClick('.sidebar a[data-branch]', (link, event) => {
    if (!(link instanceof HTMLAnchorElement) || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    loadPart(
      'The list did not load.',
      () => import('./open-branch.ts'),
      ({ openBranch }) => openBranch(link),
    );
  });
  // An IntersectionObserver would miss headings that a jump moves from below the window to above it.
  addEventListener('scroll', markHeading, { passive: true });
  // The browser opens folded blocks on its own, but not tabs.
  addEventListener('hashchange', revealTarget);
  // Tools that could not load while the visitor was offline.
  addEventListener('online', addTools);
  atFirstSign(() => {
    awake = true;
    addTools();
  });
}
