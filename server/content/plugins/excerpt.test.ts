import { describe, expect, test } from 'vitest';
import { el, root, testFile } from '../../testing/markdown-trees.ts';
import { element, text } from './elements.ts';
import { excerpt } from './excerpt.ts';
import { moreMarker } from './more-marker.ts';

test('the excerpt is the part before the marker, without ids and footnote marks', () => {
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

test('without a marker, the excerpt is the first two paragraphs before a heading', () => {
  const { file, page } = testFile({}, 'post');
  excerpt()(root(el('p', 'A'), el('ul', el('li', 'x')), el('p', 'B'), el('p', 'C'), el('h2', 'H')), file);
  expect(page.excerpt).toEqual(root(el('p', 'A'), el('p', 'B')));
});

test('documents have no excerpt', () => {
  const { file, page } = testFile();
  excerpt()(root(el('p', 'A')), file);
  expect(page.excerpt).toBeUndefined();
});

describe('a post', () => {
  const excerptOf = (...children: Parameters<typeof root>) => {
    const { file, page } = testFile({}, 'post');
    const tree = root(...children);
    excerpt()(tree, file);
    return { tree, excerpt: page.excerpt };
  };
  const more = () => element('md-more', {});

  test.each(['h1', 'h6'])('that has a %s after its start shows the text above it', (heading) => {
    expect(excerptOf(el('p', 'A'), el(heading, 'H'), el('p', 'B')).excerpt).toEqual(root(el('p', 'A')));
  });

  test.each(['hr', 'h7', 'th1'])('does not take %s for a heading', (name) => {
    expect(excerptOf(el('p', 'A'), el(name), el('p', 'B')).excerpt).toEqual(root(el('p', 'A'), el('p', 'B')));
  });

  test('that starts with a heading still shows its first paragraphs', () => {
    expect(excerptOf(el('h2', 'H'), el('p', 'A')).excerpt).toEqual(root(el('p', 'A')));
  });

  test('whose marker comes first shows nothing', () => {
    const { tree, excerpt: made } = excerptOf(more(), el('p', 'A'));
    expect(made).toEqual(root());
    expect(tree).toEqual(root(el('p', 'A')));
  });

  test('whose marker is in a block shows that block, unless it contains only the marker', () => {
    const inBlock = excerptOf(el('p', 'A'), el('div', el('p', 'B'), more()), el('p', 'C'));
    expect(inBlock.excerpt).toEqual(root(el('p', 'A'), el('div', el('p', 'B'))));
    const alone = excerptOf(el('p', 'A'), el('ul'), el('p', more()), el('p', 'C'));
    expect(alone.excerpt).toEqual(root(el('p', 'A'), el('ul')));
    expect(alone.tree.children).toHaveLength(4);
  });

  test('keeps its links and superscripts, but no heading anchors and footnote marks', () => {
    const anchor = element('a', { className: ['heading-anchor'], href: '#h' });
    const link = element('a', { className: ['external'], href: 'https://example.org' }, [text('out')]);
    const mark = el('sup', element('a', { dataFootnoteRef: '' }, [text('1')]));
    const { excerpt: made, tree } = excerptOf(el('h2', 'H', anchor), el('p', link, el('sup', '2'), mark), more());
    expect(made).toEqual(root(el('h2', 'H'), el('p', link, el('sup', '2'))));
    expect(JSON.stringify(tree)).toContain('heading-anchor');
  });
});

test('a document loses its marker too', () => {
  const tree = root(el('p', 'A'), element('md-more', {}));
  excerpt()(tree, testFile().file);
  expect(tree).toEqual(root(el('p', 'A')));
});
