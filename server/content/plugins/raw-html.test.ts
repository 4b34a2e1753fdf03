import { expect, test } from 'vitest';
import { el, root, testFile } from '../../testing/markdown-trees.ts';
import { rawHtml } from './raw-html.ts';

test('raw nodes become elements; a tree without any stays unchanged', () => {
  const { file } = testFile();
  const plain = root(el('p', 'a'));
  expect(rawHtml()(plain, file)).toBe(plain);
  const tree = root(el('p', 'a'));
  tree.children.push({ type: 'raw', value: '<kbd>K</kbd>' });
  expect(rawHtml()(tree, file).children).toMatchObject([{ tagName: 'p' }, { tagName: 'kbd' }]);
});

test('an element that is closed as in XML is empty', () => {
  const tree = root();
  tree.children.push({ type: 'raw', value: '<a id="x>"/>after<br/>' });
  expect(rawHtml()(tree, testFile().file).children).toMatchObject([
    { tagName: 'a', properties: { id: 'x>' }, children: [] },
    { value: 'after' },
    { tagName: 'br' },
  ]);
});

test('inline code gets no additional line', () => {
  const tree = root(el('p', el('code', '\nA')));
  tree.children.push({ type: 'raw', value: '<br>' });
  expect(rawHtml()(tree, testFile().file).children[0]).toMatchObject(el('p', el('code', '\nA')));
});

test('code that starts with an empty line keeps it', () => {
  const code = () => el('pre', el('code', '\nA\n'));
  const tree = root(code());
  tree.children.push({ type: 'raw', value: '<br>' });
  expect(rawHtml()(tree, testFile().file).children[0]).toMatchObject(code());
});
