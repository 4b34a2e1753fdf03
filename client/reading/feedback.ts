import { record } from '../page-view.ts';

function send(button: HTMLElement): void {
  const answer = button.dataset.helpful === 'yes' ? 'yes' : 'no';
  void record(`${location.pathname}?helpful=${answer}`);
  const place = button.parentElement;
  if (!place) return;
  place.role = 'status';
  place.tabIndex = -1;
  place.textContent = 'Thank you, noted.';
  place.focus();
}

/** Sends 'Was this page helpful' as a page view of its own, and thanks in the place of the buttons. */
export function addFeedback(button: HTMLElement): void {
  // Assigned and not added: the tools may come over the page a second time.
  button.onclick = () => send(button);
}
