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

test("GitHub's alert becomes an admonition, another quotation stays", () => {
  const tree = root(el('blockquote', el('p', '[!IMPORTANT]\nRead this')), el('blockquote', el('p', 'A quotation')));
  admonitions()(tree);
  expect(tree.children.map((child) => child.type === 'element' && child.tagName)).toEqual(['aside', 'blockquote']);
  expect(JSON.stringify(tree.children[0])).toContain('admonition-info');
});

test("Obsidian's callout has its title on the first line", () => {
  const paragraph = el('p', '[!faq]- Why ', el('em', 'this'), '?\nBecause.');
  const tree = root(el('blockquote', paragraph), el('blockquote', el('p', '[!own]\nText')));
  admonitions()(tree);
  const title = element('p', { className: ['admonition-title'] }, el('p', 'Why ', el('em', 'this'), '?').children);
  expect(tree.children[0]).toMatchObject({ tagName: 'aside', children: [title, el('p', 'Because.')] });
  expect(tree.children[1]).toMatchObject({ children: [{ children: [{ value: 'Own' }] }, el('p', 'Text')] });
});

test('names of other tools have a kind, an empty name and inherited names have none', () => {
  expect(admonitionKind('Important')).toBe('info');
  expect(admonitionKind('')).toBeUndefined();
  expect(admonitionKind('constructor')).toBeUndefined();
});
