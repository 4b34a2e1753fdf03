import { expect, test } from 'vitest';
import { el, root } from '../../testing/markdown-trees.ts';
import { sectionsOf } from './sections.ts';

test('a page is split at its headings of levels 2 and 3', () => {
  const heading = el('h2', ' Grants\n of C# ');
  heading.properties.id = 'grants';
  expect(
    sectionsOf(root(el('p', 'First.'), heading, el('p', 'Second.'), el('h4', 'Third'), el('p', 'Fourth.'))),
  ).toEqual([{ text: 'First.' }, { id: 'grants', heading: 'Grants of C#', text: 'Second. Third Fourth.' }]);
});

test('words of adjacent blocks stay apart, such as a code title and its code', () => {
  const code = el('figure', el('figcaption', 'cluster'), el('pre', 'kafka-topics.sh\n--list'));
  const list = el('ul', el('li', 'one', el('ul', el('li', 'two'))), el('li', 'three'));
  expect(sectionsOf(root(code, list))).toEqual([{ text: 'cluster kafka-topics.sh --list one two three' }]);
});

test('table cells are separated at any depth, and empty ones are left out', () => {
  const head = el('tr', el('th'), el('th', 'Finds values'), el('th', 'Says which row'));
  const body = el('tr', el('td', 'Digest'), el('td', el('code', 'md5'), ' of the row'), el('td', ' \n'));
  const table = el('div', el('table', el('thead', head), el('tbody', body)));
  const tabs = el('div', el('p', 'Before.'), el('div', table));
  expect(sectionsOf(root(tabs, el('p', 'After.')))).toEqual([
    { text: 'Before. Finds values · Says which row · Digest · md5 of the row After.' },
  ]);
});

test('text before the first heading is a section only if it has words; a heading always is', () => {
  const named = el('h3', 'Empty');
  named.properties.id = 'empty';
  expect(sectionsOf(root(el('p', ' \n'), named, el('h2', 'No id'), el('p', ' It \n says ')))).toEqual([
    { id: 'empty', heading: 'Empty', text: '' },
    { id: '', heading: 'No id', text: 'It says' },
  ]);
  expect(sectionsOf(root(el('p', ' ')))).toEqual([]);
});
