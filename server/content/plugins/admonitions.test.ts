import { expect, test } from 'vitest';
import { el, root } from '../../testing/markdown-trees.ts';
import { admonitionKind } from './admonition-kinds.ts';
import { admonitions } from './admonitions.ts';
import { element } from './elements.ts';

test('an admonition takes its label as title and keeps its children', () => {
  const tree = root(
    element('md-admonition', { kind: 'tip' }, [el('md-label', 'A ', el('em', 'title')), el('p', 'Text')]),
  );
  admonitions()(tree);
  const title = element('p', { className: ['admonition-title'] }, el('p', 'A ', el('em', 'title')).children);
  expect(tree.children).toEqual([
    element('aside', { className: ['admonition', 'admonition-tip'], role: 'note' }, [title, el('p', 'Text')]),
  ]);
});

test('without a label the kind is the title', () => {
  const tree = root(element('md-admonition', { kind: 'danger' }, []));
  admonitions()(tree);
  expect(JSON.stringify(tree)).toContain('"value":"Danger"');
});

test('a GitHub alert becomes an admonition, other quotations stay', () => {
  const tree = root(el('blockquote', el('p', '[!IMPORTANT]\nRead this')), el('blockquote', el('p', 'A quotation')));
  admonitions()(tree);
  expect(tree.children.map((child) => child.type === 'element' && child.tagName)).toEqual(['aside', 'blockquote']);
  expect(JSON.stringify(tree.children[0])).toContain('admonition-info');
});

test('an Obsidian callout takes its title from the first line', () => {
  const paragraph = el('p', '[!faq]- Why ', el('em', 'this'), '?\nBecause.');
  const tree = root(el('blockquote', paragraph), el('blockquote', el('p', '[!own]\nText')));
  admonitions()(tree);
  const title = element('p', { className: ['admonition-title'] }, el('p', 'Why ', el('em', 'this'), '?').children);
  expect(tree.children[0]).toMatchObject({ tagName: 'aside', children: [title, el('p', 'Because.')] });
  expect(tree.children[1]).toMatchObject({ children: [{ children: [{ value: 'Own' }] }, el('p', 'Text')] });
});

test("other tools' names have a kind; empty and inherited names have none", () => {
  expect(admonitionKind('Important')).toBe('info');
  expect(admonitionKind('')).toBeUndefined();
  expect(admonitionKind('constructor')).toBeUndefined();
});

test('only a quotation whose first paragraph starts with the marker is an alert', () => {
  const quotes = [
    el('blockquote', el('ul', el('li', '[!NOTE]'))),
    el('blockquote', el('p', el('em', '[!NOTE]'))),
    el('blockquote', el('p', 'See [!NOTE]')),
    el('blockquote', el('p', 'x[!NOTE]')),
    el('blockquote', el('p', '[!]')),
    el('blockquote'),
  ];
  const tree = root(...quotes);
  admonitions()(tree);
  expect(tree).toEqual(root(...quotes));
});

test('an alert contains the blocks after its marker, if there are any', () => {
  const tree = root(
    el('blockquote', '\n', el('p', '[!TIP]'), el('ul', el('li', 'a'))),
    el('blockquote', el('p', '[!TIP] Title')),
    el('blockquote', el('p', '[!TIP]\nText', el('b', 'bold'), ' ')),
  );
  admonitions()(tree);
  const aside = (title: string, ...children: Parameters<typeof root>) =>
    element('aside', { className: ['admonition', 'admonition-tip'], role: 'note' }, [
      element('p', { className: ['admonition-title'] }, el('p', title).children),
      ...el('x', ...children).children,
    ]);
  const [first, second, third] = tree.children;
  expect(first).toEqual(aside('Tip', '\n', el('ul', el('li', 'a'))));
  expect(second).toEqual(aside('Title'));
  expect(third).toEqual(aside('Tip', el('p', 'Text', el('b', 'bold'), ' ')));
});

test('a label of two blocks keeps both', () => {
  const label = el('md-label', el('p', 'A'), el('p', 'B'));
  const tree = root(element('md-admonition', {}, [label]));
  admonitions()(tree);
  expect(tree.children[0]).toMatchObject({
    properties: { className: ['admonition', 'admonition-note'] },
    children: [{ children: [el('p', 'A'), el('p', 'B')] }],
  });
});
