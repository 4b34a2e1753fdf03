import { loadPart } from '../browser/load-part.ts';

/** Narrows lists while the visitor types; nothing is loaded before the first change. */
export function startFilters(): void {
  document.addEventListener('input', ({ target }) => {
    const form = target instanceof Element && target.closest<HTMLFormElement>('form[data-filter]');
    if (!form) return;
    loadPart(
      'The filter did not load.',
      () => import('./narrow.ts'),
      ({ narrow }) => narrow(form),
    );
  });
}
