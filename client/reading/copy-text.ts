import { say } from '../live-region.ts';

const shownFor = 2000;

/** Copies a text and says so on the button that asked for it; without https there is no clipboard to write to. */
export async function copyText(button: HTMLElement, text: () => string | Promise<string>): Promise<void> {
  const { textContent: label } = button;
  let outcome = 'Copied';
  try {
    await navigator.clipboard.writeText(await text());
  } catch {
    outcome = 'Not copied';
  }
  button.textContent = outcome;
  say(outcome);
  setTimeout(() => {
    button.textContent = label;
  }, shownFor);
}
