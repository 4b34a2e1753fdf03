import { element } from '../../browser/element.ts';
import { report } from '../../browser/report.ts';
import { session } from '../../browser/storage.ts';
import { CallError } from '../../call.ts';
import { afterPress } from './after-press.ts';
import { checkForm, hideSummary, showFieldError, shownFields, showSummary } from './field-errors.ts';
import { addPasswordTools } from './password-tools.ts';
import { faultOf } from './rules.ts';
import { addSendCode } from './send-code.ts';
import { showSingleSignOn } from './single-sign-on-buttons.ts';
import type { Refusal } from './submit.ts';

/** What sending takes is loaded while the visitor fills in the form. */
const sending = () => import('./submit.ts');

/** Shows what the server refused: at the fields it names, and above the form. */
function showRefusal(form: HTMLFormElement, { msg, fields = {} }: Refusal): void {
  const named = shownFields(form).filter(({ name }) => fields[name] !== undefined);
  for (const field of named) showFieldError(field, fields[field.name]);
  showSummary(form, msg, named);
}

function sentenceFor(error: unknown): string {
  if (error instanceof CallError && error.status === 429) return 'Too many tries. Please wait a minute and try again.';
  return 'The server did not answer. What you typed is still here; please try again.';
}

/** A sentence that the page before has left, e.g. after a password was reset. */
function showNotice(form: HTMLFormElement): void {
  const sentence = session.get('notice');
  if (sentence === null) return;
  session.set('notice', null);
  const notice = document.createElement('p');
  notice.className = 'notice';
  notice.role = 'status';
  notice.textContent = sentence;
  form.before(notice);
}

/** Without a purchase there is nothing to finish. */
function sayWhereToStart(form: HTMLFormElement): void {
  form.replaceWith(
    element(
      'p',
      { class: 'notice' },
      'This page finishes a purchase in a cloud marketplace, and this visit brought none. Start in your marketplace account with “Set up your account”, or ',
      element('a', { href: '/register' }, 'sign up without a purchase'),
      '.',
    ),
  );
}

/** Makes an account form check, send and tell, once. */
export function attach(form: HTMLFormElement): void {
  const { accountForm: name = '' } = form.dataset;
  if ('attached' in form.dataset) return;
  form.dataset.attached = '';
  if (name === 'registerFromMarket' && !new URLSearchParams(location.search).has('ref')) {
    sayWhereToStart(form);
    return;
  }
  form.noValidate = true;
  const button = form.querySelector<HTMLButtonElement>('button[type=submit]');
  let isSending = false;

  showNotice(form);
  addPasswordTools(form);
  addSendCode(form);
  if (name === 'login') void showSingleSignOn(form);

  // A failure is ignored on purpose: sending asks again.
  form.addEventListener('input', () => void sending().catch(() => undefined), { once: true });
  // Checked when a field is left, and while a fault that is shown is being mended.
  const whenReleased = afterPress(form);
  form.addEventListener('change', ({ target }) => whenReleased(() => check(target)));
  form.addEventListener('input', ({ target }) => {
    if (target instanceof HTMLElement && target.ariaInvalid === 'true') check(target);
  });

  function check(target: EventTarget | null): void {
    if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement)
      showFieldError(target, faultOf(target));
  }

  async function send(): Promise<void> {
    const wrong = checkForm(form);
    if (wrong.length > 0) {
      return showSummary(
        form,
        wrong.length === 1 ? 'One field needs your attention.' : 'Some fields need your attention.',
        wrong,
      );
    }
    hideSummary(form);
    const values = Object.fromEntries([...new FormData(form)].map(([key, value]) => [key, String(value)]));
    try {
      const { submit } = await sending();
      const refusal = await submit(name, values, 'plainPassword' in form.dataset);
      if (refusal) showRefusal(form, refusal);
    } catch (error) {
      report('The form could not be sent.', error);
      if (error instanceof CallError && error.refusal) showRefusal(form, error.refusal);
      else showSummary(form, sentenceFor(error));
    }
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (isSending) return;
    isSending = true;
    button?.setAttribute('aria-disabled', 'true');
    void send().finally(() => {
      isSending = false;
      button?.removeAttribute('aria-disabled');
    });
  });
}
