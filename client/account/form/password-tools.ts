import { element } from '../../browser/element.ts';

/** By strength. */
export const strengthWords = ['Weak', 'Fair', 'Good', 'Strong'] as const;

/** How long a guess would take, roughly: letters of each kind and how many differ. 0 (weak) to 3 (strong). */
export function strengthOf(password: string): 0 | 1 | 2 | 3 {
  const pools: [RegExp, number][] = [
    [/[a-z]/, 26],
    [/[A-Z]/, 26],
    [/\d/, 10],
    [/[^a-zA-Z\d]/, 33],
  ];
  const pool = pools.reduce((sum, [kind, size]) => sum + (kind.test(password) ? size : 0), 0);
  const different = new Set(password).size;
  const bits = Math.min(password.length, different * 1.5) * Math.log2(pool || 1);
  return bits < 40 ? 0 : bits < 60 ? 1 : bits < 80 ? 2 : 3;
}

/** Shows how strong a new password is while it is typed. */
function addStrength(input: HTMLInputElement): void {
  const meter = element('meter', { min: '0', max: '4', low: '2', high: '3', optimum: '4', 'aria-label': 'Strength' });
  const word = element('span', { role: 'status' });
  const line = element('p', { class: 'field-strength', hidden: true }, meter, word);
  input.closest('.field')?.append(line);
  input.addEventListener('input', () => {
    const strength = strengthOf(input.value);
    line.hidden = input.value === '';
    meter.value = strength + 1;
    const text = strengthWords[strength] ?? '';
    if (word.textContent !== text) word.textContent = text;
  });
}

/** Adds a button that shows what was typed. */
function addReveal(input: HTMLInputElement): void {
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

/** What password fields offer besides typing. */
export function addPasswordTools(form: HTMLFormElement): void {
  for (const input of form.querySelectorAll<HTMLInputElement>('input[type=password]')) {
    addReveal(input);
    if (input.name === 'password' && input.autocomplete === 'new-password') addStrength(input);
  }
}
