import { describe, expect, test } from 'vitest';
import { el, root, testFile } from '../../testing/markdown-trees.ts';
import { element, text } from './elements.ts';
import { plainText, textOf } from './plain-text.ts';

test('blocks and cells are on separate lines, and footnote marks are left out', () => {
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

test('reading time counts words, or characters in scripts without spaces', () => {
  const { file, page } = testFile();
  plainText()(root(el('p', 'word '.repeat(660))), file);
  expect(page.readingMinutes).toBe(3);
  const other = testFile();
  plainText()(root(el('p', '字'.repeat(900))), other.file);
  expect(other.page.readingMinutes).toBe(2);
});

test('line breaks stay, trailing spaces are removed, and inline elements add no spaces', () => {
  const tree = root(
    el('p', ' One', el('br'), 'two ', el('em', 'th'), 'ree  '),
    '\n',
    el('ul', el('li', 'a'), el('li', el('p', 'b'))),
    { ...el('p', 'kept'), children: [{ type: 'comment', value: 'hidden' }] },
  );
  expect(textOf(tree)).toBe('One\ntwo three\na\nb');
});

describe('the intro', () => {
  const introOf = (...children: Parameters<typeof root>) => {
    const { file, page } = testFile();
    plainText()(root(...children), file);
    return page.intro;
  };
  const words = (length: number) => 'word '.repeat(length).slice(0, length);

  test('is the first paragraph with words, on one line', () => {
    expect(introOf(el('h2', 'Head'), el('p', ' '), el('p', 'One', el('br'), 'two'))).toBe('One two');
  });

  test('is the text if there is no paragraph', () => {
    expect(introOf(el('ul', el('li', 'a'), el('li', 'b')))).toBe('a b');
    expect(introOf()).toBe('');
  });

  test('has at most 160 characters', () => {
    expect(introOf(el('p', words(160)))).toBe(words(160).trim());
    expect(introOf(el('p', `${'x'.repeat(160)}`))).toBe('x'.repeat(160));
    expect(introOf(el('p', 'x'.repeat(161)))).toBe(`${'x'.repeat(159)}…`);
  });

  test('ends between words, or within a word that is too long', () => {
    expect(introOf(el('p', `${'x'.repeat(81)} ${'y'.repeat(100)}`))).toBe(`${'x'.repeat(81)}…`);
    expect(introOf(el('p', `${'x'.repeat(80)} ${'y'.repeat(100)}`))).toBe(`${'x'.repeat(80)} ${'y'.repeat(78)}…`);
  });

  test('ends with a sentence, unless that is too short', () => {
    expect(introOf(el('p', `${'x'.repeat(54)}. ${words(150)}`))).toBe(`${'x'.repeat(54)}.`);
    expect(introOf(el('p', `${'x'.repeat(53)}. ${'y'.repeat(40)} ${'z'.repeat(100)}`))).toBe(
      `${'x'.repeat(53)}. ${'y'.repeat(40)}…`,
    );
  });
});
