import { closest, onClick } from '../browser/element.ts';
import { loadPart } from '../browser/load-part.ts';

function open(): void {
  loadPart(
    'The search did not load.',
    () => import('./search-dialog.ts'),
    ({ openSearch }) => openSearch(),
  );
}

function isTyping(event: KeyboardEvent): boolean {
  return Boolean(closest(event, 'input, textarea, select, [contenteditable]'));
}

/** Opens the search box by its button, `/` or Ctrl/Cmd-K; nothing of it is loaded earlier. */
export function startSearchBox(): void {
  onClick('[data-search]', (_, event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    open();
  });
  document.addEventListener('keydown', (event) => {
    const { key, altKey, shiftKey } = event;
    const control = event.ctrlKey || event.metaKey;
    const slash = key === '/' && !control && !isTyping(event);
    // With Shift or Alt it is a shortcut of the browser, e.g. Firefox's console.
    const letter = key.toLowerCase() === 'k' && control && !shiftKey;
    if (altKey || !(slash || letter)) return;
    event.preventDefault();
    open();
  });
}
