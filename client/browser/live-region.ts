import { element } from './element.ts';

let region: HTMLElement | undefined;

/** Adds the region to the page: screen readers announce only changes to an existing region. */
export function startLiveRegion(): void {
  region = element('p', { class: 'visually-hidden', 'aria-live': 'polite' });
  document.body.append(region);
}

/** Announces a sentence to screen readers. */
export function announce(sentence: string): void {
  if (region) region.textContent = sentence;
}
