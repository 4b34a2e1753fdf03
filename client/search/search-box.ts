import { closest, onClick } from '../browser/element.ts';
import { loadPart } from '../browser/load-part.ts';

/** Whether the box is loading, and what is typed meanwhile, which becomes its initial text. */
let isComing = false;
let typed = '';

function open(): void {
  isComing = true;
  loadPart(
    'The search did not load.',
    () =>
      import('./search-dialog.ts').finally(() => {
        isComing = false;
      }),
    ({ openSearch }) => {
      openSearch(typed);
      typed = '';
    },
  );
}

function isTyping(event: KeyboardEvent): boolean {
  return Boolean(closest(event, 'input, textarea, select, [contenteditable]'));
}

/** Opens the box for a `/` that was pressed before this script was there: client/contract/first-paint.ts keeps it. */
function openIfWanted(): void {
  const { dataset } = document.documentElement;
  if (dataset.search === undefined) return;
  typed = dataset.search;
  delete dataset.search;
  open();
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
    const isText = key.length === 1 && !control && !altKey && !isTyping(event);
    if (isText && isComing) {
      event.preventDefault();
      typed += key;
      return;
    }
    const slash = key === '/' && isText;
    // With Shift or Alt it is a browser shortcut, e.g. Firefox's console.
    const letter = key.toLowerCase() === 'k' && control && !shiftKey;
    if (altKey || !(slash || letter)) return;
    event.preventDefault();
    open();
  });
  openIfWanted();
}
