import { loadPart } from '../browser/load-part.ts';

let part: typeof import('./hydrate-islands.ts') | undefined;

/** Has the page's islands hydrated; what it takes is loaded with a page that has one. */
export function startIslands(): void {
  if (!document.querySelector('[data-island]')) return;
  loadPart(
    'A part of the page did not load.',
    () => import('./hydrate-islands.ts'),
    (loaded) => {
      part = loaded;
      loaded.hydrateIslands();
    },
  );
}

/** Unmounts the islands of the page that is being left. */
export function stopIslands(): void {
  part?.leaveIslands();
}
