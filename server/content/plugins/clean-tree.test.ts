import { expect, test } from 'vitest';
import { el, root } from '../../testing/markdown-trees.ts';
import { cleanTree } from './clean-tree.ts';

test('positions and spaces between blocks are removed, spaces in text stay', () => {
  const tree = root('\n', el('ul', '\n', el('li', 'a', ' ', el('b', 'c'))), '\n');
  tree.position = { start: { line: 1, column: 1 }, end: { line: 1, column: 1 } };
  cleanTree()(tree);
  expect(tree).toEqual(root(el('ul', el('li', 'a', ' ', el('b', 'c')))));
});
