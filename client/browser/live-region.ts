import { element } from './element.ts';

let region: HTMLElement | undefined;

/** Puts the region into the page: screen readers only read what changes in one they have seen empty. */
export function startLiveRegion(): void {
  region = element('p', { class: 'visually-hidden', 'aria-live': 'polite' });
  document.body.append(region);
}

/** Has screen readers read a sentence. */
export function announce(sentence: string): void {
  if (region) region.textContent = sentence;
}
