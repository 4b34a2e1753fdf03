import { element } from '../../browser/element.ts';

/** By strength. */
export const strengthWords = ['Weak', 'Fair', 'Good', 'Strong'] as const;

/** Roughly how long guessing would take: kinds of characters and how many differ. 0 (weak) to 3 (strong). */
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

/** Shows a new password's strength while it is typed. */
export function addStrength(form: HTMLFormElement): void {
  const input = form.querySelector<HTMLInputElement>('input[name=password][autocomplete=new-password]');
  if (!input) return;
  const meter = element('meter', { min: '0', max: '4', low: '2', high: '3', optimum: '4', 'aria-label': 'Strength' });
  const word = element('span', { role: 'status' });
  const line = element('p', { class: 'field-strength', hidden: true }, meter, word);
  input.closest('.field')?.append(line);
  const show = () => {
    const strength = strengthOf(input.value);
    line.hidden = input.value === '';
    meter.value = strength + 1;
    const text = strengthWords[strength] ?? '';
    if (word.textContent !== text) word.textContent = text;
  };
  input.addEventListener('input', show);
  // It may already be typed.
  show();
}
