import { loadPart } from '../../browser/load-part.ts';

/** Makes the page's account form work; its code is loaded only on such a page. */
export function startAccountForm(): void {
  const form = document.querySelector<HTMLFormElement>('form[data-account-form]');
  if (!form) return;
  loadPart(
    'The form did not load.',
    () => import('./attach.ts'),
    ({ attach }) => attach(form),
  );
}
