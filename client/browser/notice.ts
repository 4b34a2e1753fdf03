import { element } from './element.ts';

/** An error text with a Retry button; the caller places it. */
export function retryNotice(text: string, retry: () => void): HTMLElement {
  return element(
    'div',
    { class: 'retry', role: 'alert' },
    element('p', {}, text),
    element('button', { type: 'button', class: 'button', click: retry }, 'Retry'),
  );
}

let shown: HTMLElement | undefined;

/** Shows an error text with Retry at the bottom of the window, replacing an earlier one; the page stays as it is. */
export function showNotice(text: string, retry: () => void): void {
  const hadFocus = shown?.contains(document.activeElement);
  clearNotice();
  shown = retryNotice(text, retry);
  shown.append(
    element('button', { type: 'button', class: 'icon-button', 'aria-label': 'Close', click: clearNotice }, '×'),
  );
  document.body.append(shown);
  // A visitor who pressed Retry by keyboard finds it again.
  if (hadFocus) shown.querySelector('button')?.focus();
}

/** Removes the text at the bottom of the window. */
export function clearNotice(): void {
  shown?.remove();
}
