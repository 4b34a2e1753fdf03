import type { Root } from 'hast';
import { unified } from 'unified';
import { expect, test } from 'vitest';
import { el, root } from '../../testing/markdown-trees.ts';
import { element, text } from './elements.ts';
import { headingIds } from './heading-ids.ts';

const ids = (tree: Root) => {
  unified().use(headingIds).runSync(tree);
  return tree.children.map((child) => (child.type === 'element' ? child.properties.id : undefined));
};

test('ids are unique slugs of the text', () => {
  expect(ids(root(el('h2', 'Set up'), el('h3', 'Set up'), el('p', 'Text'), el('h2', '…')))).toEqual([
    'set-up',
    'set-up-1',
    undefined,
    'section',
  ]);
});

test('a written id is used and removed from the text', () => {
  const tree = root(el('h2', 'Set up {#start}'), el('h2', 'Values {a}'));
  expect(ids(tree)).toEqual(['start', 'values-a']);
  expect(tree.children[0]).toEqual(element('h2', { id: 'start' }, [text('Set up')]));
});

test('a written id may be among other attributes, and is the text of an empty heading', () => {
  const badge = el('h2', 'Name ', el('sup', ' { .x #größe-1 data-label="A b" }'));
  const empty = el('h3', '{ #config.dir data-label="dir" }');
  expect(ids(root(badge, empty, el('h2', el('code', '{#no}'))))).toEqual(['größe-1', 'config.dir', 'no']);
  expect(empty.children.at(-1)).toEqual(text('config.dir'));
});

test('an id from raw HTML stays', () => {
  expect(ids(root(element('h2', { id: 'user-content-x' }, [text('Title')])))).toEqual(['user-content-x']);
});

test('a slug that equals an earlier written id gets a number', () => {
  expect(ids(root(el('h2', 'Set up {#start}'), el('h2', 'Start')))).toEqual(['start', 'start-1']);
});

test('only headings get ids, and equal headings get different ones', () => {
  const tree = root(el('h1', 'A'), el('h6', 'A'), el('h2', 'A'), el('h7', 'A'), el('th1', 'A'));
  expect(ids(tree)).toEqual(['a', 'a-1', 'a-2', undefined, undefined]);
});

test('a heading that ends in code or has attributes without an id gets a slug', () => {
  const withCode = el('h2', 'Set ', el('code', 'x {#no}'));
  const withClass = el('h2', 'Values {.wide}');
  const empty = el('h2');
  expect(ids(root(withCode, withClass, empty))).toEqual(['set-x-no', 'values', 'section']);
  expect(withClass.children).toEqual([text('Values')]);
});

test('a heading keeps its words besides a written id', () => {
  const tree = root(el('h2', el('em', 'A'), ' {#b}'));
  expect(ids(tree)).toEqual(['b']);
  expect(tree).toEqual(root(element('h2', { id: 'b' }, [el('em', 'A'), text('')])));
});

test('an id may be written as an attribute', () => {
  expect(ids(root(el('h2', '9.7.0 ', el('small', 'today'), ' { id="9.7.0" }')))).toEqual(['9.7.0']);
});

test('terms have written ids or slugs; headings take precedence', () => {
  const terms = [el('dt', 'Replica set'), el('dt', 'Slot { #wal-slot }'), el('dt', 'Lag'), el('dt', '…')];
  const tree = root(el('dl', ...terms), el('h2', 'Lag'));
  ids(tree);
  expect(terms.map(({ properties }) => properties.id)).toEqual(['replica-set', 'wal-slot', 'lag-1', undefined]);
  expect(terms[1]?.children).toEqual([text('Slot')]);
});

test('thousands of equal terms get different ids', () => {
  const terms = Array.from({ length: 100_000 }, () => el('dt', 'Lag'));
  ids(root(...terms));
  expect(new Set(terms.map(({ properties }) => properties.id)).size).toBe(100_000);
});

test('headings do not get the ids of the page frame', () => {
  const written = ['Main', 'Sidebar', 'SearchResults', 'Tab-1'].map((id) => el('h2', `Words {#${id}}`));
  expect(ids(root(...written))).toEqual(['Main-1', 'Sidebar-1', 'SearchResults-1', 'Tab-1-1']);
});

test('no words of a heading give an id of the page frame', () => {
  const headings = ['Main', 'Page script', 'Sidebar', 'Contents', 'Tab 1', 'Search results'];
  expect(ids(root(...headings.map((words) => el('h2', words))))).toEqual([
    'main',
    'page-script',
    'sidebar',
    'contents',
    'tab-1',
    'search-results',
  ]);
});
