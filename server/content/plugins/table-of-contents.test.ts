import { expect, test } from 'vitest';
import { root, testFile } from '../../testing/markdown-trees.ts';
import { element, text } from './elements.ts';
import { tableOfContents } from './table-of-contents.ts';

test('levels 2 and 3 are listed, every heading links to itself, and all ids are recorded', () => {
  const { file, page } = testFile();
  const heading = (level: number, id: string) => element(`h${level}`, { id }, [text(`Part ${id}`)]);
  const hidden = element('h2', { id: 'label', className: ['sr-only'] }, [text('Footnotes')]);
  const tree = root(heading(2, 'a'), heading(3, 'b'), heading(4, 'c'), hidden);
  tableOfContents()(tree, file);
  expect(page.toc).toEqual([
    { depth: 2, id: 'a', text: 'Part a' },
    { depth: 3, id: 'b', text: 'Part b' },
  ]);
  expect(page.ids).toEqual(['a', 'b', 'c', 'label']);
  const anchor = element('a', { className: ['heading-anchor'], href: '#c', ariaLabel: 'Link to “Part c”' });
  expect(tree.children[2]).toEqual(element('h4', { id: 'c' }, [text('Part c'), anchor]));
  expect(hidden.children).toHaveLength(1);
});

test('a picture gives its heading words; a heading without words is reported and not linked', () => {
  const { file, page } = testFile();
  const picture = element('h2', { id: 'section' }, [element('img', { src: 'a.svg', alt: 'Three roles' })]);
  const position = { start: { line: 7, column: 1 }, end: { line: 7, column: 3 } };
  const empty = { ...element('h2', { id: 'section-1' }, [text(' ')]), position };
  tableOfContents()(root(picture, empty), file);
  expect(page.toc).toEqual([{ depth: 2, id: 'section', text: 'Three roles' }]);
  expect(picture.children.at(-1)).toMatchObject({ properties: { ariaLabel: 'Link to “Three roles”' } });
  expect(empty.children).toHaveLength(1);
  expect(page.faults).toMatchObject([{ line: 7, column: 1, rule: 'empty-heading' }]);
});
