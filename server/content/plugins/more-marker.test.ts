import type { Comment, ElementContent } from 'hast';
import { expect, test } from 'vitest';
import { el, root } from '../../testing/markdown-trees.ts';
import { element } from './elements.ts';
import { moreMarker } from './more-marker.ts';

const comment = (value: string): Comment => ({ type: 'comment', value });
const block = (...children: ElementContent[]) => element('div', {}, children);

test('both marker words are found at any depth; other comments stay', () => {
  const tree = root(
    block(comment(' more ')),
    block(comment('truncate')),
    block(comment(' more or less ')),
    el('p', '<!-- more -->'),
  );
  moreMarker()(tree);
  expect(tree).toEqual(
    root(
      block(element('md-more', {})),
      block(element('md-more', {})),
      block(comment(' more or less ')),
      el('p', '<!-- more -->'),
    ),
  );
});
