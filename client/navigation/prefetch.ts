import { linkOf, pageOf, softAddress } from './links.ts';
import { load } from './load.ts';

/** How many links a page prefetches because they came into view: fifty links must not fetch fifty pages. */
const inViewAtMost = 5;

/** False on 2g and in data-saver mode; browsers that do not report it count as fast. */
function mayPrefetch(): boolean {
  const connection: unknown = Reflect.get(navigator, 'connection');
  if (typeof connection !== 'object' || connection === null) return true;
  return !Reflect.get(connection, 'saveData') && !/2g/.test(String(Reflect.get(connection, 'effectiveType')));
}

function prefetch(link: HTMLAnchorElement | undefined): void {
  const url = link && softAddress(link);
  // A failure is ignored on purpose: following the link fetches it again.
  if (url && pageOf(url) !== pageOf(location) && mayPrefetch()) load(url).catch(() => {});
}

let visible: IntersectionObserver | undefined;

/**
 * Watches the links in the page's own text, and the link to the next page, which is fetched once the reader reaches the
 * end.
 */
export function prefetchInView(): void {
  visible?.disconnect();
  let left = inViewAtMost;
  const observer = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting || !(target instanceof HTMLAnchorElement)) continue;
      // The next page in reading order is the most likely one: it is fetched regardless of the limit.
      if (target.rel !== 'next' && left-- <= 0) continue;
      observer.unobserve(target);
      prefetch(target);
    }
  });
  for (const link of document.querySelectorAll('main a:not(nav a, aside a), main a[rel=next]')) observer.observe(link);
  visible = observer;
}

/** Prefetches a page when its link is hovered, focused or, within limits, in view. */
export function prefetchOnUse(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  // Links that the pointer only passes over are not fetched.
  const rest = (link: HTMLAnchorElement | null | undefined) => {
    clearTimeout(timer);
    if (link) timer = setTimeout(() => prefetch(link), 65);
  };
  // The element already in use.
  prefetch(document.querySelector<HTMLAnchorElement>('a:focus') ?? undefined);
  rest(document.querySelector<HTMLAnchorElement>('a:hover'));
  document.addEventListener('pointerover', (event) => rest(linkOf(event)));
  document.addEventListener('focusin', (event) => prefetch(linkOf(event)));
  prefetchInView();
}
