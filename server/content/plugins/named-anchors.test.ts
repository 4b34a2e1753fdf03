import { expect, test } from 'vitest';
import { el, root } from '../../testing/markdown-trees.ts';
import { element } from './elements.ts';
import { namedAnchors } from './named-anchors.ts';

test('the name of an anchor becomes its id, unless it has one', () => {
  const tree = root(
    el('p', element('a', { name: 'old' })),
    element('a', { name: 'old', id: 'new' }),
    element('input', { name: 'field' }),
  );
  namedAnchors()(tree);
  expect(tree).toEqual(
    root(el('p', element('a', { id: 'old' })), element('a', { id: 'new' }), element('input', { name: 'field' })),
  );
});
