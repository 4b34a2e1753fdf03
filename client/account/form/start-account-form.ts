import { retryNotice } from '../../browser/notice.ts';
import { report } from '../../browser/report.ts';

/** Makes the page's account form work; what it takes is loaded with such a page alone. */
export function startAccountForm(): void {
  const form = document.querySelector<HTMLFormElement>('form[data-account-form]');
  if (!form) return;
  import('./attach.ts').then(
    ({ attach }) => attach(form),
    (error: unknown) => {
      const text = 'The form did not load.';
      report(text, error);
      const notice = retryNotice(text, () => {
        notice.remove();
        startAccountForm();
      });
      form.before(notice);
    },
  );
}
