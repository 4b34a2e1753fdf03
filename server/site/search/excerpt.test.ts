import { expect, test } from 'vitest';
import { excerptOf } from './excerpt.ts';

const shown = (text: string, ...terms: string[]) => excerptOf(text, terms).map((piece) => piece.text);

test('found words are marked from their first letter on, regardless of case', () => {
  expect(excerptOf('Binlog: read the binlogs, not oldbinlog or ébinlog.', ['binlog', 'read'])).toEqual([
    { text: 'Binlog', mark: true },
    { text: ': ' },
    { text: 'read', mark: true },
    { text: ' the ' },
    { text: 'binlog', mark: true },
    { text: 's, not oldbinlog or ébinlog.' },
  ]);
  expect(excerptOf('the end', ['end'])).toEqual([{ text: 'the ' }, { text: 'end', mark: true }]);
});

test('regular expression characters are plain text', () => {
  expect(excerptOf('a (b) c', ['(b'])).toEqual([{ text: 'a ' }, { text: '(b', mark: true }, { text: ') c' }]);
});

test('a long text is cut at whole words around the hit, with ellipses', () => {
  const words = Array.from({ length: 40 }, (_, at) => `word${at + 10}`);
  const text = [...words, 'found', ...words].join(' ');
  const [before = '', hit, after = ''] = shown(text, 'found');
  expect(hit).toBe('found');
  expect(before).toMatch(/^… word\d\d .*word49 $/);
  expect(text).toContain(` ${before.slice('… '.length)}found${after.slice(0, -' …'.length)}`);
  expect(after.slice(-2)).toBe(' …');
  // As much as fits on two lines of a list, most of it after the hit.
  expect([before.length > 50, before.length < 65, after.length > 100, after.length < 140]).toEqual([
    true,
    true,
    true,
    true,
  ]);
  // Near the end nothing is cut after the hit, near the start nothing before it.
  expect(shown(`${words.join(' ')} found`, 'found').at(-1)).toBe('found');
  expect(shown(`found ${words.join(' ')}`, 'found')[0]).toBe('found');
});

test('cut table cells leave no separator behind', () => {
  const cells = Array.from({ length: 30 }, (_, at) => `cell${at + 10}`);
  const [before, hit, after] = shown([...cells, 'found', ...cells].join(' · '), 'found');
  expect([before, hit]).toEqual([expect.stringMatching(/^… (cell\d\d · )+$/), 'found']);
  expect(after).toMatch(/^( · cell\d\d)+ …$/);
});

test('a hit inside a long word is shown', () => {
  const address = `See https://${'folder/'.repeat(30)}found and more`;
  expect(shown(address, 'found')).toEqual([expect.stringMatching(/^… [\w/]{60}$/), 'found', ' and more']);
});

test('a hit beyond the stored text shows the start of the text', () => {
  expect(shown('A short text.', 'elsewhere')).toEqual(['A short text.']);
  expect(shown(`A ${'long '.repeat(100)}text.`, 'elsewhere')).toEqual([expect.stringMatching(/^A (long ){35}…$/)]);
  expect(excerptOf('', ['elsewhere'])).toEqual([]);
});
