import { expect, test } from 'vitest';
import { el, root } from '../../testing/markdown-trees.ts';
import { sectionsOf } from './sections.ts';

test('a page is cut at its headings of levels 2 and 3', () => {
  const heading = el('h2', 'Grants #');
  heading.properties.id = 'grants';
  expect(
    sectionsOf(root(el('p', 'First.'), heading, el('p', 'Second.'), el('h4', 'Third'), el('p', 'Fourth.'))),
  ).toEqual([{ text: 'First.' }, { id: 'grants', heading: 'Grants', text: 'Second. Third Fourth.' }]);
});

test('words of two blocks stay apart: the title of a code block and its code above all', () => {
  const code = el('figure', el('figcaption', 'cluster'), el('pre', 'kafka-topics.sh\n--list'));
  const list = el('ul', el('li', 'one', el('ul', el('li', 'two'))), el('li', 'three'));
  expect(sectionsOf(root(code, list))).toEqual([{ text: 'cluster kafka-topics.sh --list one two three' }]);
});
