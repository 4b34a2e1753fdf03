import { atFirstSign } from './idle.ts';
import { report } from './report.ts';

/** How far below the bar a heading's text begins to count as the one being read. */
const line = 130;
let watched: IntersectionObserver | undefined;
let awake = false;

/** Marks the heading being read in the tables of contents. */
function markHeading(headings: HTMLElement[], links: HTMLAnchorElement[]): void {
  const atEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2;
  const passed = headings.filter((heading) => heading.getBoundingClientRect().top < (atEnd ? innerHeight : line));
  const current = `#${passed.at(-1)?.id}`;
  for (const link of links) link.ariaCurrent = decodeURIComponent(link.hash) === current ? 'location' : null;
}

function watchHeadings(): void {
  watched?.disconnect();
  const links = [...document.querySelectorAll<HTMLAnchorElement>('.toc li a, .toc-folded li a')];
  const headings = [...document.querySelectorAll<HTMLElement>('.prose :is(h2, h3)[id]')];
  if (links.length === 0 || headings.length === 0) return;
  // A heading that crosses the line, or comes in at the bottom, can change the answer.
  watched = new IntersectionObserver(() => markHeading(headings, links), { rootMargin: `-${line}px 0px 0px` });
  for (const heading of headings) watched.observe(heading);
}

function makeTabs(): void {
  if (!document.querySelector('[data-tabs]')) return;
  import('./reading/tabs.ts').then(
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
  import('./reading/tools.ts').then(
    ({ addTools }) => addTools(),
    (error: unknown) => report('The reading tools did not load.', error),
  );
}

/** Shows the current page in a sidebar that is longer than the window. */
function showCurrentBranch(): void {
  const sidebar = document.querySelector<HTMLElement>('.sidebar');
  const current = sidebar?.querySelector<HTMLElement>('[aria-current]');
  if (!sidebar || !current) return;
  const { top, bottom } = current.getBoundingClientRect();
  const frame = sidebar.getBoundingClientRect();
  if (top < frame.top || bottom > frame.bottom) sidebar.scrollTop += top - frame.top - frame.height / 3;
}

/** What reading a page needs each time one is shown. */
export function startReading(): void {
  watchHeadings();
  makeTabs();
  addTools();
  showCurrentBranch();
}

/** Copying, wrapping, enlarging and 'Was this page helpful' load when the visitor first stirs. */
export function startReadingTools(): void {
  atFirstSign(() => {
    awake = true;
    addTools();
  });
}
