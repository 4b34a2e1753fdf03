import { isRecord } from '../../browser/json.ts';
import { announce } from '../../browser/live-region.ts';
import { report } from '../../browser/report.ts';
import { CallError, call } from '../../call.ts';
import { calls } from '../../contract/calls.ts';
import { showFieldError } from './field-errors.ts';
import { faultOf } from './rules.ts';

const resendMs = 60_000;

/** Counts down on the button until another code may be requested. */
function countDown(button: HTMLButtonElement, milliseconds: number): void {
  const { textContent: label } = button;
  const end = performance.now() + milliseconds;
  const tick = () => {
    const left = Math.ceil((end - performance.now()) / 1000);
    if (left <= 0 || !button.isConnected) {
      clearInterval(timer);
      button.ariaDisabled = null;
      button.textContent = label;
    } else button.textContent = `Again in ${left} s`;
  };
  const timer = setInterval(tick, 1000);
  tick();
}

/** The code's destination, as the call takes it. */
function destination(target: HTMLInputElement, form: HTMLFormElement): object {
  const area = form.querySelector<HTMLInputElement>('input[name=phoneAreaCode]');
  return area
    ? { phoneNumber: target.value, phoneAreaCode: area.value, verifyType: 'SMS_VERIFY_CODE' }
    : { email: target.value, verifyType: 'EMAIL_VERIFY_CODE' };
}

/** The server refused to send a code; its sentence is meant for the visitor. */
class CodeRefused extends Error {}

/**
 * Requests a code. @returns milliseconds until the next may be requested; @throws CodeRefused, and what `call` throws
 */
async function ask(body: object): Promise<number> {
  const answer = await call(calls.sendCode, body);
  if (!answer.success) throw new CodeRefused(answer.msg);
  const wait = isRecord(answer.data) ? answer.data.resendAfterMs : undefined;
  return typeof wait === 'number' ? wait : resendMs;
}

/** Sends a code to the address in the form, and counts down on the button beside the code's field. */
export async function sendCode(form: HTMLFormElement): Promise<void> {
  const button = form.querySelector<HTMLButtonElement>('button[data-send-code]');
  const target = form.querySelector<HTMLInputElement>('input[name=account], input[name=email], input[name=phone]');
  const code = form.querySelector<HTMLInputElement>('input[name=verifyCode]');
  // It keeps the focus while it waits; a disabled button would lose it.
  if (!button || button.ariaDisabled || !target || !code) return;
  const fault = faultOf(target);
  showFieldError(target, fault);
  if (fault !== undefined) return target.focus();
  button.ariaDisabled = 'true';
  try {
    countDown(button, await ask({ ...destination(target, form), verifyCodeType: button.dataset.sendCode }));
    announce('The code is on its way.');
    showFieldError(code, undefined);
    // A visitor who is typing elsewhere by now would type into the code.
    if (isFocusFree(button)) code.focus();
  } catch (error) {
    report('The code was not sent.', error);
    button.ariaDisabled = null;
    const sentence = sentenceFor(error);
    showFieldError(code, sentence);
    announce(sentence);
  }
}

/** Whether the focus has not moved on since a button was pressed: some browsers do not focus buttons. */
const isFocusFree = (button: Element) => [document.body, button].some((one) => one === document.activeElement);

function sentenceFor(error: unknown): string {
  const sentence = error instanceof CallError ? error.refusal?.msg : error instanceof CodeRefused && error.message;
  return sentence || 'The code was not sent. Please try again.';
}
