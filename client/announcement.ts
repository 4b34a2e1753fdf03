import { closest } from './element.ts';
import { local } from './storage.ts';

/** The announcement's button hides it for good; another announcement has another id and shows again. */
export function startAnnouncement(): void {
  document.addEventListener('click', (event) => {
    if (!closest(event, '[data-dismiss]')) return;
    const html = document.documentElement;
    local.set('announcement', html.dataset.announcement ?? null);
    html.dataset.dismissed = '';
    // The button is gone; the keyboard goes on from the bar.
    document.querySelector<HTMLElement>('.logo')?.focus({ preventScroll: true });
  });
}
