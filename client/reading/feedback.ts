import { retryNotice } from '../browser/notice.ts';
import { record } from '../visits/page-view.ts';

async function send(place: HTMLElement, uri: string): Promise<void> {
  if (place.ariaBusy) return;
  place.ariaBusy = 'true';
  const sent = await record(uri);
  place.ariaBusy = null;
  place.tabIndex = -1;
  if (sent) {
    place.role = 'status';
    place.textContent = 'Thank you, noted.';
  } else place.replaceChildren(retryNotice('Your answer could not be sent.', () => void send(place, uri)));
  place.focus();
}

/** Sends an answer to 'Was this page helpful' as its own page view, and replaces the buttons with thanks. */
export function sendFeedback(button: HTMLElement, path: string): void {
  const place = button.parentElement;
  if (place) void send(place, `${path}?helpful=${button.dataset.helpful === 'yes' ? 'yes' : 'no'}`);
}
