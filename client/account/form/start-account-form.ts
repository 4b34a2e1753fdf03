import { loadPart } from '../../browser/load-part.ts';

/** Makes the page's account form work; what it takes is loaded with such a page alone. */
export function startAccountForm(): void {
  const form = document.querySelector<HTMLFormElement>('form[data-account-form]');
  if (!form) return;
  loadPart(
    'The form did not load.',
    () => import('./attach.ts'),
    ({ attach }) => attach(form),
  );
}
