import { atFirstSign } from '../browser/idle.ts';

let part: typeof import('./prefetch.ts') | undefined;

/** Loads the prefetching of pages at the visitor's first interaction. */
export function startPrefetch(): void {
  atFirstSign(() => {
    import('./prefetch.ts').then(
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
