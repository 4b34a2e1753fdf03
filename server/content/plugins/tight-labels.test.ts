import { expect, test } from 'vitest';
import { el, root } from '../../testing/markdown-trees.ts';
import { tightLabels } from './tight-labels.ts';

test('a label of one paragraph keeps only its content', () => {
  const tree = root(el('dt', '\n', el('p', 'Term'), '\n'), el('summary', el('p', 'a'), el('p', 'b')));
  tightLabels()(tree);
  expect(tree).toEqual(root(el('dt', 'Term'), el('summary', el('p', 'a'), el('p', 'b'))));
});
