import { element } from './element.ts';

/**
 * Covers the page with the loading indicator: a modal dialog, so neither mouse nor keyboard reaches what is below.
 * @returns a function that removes it and restores the focus
 */
export function whileBusy(): () => void {
  const cover = element(
    'dialog',
    // Not every browser supports `closedby` yet.
    { class: 'busy-cover', closedby: 'none', cancel: (event) => event.preventDefault() },
    element(
      'p',
      { role: 'status' },
      element('span', { class: 'wheel' }),
      element('span', { class: 'visually-hidden' }, 'Loading'),
    ),
  );
  document.body.append(cover);
  cover.showModal();
  return () => {
    cover.close();
    cover.remove();
  };
}
