import { announce } from '../browser/live-region.ts';

const shownFor = 2000;

/** Copies a text and says so on the button; without https there is no clipboard to write to. */
export async function copyText(button: HTMLElement, text: () => string | Promise<string>): Promise<void> {
  // A second press finds the outcome of the first on the button.
  button.dataset.label ??= button.textContent;
  const { label } = button.dataset;
  let outcome = 'Copied';
  try {
    // A text that arrives after the click must be passed as a promise: Safari has forgotten the click by then.
    const blob = async () => new Blob([await text()], { type: 'text/plain' });
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob() })]);
  } catch {
    outcome = 'Not copied';
  }
  button.textContent = outcome;
  announce(outcome);
  setTimeout(() => {
    button.textContent = label ?? '';
  }, shownFor);
}
