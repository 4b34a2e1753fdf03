import { atFirstSign } from '../browser/idle.ts';

let part: typeof import('./prefetch.ts') | undefined;

// By a name: the build draws what is chained to an import into what runs once its files are there.
const load = () => import('./prefetch.ts');

/** Loads the prefetching of pages at the visitor's first interaction. */
export function startPrefetch(): void {
  atFirstSign(() => {
    load().then(
      (loaded) => {
        part = loaded;
        loaded.prefetchOnUse();
      },
      // Ignored on purpose: without it, links are followed as well.
      () => undefined,
    );
  });
}

/** Prefetches what the page now shown most likely leads to. */
export function prefetchInView(): void {
  part?.prefetchInView();
}
