import { expect, test } from 'vitest';
import { root, testFile } from '../../testing/markdown-trees.ts';
import { element, text } from './elements.ts';
import { references } from './references.ts';

test('internal links and pictures are collected with their position, external links are marked', () => {
  const { file, page } = testFile();
  const inner = {
    ...element('a', { href: 'b.md#x' }),
    position: { start: { line: 3, column: 5 }, end: { line: 3, column: 9 } },
  };
  const outer = element('a', { href: 'https://example.org' });
  const mail = element('a', { href: 'mailto:a@b.c' });
  const first = element('img', { src: 'a.svg' });
  const second = element('img', { src: 'b.svg', alt: 'B' });
  references()(root(inner, outer, mail, first, second), file);
  expect(page.references).toEqual([
    { kind: 'link', href: 'b.md#x', line: 3, column: 5 },
    { kind: 'image', href: 'a.svg', line: 1, column: 1 },
    { kind: 'image', href: 'b.svg', line: 1, column: 1 },
  ]);
  expect(outer.properties).toMatchObject({ rel: ['noopener'], className: ['external'] });
  expect(mail.properties).toEqual({ href: 'mailto:a@b.c' });
  expect(first.properties).toEqual({ src: 'a.svg', decoding: 'async', alt: '' });
  expect(second.properties.loading).toBe('lazy');
});

test('an external link whose text is its address is marked as such', () => {
  const { file } = testFile();
  const link = (words: string) => element('a', { href: 'https://example.org/a' }, [text(words)]);
  const links = [link('https://example.org/a'), link('The example')];
  references()(root(...links), file);
  expect(links.map(({ properties }) => properties.className)).toEqual([['external', 'bare'], ['external']]);
});

test('relative links of an included file are resolved from its folder', () => {
  const { file, page } = testFile();
  page.folderOf = (line) => (line === 3 ? '../parts' : undefined);
  const at = (line: number) => ({ start: { line, column: 1 }, end: { line, column: 2 } });
  const link = (href: string | undefined, line = 3) => ({
    ...element('a', href === undefined ? {} : { href }),
    position: at(line),
  });
  const picture = { ...element('img', { src: 'a.svg' }), position: at(3) };
  const links = ['b.md', './c.md?x', '/d', '#e', '?f', 'mailto:g@h.i', '', undefined].map((href) => link(href));
  const own = link('b.md', 4);
  references()(root(...links, own, picture), file);
  expect([...links, own].map(({ properties }) => properties.href)).toEqual([
    ...['../parts/b.md', '../parts/c.md?x', '/d', '#e', '?f', 'mailto:g@h.i', '', undefined, 'b.md'],
  ]);
  expect(picture.properties.src).toBe('../parts/a.svg');
});

test('links between footnotes use the prefixed ids', () => {
  const { file, page } = testFile();
  const link = element('a', { href: '#fn-1', dataFootnoteRef: '' });
  references()(root(link), file);
  expect(link.properties.href).toBe('#user-content-fn-1');
  expect(page.references).toEqual([]);
});
