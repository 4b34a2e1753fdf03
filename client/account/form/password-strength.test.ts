import { expect, test } from 'vitest';
import { strengthOf, strengthWords } from './password-strength.ts';

test.each([
  ['', 'Weak'],
  ['password', 'Weak'],
  // Length alone is not enough.
  ['a'.repeat(200), 'Weak'],
  ['abababababababab', 'Weak'],
  ['12345678901234567890', 'Fair'],
  ['millstones', 'Fair'],
  ['Millst0nes', 'Fair'],
  ['Mi11st0nes!', 'Good'],
  ['correct horse battery staple', 'Strong'],
  // Letters of every script count alike.
  ['пароль из слов и ещё слов', 'Strong'],
])('%o is %s', (password, word) => {
  expect(strengthWords[strengthOf(password)]).toBe(word);
});

test('another letter never makes a password weaker', () => {
  const long = 'Wheels turn 7 days a week';
  const steps = Array.from(long, (_, at) => strengthOf(long.slice(0, at + 1)));
  expect(steps).toEqual(steps.toSorted((one, other) => one - other));
});
