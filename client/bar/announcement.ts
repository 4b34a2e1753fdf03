import { onClick } from '../browser/element.ts';
import { local } from '../browser/storage.ts';

/** The announcement's button hides it for good; another announcement has another id and shows again. */
export function startAnnouncement(): void {
  onClick('[data-dismiss]', () => {
    const html = document.documentElement;
    local.set('announcement', html.dataset.announcement ?? null);
    html.dataset.dismissed = '';
    // The button is gone: move the focus to the bar.
    document.querySelector<HTMLElement>('.logo')?.focus({ preventScroll: true });
  });
}
