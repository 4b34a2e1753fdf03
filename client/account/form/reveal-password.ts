import { element } from '../../browser/element.ts';

/** Adds a button to each password field that shows what was typed. */
export function addReveal(form: HTMLFormElement): void {
  for (const input of form.querySelectorAll<HTMLInputElement>('input[type=password]')) revealable(input);
}

function revealable(input: HTMLInputElement): void {
  const button = element(
    'button',
    {
      type: 'button',
      class: 'field-button',
      'aria-pressed': 'false',
      'aria-controls': input.id,
      click: () => {
        const shown = input.type === 'password';
        input.type = shown ? 'text' : 'password';
        button.ariaPressed = String(shown);
      },
    },
    'Show',
  );
  const frame = element('div', { class: 'field-with-button' });
  input.replaceWith(frame);
  frame.append(input, button);
}
