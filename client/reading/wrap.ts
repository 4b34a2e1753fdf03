import { element } from '../browser/element.ts';

/** Adds a line-wrap button to blocks that have long lines, and to hidden blocks, whose width is not known yet. */
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
