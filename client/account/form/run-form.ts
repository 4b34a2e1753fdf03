import { closest } from '../../browser/element.ts';
import { report } from '../../browser/report.ts';
import { CallError } from '../../call.ts';
import { checkForm, hideSummary, showFieldError, shownFields, showSummary } from './field-errors.ts';
import { addStrength } from './password-strength.ts';
import { faultOf } from './rules.ts';
import { sendCode } from './send-code.ts';
import type { Refusal } from './submit.ts';

/** The code for sending is loaded while the visitor fills in the form. */
const sending = () => import('./submit.ts');

/** Shows what the server refused: at the fields it names, and above the form. */
function showRefusal(form: HTMLFormElement, { msg, fields = {} }: Refusal): void {
  const named = shownFields(form).filter(({ name }) => fields[name] !== undefined);
  for (const field of named) showFieldError(field, fields[field.name]);
  showSummary(form, msg, named);
}

function sentenceFor(error: unknown): string {
  const status = error instanceof CallError && error.status;
  if (status === 429) return 'Too many tries. Please wait a minute and try again.';
  const failed = status ? `answered with an error (${status})` : 'did not answer';
  return `The server ${failed}. What you typed is still here; please try again.`;
}

/**
 * Makes an account form validate, send and report.
 * @param whenReleased runs what may move the form's parts
 * @returns what to do on each `change`, `click` and `submit` in the form
 */
export function runForm(form: HTMLFormElement, whenReleased: (task: () => void) => void): (event: Event) => void {
  const { accountForm: name = '' } = form.dataset;
  const button = form.querySelector<HTMLButtonElement>('button[type=submit]');
  let isSending = false;
  addStrength(form);
  // A failure is ignored on purpose: sending loads it again.
  form.addEventListener('input', () => void sending().catch(() => undefined), { once: true });
  // Checked when a field loses focus, and while a displayed error is being corrected.
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

  function sendOnce(): void {
    if (isSending) return;
    isSending = true;
    button?.setAttribute('aria-disabled', 'true');
    void send().finally(() => {
      isSending = false;
      button?.removeAttribute('aria-disabled');
    });
  }

  return (event) => {
    const { type, target } = event;
    if (type === 'change') whenReleased(() => check(target));
    if (type === 'click' && closest(event, '[data-send-code]')) void sendCode(form);
    if (type === 'submit') sendOnce();
  };
}
