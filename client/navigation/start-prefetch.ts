import { atFirstSign } from '../browser/idle.ts';

let part: typeof import('./prefetch.ts') | undefined;

// By a name: the build would pull anything chained to an import into the code that runs once its files are loaded.
const load = () => import('./prefetch.ts');

/** Loads the prefetching of pages at the visitor's first interaction. */
export function startPrefetch(): void {
  atFirstSign(() => {
    load().then(
      (loaded) => {
        part = loaded;
        loaded.prefetchOnUse();
      },
      // Ignored on purpose: links work without it.
      () => undefined,
    );
  });
}

/** Prefetches what the current page most likely leads to. */
export function prefetchInView(): void {
  part?.prefetchInView();
}
