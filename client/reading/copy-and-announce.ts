import { copyText } from '../browser/clipboard.ts';
import { announce } from '../browser/live-region.ts';

const shownFor = 2000;

/** Copies a text and shows the outcome on the button that requested it. */
export async function copyAndAnnounce(button: HTMLElement, text: () => string | Promise<string>): Promise<void> {
  // A second press finds the outcome of the first on the button.
  button.dataset.label ??= button.textContent;
  const { label } = button.dataset;
  let outcome = 'Copied';
  try {
    await copyText(text, button);
  } catch {
    outcome = 'Not copied';
  }
  button.textContent = outcome;
  announce(outcome);
  setTimeout(() => {
    button.textContent = label ?? '';
  }, shownFor);
}
