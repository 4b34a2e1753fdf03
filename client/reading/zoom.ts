import { element } from '../browser/element.ts';

function enlarge(picture: HTMLImageElement): void {
  const large = document.importNode(picture, false);
  for (const name of ['role', 'tabindex', 'aria-label', 'loading']) large.removeAttribute(name);
  const close = () => dialog.close();
  const dialog: HTMLDialogElement = element(
    'dialog',
    { class: 'zoom', 'aria-label': picture.alt || 'Picture', click: close, close: () => dialog.remove() },
    large,
    element('button', { type: 'button', class: 'button' }, 'Close'),
  );
  document.body.append(dialog);
  // A dialog restores the focus.
  dialog.showModal();
}

/** Makes a picture open at window size. */
export function addZoom(picture: HTMLImageElement): void {
  picture.role = 'button';
  picture.tabIndex = 0;
  picture.ariaLabel = `Enlarge: ${picture.alt}`;
  picture.addEventListener('click', () => enlarge(picture));
  picture.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    enlarge(picture);
  });
}
