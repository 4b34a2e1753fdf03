import { onClick } from '../browser/element.ts';
import { local, onStoredElsewhere } from '../browser/storage.ts';

const html = document.documentElement;

function show(): void {
  html.toggleAttribute('data-dismissed', local.get('announcement') === html.dataset.announcement);
}

/**
 * The announcement's button hides it permanently, in every tab; another announcement has another id and shows again.
 */
export function startAnnouncement(): void {
  onClick('[data-dismiss]', () => {
    local.set('announcement', html.dataset.announcement ?? null);
    show();
    // The button is gone: move the focus to the bar.
    document.querySelector<HTMLElement>('.logo')?.focus({ preventScroll: true });
  });
  onStoredElsewhere(show);
}
