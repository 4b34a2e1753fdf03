import { report } from '../browser/report.ts';

/** Narrows lists while the visitor types; nothing is loaded before the first change. */
export function startFilters(): void {
  document.addEventListener('input', ({ target }) => {
    const form = target instanceof Element && target.closest<HTMLFormElement>('form[data-filter]');
    if (!form) return;
    import('./narrow.ts').then(
      ({ narrow }) => narrow(form),
      // The form still works with its button.
      (error: unknown) => report('The filter did not load.', error),
    );
  });
}
