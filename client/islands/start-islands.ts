import { loadPart } from '../browser/load-part.ts';

let part: typeof import('./hydrate-islands.ts') | undefined;

/** Hydrates the page's islands; the code is loaded only with a page that has one. */
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
