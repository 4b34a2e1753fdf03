import { element } from './element.ts';

/** Covers the page with the loading indicator. @returns a function that removes it */
export function whileBusy(): () => void {
  const cover = element(
    'div',
    { class: 'busy-cover', role: 'status' },
    element('span', { class: 'wheel' }),
    element('span', { class: 'visually-hidden' }, 'Loading'),
  );
  document.body.append(cover);
  return () => cover.remove();
}
