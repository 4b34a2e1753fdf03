import { element } from '../browser/element.ts';
import { retryNotice } from '../browser/notice.ts';
import { frameIds, numberedIds } from '../contract/frame-ids.ts';
import { resultWords, type SearchResult } from '../contract/search.ts';
import { findPages, SearchRefused } from './find.ts';
import { readRecent, rememberSearch } from './recent.ts';
import '../styles/dialog.css';
import '../styles/search.css';

const list = element('div', { id: frameIds.searchResults, role: 'listbox', 'aria-label': 'Results' });
const status = element('p', { class: 'search-status', role: 'status' });
const input = element('input', {
  type: 'search',
  name: 'q',
  role: 'combobox',
  placeholder: 'Documents and posts',
  'aria-label': 'Search documents and posts',
  'aria-controls': list.id,
  'aria-expanded': 'false',
  'aria-autocomplete': 'list',
  autocomplete: 'off',
  autocapitalize: 'off',
  spellcheck: 'false',
  maxlength: '200',
  input: () => void search(),
  keydown: (event) => {
    if (event instanceof KeyboardEvent) onKey(event);
  },
});
const form = element(
  'form',
  { action: '/search', method: 'get', role: 'search', submit: close },
  input,
  // A phone has no Escape key.
  element('button', { type: 'button', click: () => dialog.close() }, 'Close'),
);
const dialog = element(
  'dialog',
  { class: 'dialog search-dialog', 'aria-label': 'Search', closedby: 'any' },
  form,
  status,
  list,
);

let waiting = new AbortController();
let active = -1;
/** The field's value when the options were shown. */
let shownFor = '';
let problem: HTMLElement | undefined;

function close(): void {
  rememberSearch(input.value);
  dialog.close();
}

function options(): HTMLElement[] {
  return [...list.querySelectorAll<HTMLElement>('[role=option]')];
}

function activate(at: number): void {
  active = at;
  for (const [index, option] of options().entries()) {
    option.ariaSelected = String(index === at);
    if (index === at) option.scrollIntoView({ block: 'nearest' });
  }
  if (at < 0) input.removeAttribute('aria-activedescendant');
  else input.setAttribute('aria-activedescendant', `${numberedIds.searchOption}-${at}`);
}

/** Shows options; the first is active, so Enter opens the best result. */
function show(items: HTMLElement[], text: string, first: number): void {
  shownFor = input.value;
  problem?.remove();
  for (const [index, item] of items.entries()) item.id = `${numberedIds.searchOption}-${index}`;
  list.replaceChildren(...items);
  input.ariaExpanded = String(items.length > 0);
  status.textContent = text;
  activate(first);
}

function resultOption({ title, href, heading, section, excerpt }: SearchResult): HTMLElement {
  const words = excerpt.map(({ text, mark }) => (mark ? element('mark', {}, text) : text));
  return element(
    'a',
    { role: 'option', href, tabindex: '-1', click: close },
    element('small', {}, section),
    element('strong', {}, heading ? `${title} › ${heading}` : title),
    element('span', {}, ...words),
  );
}

function showRecent(): void {
  const items = readRecent().map((text) =>
    element(
      'button',
      {
        role: 'option',
        type: 'button',
        tabindex: '-1',
        click: () => {
          input.value = text;
          input.focus();
          void search();
        },
      },
      text,
    ),
  );
  show(items, items.length > 0 ? 'Recent searches' : 'Titles, headings, text and tags are searched.', -1);
}

async function search(): Promise<void> {
  waiting.abort();
  waiting = new AbortController();
  const { signal } = waiting;
  const words = input.value.trim();
  if (!words) return showRecent();
  try {
    const results = await findPages(words, signal);
    show(
      results.map(resultOption),
      results.length > 0 ? resultWords(results.length) : `Nothing was found for “${words}”.`,
      results.length > 0 ? 0 : -1,
    );
  } catch (error) {
    if (signal.aborted) return;
    show([], '', -1);
    problem = retryNotice(sentenceFor(error), () => {
      input.focus();
      void search();
    });
    status.after(problem);
  }
}

function sentenceFor(error: unknown): string {
  if (error instanceof SearchRefused && error.message) return error.message;
  return navigator.onLine ? 'The search did not answer.' : 'You are offline, so the search did not answer.';
}

function onKey(event: KeyboardEvent): void {
  // Leave keys to an input method while it composes; Safari reports the key that ends this only by its code.
  if (event.isComposing || event.keyCode === 229) return;
  const { length } = options();
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step && length > 0) {
    activate((active + step + length) % length);
    event.preventDefault();
  } else if (event.key === 'Enter' && active >= 0 && shownFor === input.value) {
    // Until the last key is answered, Enter submits the form to the search page instead of opening an older result.
    event.preventDefault();
    options()[active]?.click();
  } else if (event.key === 'Escape') {
    // Otherwise the first press would only clear the field.
    event.preventDefault();
    dialog.close();
  }
}

/**
 * Opens the search box, or moves the caret into it.
 * @param typed what was typed before it existed
 */
export function openSearch(typed: string): void {
  if (!dialog.isConnected) document.body.append(dialog);
  if (!dialog.open) dialog.showModal();
  if (typed) input.value = typed;
  else input.select();
  input.focus();
  void search();
}
