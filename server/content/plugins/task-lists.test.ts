import { expect, test } from 'vitest';
import { root } from '../../testing/markdown-trees.ts';
import { element } from './elements.ts';
import { taskLists } from './task-lists.ts';

test('checkboxes have a name', () => {
  const tree = root(element('input', { checked: true }), element('input', {}));
  taskLists()(tree);
  expect(tree).toEqual(
    root(element('input', { checked: true, ariaLabel: 'Done' }), element('input', { ariaLabel: 'Not done' })),
  );
});
