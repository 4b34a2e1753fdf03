import { expect, test } from 'vitest';
import { el, root } from '../../testing/markdown-trees.ts';
import { emoji } from './emoji.ts';

test('emoji names become characters, except in code', () => {
  const tree = root(
    el('p', 'Done :tada::+1:, at 10:30:00, a:key:b, :nonsense: ', el('code', ':tada:')),
    el('pre', ':tada:'),
  );
  emoji()(tree);
  expect(tree).toEqual(
    root(el('p', 'Done 🎉👍, at 10:30:00, a:key:b, :nonsense: ', el('code', ':tada:')), el('pre', ':tada:')),
  );
});
