import { retryNotice } from '../browser/notice.ts';
import { record } from '../visits/page-view.ts';

async function send(place: HTMLElement, answer: string): Promise<void> {
  if (place.ariaBusy) return;
  place.ariaBusy = 'true';
  const sent = await record(`${location.pathname}?helpful=${answer}`);
  place.ariaBusy = null;
  place.tabIndex = -1;
  if (sent) {
    place.role = 'status';
    place.textContent = 'Thank you, noted.';
  } else place.replaceChildren(retryNotice('Your answer could not be sent.', () => void send(place, answer)));
  place.focus();
}

/** Sends the answer to 'Was this page helpful' as its own page view, and replaces the buttons by thanks. */
export function addFeedback(button: HTMLElement): void {
  const place = button.parentElement;
  // Assigned and not added: the tools may run over the page a second time.
  if (place) button.onclick = () => void send(place, button.dataset.helpful === 'yes' ? 'yes' : 'no');
}
