import { expect, test } from 'vitest';
import { el, root, testFile } from '../../testing/markdown-trees.ts';
import { element, text } from './elements.ts';
import { plainText, textOf } from './plain-text.ts';

test('blocks stand on lines, cells apart, marks of footnotes are left out', () => {
  const mark = element('a', { dataFootnoteRef: '' }, [text('1')]);
  const tree = root(
    el('p', 'One ', el('b', 'two'), mark),
    el('table', el('tr', el('td', 'a'), el('td', 'b'))),
    el('figure', el('figcaption', 'title.sh'), el('pre', 'x\ny')),
  );
  expect(textOf(tree)).toBe('One two\na\nb\ntitle.sh\nx\ny');
});

test('the intro is the first paragraph, cut at a sentence', () => {
  const { file, page } = testFile();
  plainText()(root(el('h2', 'Head'), el('p', `${'A sentence of some words that is long enough. '.repeat(5)}`)), file);
  expect(page.intro).toMatch(/^A sentence.*enough\.$/);
  expect(page.intro.length).toBeLessThanOrEqual(160);
});

test('reading time counts words, and characters where words have no blanks', () => {
  const { file, page } = testFile();
  plainText()(root(el('p', 'word '.repeat(660))), file);
  expect(page.readingMinutes).toBe(3);
  const other = testFile();
  plainText()(root(el('p', '字'.repeat(900))), other.file);
  expect(other.page.readingMinutes).toBe(2);
});
