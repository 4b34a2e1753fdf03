import { element } from '../browser/element.ts';

/** Adds a button that wraps long lines to blocks that have any, and to hidden blocks, which have no width yet. */
export function addWrap(figure: HTMLElement, tools: HTMLElement): void {
  const code = figure.querySelector('pre');
  if (!code || (code.clientWidth > 0 && code.scrollWidth <= code.clientWidth)) return;
  const button: HTMLButtonElement = element(
    'button',
    {
      type: 'button',
      'aria-pressed': 'false',
      click: () => {
        button.ariaPressed = String(figure.toggleAttribute('data-wrap'));
      },
    },
    'Wrap',
  );
  tools.append(button);
}
