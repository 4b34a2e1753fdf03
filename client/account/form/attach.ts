import { element } from '../../browser/element.ts';
import { loadPart } from '../../browser/load-part.ts';
import { session } from '../../browser/storage.ts';
import { afterPress } from './after-press.ts';
import { keepTyped } from './keep-typed.ts';
import { addReveal } from './reveal-password.ts';
import { showSingleSignOn } from './single-sign-on-buttons.ts';

/** A sentence left by the previous page, e.g. after a password reset. */
function showNotice(form: HTMLFormElement): void {
  const sentence = session.get('notice');
  if (sentence === null) return;
  session.set('notice', null);
  form.before(element('p', { class: 'notice', role: 'status' }, sentence));
}

/** Makes an account form work, once; its code is loaded with the visitor's first interaction in it. */
export function attach(form: HTMLFormElement): void {
  const { accountForm: name = '' } = form.dataset;
  if ('attached' in form.dataset) return;
  form.dataset.attached = '';
  if (name === 'registerFromMarket' && !new URLSearchParams(location.search).has('ref')) {
    loadPart(
      'The form did not load.',
      () => import('./where-to-start.ts'),
      ({ sayWhereToStart }) => sayWhereToStart(form),
    );
    return;
  }
  showNotice(form);
  keepTyped(form, name);
  addReveal(form);
  if (name === 'login') void showSingleSignOn(form);
  loadOnFirstUse(form);
}

/** Loads the form's code when it is first used, and passes on what was done until then. */
function loadOnFirstUse(form: HTMLFormElement): void {
  const whenReleased = afterPress(form);
  // The last event of each control, in the order in which they were used.
  const missed = new Map<EventTarget | null, Event>();
  let handle: ((event: Event) => void) | undefined;
  let isLoading = false;

  const load = () => {
    if (handle || isLoading) return;
    isLoading = true;
    loadPart(
      'The form did not load.',
      () => import('./run-form.ts').finally(() => (isLoading = false)),
      ({ runForm }) => {
        handle ??= runForm(form, whenReleased);
        missed.forEach(handle);
        missed.clear();
      },
    );
  };

  form.addEventListener('focusin', load);
  for (const type of ['change', 'click', 'submit'])
    form.addEventListener(type, (event) => {
      if (type === 'submit') event.preventDefault();
      if (handle) return handle(event);
      missed.set(event.target, event);
      load();
    });
  // The focus may already be there, and the button may have been pressed.
  if (form.contains(document.activeElement)) load();
  if ('sent' in form.dataset) form.requestSubmit();
}
