import { expect, test } from 'vitest';
import { el, root, testFile } from '../../testing/markdown-trees.ts';
import { element, text } from './elements.ts';
import { excerpt } from './excerpt.ts';
import { moreMarker } from './more-marker.ts';

test('the part before the marker, without ids and marks of footnotes', () => {
  const { file, page } = testFile({}, 'post');
  const tree = root(
    element('h2', { id: 'a' }, [text('Head')]),
    el('p', 'Text', element('sup', { dataFootnoteRef: '' })),
    el('p', 'Rest'),
  );
  tree.children.splice(2, 0, { type: 'comment', value: ' more ' });
  moreMarker()(tree);
  excerpt()(tree, file);
  expect(page.excerpt).toEqual(root(el('h2', 'Head'), el('p', 'Text')));
  expect(tree.children).toHaveLength(3);
});

test('without a marker the first two paragraphs before a heading', () => {
  const { file, page } = testFile({}, 'post');
  excerpt()(root(el('p', 'A'), el('ul', el('li', 'x')), el('p', 'B'), el('p', 'C'), el('h2', 'H')), file);
  expect(page.excerpt).toEqual(root(el('p', 'A'), el('p', 'B')));
});

test('documents have none', () => {
  const { file, page } = testFile();
  excerpt()(root(el('p', 'A')), file);
  expect(page.excerpt).toBeUndefined();
});
