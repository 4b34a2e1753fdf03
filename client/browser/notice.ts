import { element } from './element.ts';

/** An error text with a Retry button; the caller puts it where it belongs. */
export function retryNotice(text: string, retry: () => void): HTMLElement {
  return element(
    'div',
    { class: 'retry', role: 'alert' },
    element('p', {}, text),
    element('button', { type: 'button', class: 'button', click: retry }, 'Retry'),
  );
}
