import { expect, test } from 'vitest';
import { el, root, testFile } from '../../testing/markdown-trees.ts';
import { element, text } from './elements.ts';
import { titleHeading } from './title-heading.ts';

test('the first level 1 heading becomes the title and is removed; a second becomes level 2', () => {
  const { file, page } = testFile();
  const tree = root(element('h1', { id: 'top' }, [text('Title')]), el('p', 'Text'), el('h1', 'More'));
  titleHeading()(tree, file);
  expect(tree).toEqual(root(el('p', 'Text'), el('h2', 'More')));
  expect(page).toMatchObject({ heading: 'Title', topIds: ['top'] });
});

test('with a title in the front matter, a level 1 heading after text becomes level 2', () => {
  const { file, page } = testFile({ title: 'Written' });
  const tree = root(el('p', 'Text'), el('h1', 'Part'));
  titleHeading()(tree, file);
  expect(tree).toEqual(root(el('p', 'Text'), el('h2', 'Part')));
  expect(page.heading).toBeUndefined();
});

test('without a level 1 heading, one that comes first is the title, and is removed', () => {
  const { file, page } = testFile();
  const tree = root(element('h3', { id: 'start' }, [text('Start')]), el('div', el('h4', 'Part')), el('h5', 'Deep'));
  titleHeading()(tree, file);
  expect(tree).toEqual(root(el('div', el('h4', 'Part')), el('h5', 'Deep')));
  expect(page).toMatchObject({ heading: 'Start', topIds: ['start'] });
});

test.each([
  ['after text', root(el('p', 'Text'), el('h2', 'Part'), el('h3', 'Deep'))],
  ['that is the first of several', root(el('h2', 'Part'), el('p', 'Text'), el('h2', 'Other'))],
  ['with a higher one below it', root(el('h3', 'Part'), el('div', el('h2', 'Other')))],
])('a heading %s stays in the text and names no page', (_what, tree) => {
  const { file, page } = testFile();
  const before = structuredClone(tree);
  titleHeading()(tree, file);
  expect(tree).toEqual(before);
  expect(page).toMatchObject({ topIds: [] });
  expect(page.heading).toBeUndefined();
});

test('with a title in the front matter, all other headings stay in the text', () => {
  const { file, page } = testFile({ title: 'Written' });
  const tree = root(el('h2', 'Part'), el('p', 'Text'));
  titleHeading()(tree, file);
  expect(tree).toEqual(root(el('h2', 'Part'), el('p', 'Text')));
  expect(page.heading).toBeUndefined();
});

test('the title may come after empty anchors, but not after a picture', () => {
  const { file, page } = testFile();
  const anchor = element('p', {}, [element('a', { id: 'older' })]);
  const tree = root(anchor, el('h2', 'Title'));
  titleHeading()(tree, file);
  expect(tree).toEqual(root(anchor));
  expect(page.heading).toBe('Title');
  const shown = root(el('p', el('img')), el('h2', 'Title'));
  titleHeading()(shown, testFile().file);
  expect(shown.children).toHaveLength(2);
});

test('pictures of the title stay, in their links, and name the page if it has no words', () => {
  const { file, page } = testFile();
  const logo = element('img', { src: 'logo.png', alt: 'Logo' });
  const badge = element('img', { src: 'build.png', alt: 'Build' });
  const link = element('a', { href: 'build.md' }, [el('strong', badge, ' state')]);
  const tree = root(el('h1', logo, ' Product ', link), el('p', 'Text'));
  titleHeading()(tree, file);
  expect(tree).toEqual(root(el('p', logo, element('a', { href: 'build.md' }, [badge])), el('p', 'Text')));
  expect(page.heading).toBe('Product state');
  const { file: other, page: named } = testFile({ title: 'Written' });
  titleHeading()(root(el('h1', logo, badge)), other);
  expect(named.heading).toBe('Logo Build');
});

test('links of the title are checked, though only their words are shown', () => {
  const { file, page } = testFile();
  const tree = root(el('h1', element('a', { href: 'gone.md' }, [text('Product')])), el('p', 'Text'));
  titleHeading()(tree, file);
  expect(tree).toEqual(root(el('p', 'Text')));
  expect(page).toMatchObject({ heading: 'Product', references: [{ kind: 'link', href: 'gone.md' }] });
});
