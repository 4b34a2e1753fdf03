import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { testFolder, writeFiles } from '../../testing/content-folder.ts';
import { loadedPage, named } from '../../testing/indexed-pages.ts';
import { createAssets } from './assets.ts';
import { createLinks } from './links.ts';
import { createPageTable } from './page-table.ts';
import { indexPages } from './pages.ts';

const folder = testFolder('links');
const svg = (width: number) => `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="9"></svg>`;
writeFiles(folder, {
  'docs/a/p.svg': svg(1),
  'docs/a/one/inside.svg': svg(2),
  'docs/a/table.csv': 'a,b',
  'static/logo.svg': svg(3),
  'public/public.svg': svg(4),
  'docs/docs-root.svg': svg(5),
  'docs/public/docs-public.svg': svg(6),
  'assets/asset.svg': svg(7),
  'root.svg': svg(8),
  'docs/Attachments/Only Once.svg': svg(10),
  'docs/Attachments/cafe\u0301.svg': svg(11),
  'docs/Attachments/sound.ogg': 'sound',
  'docs/Attachments/twice.svg': svg(12),
  'docs/b/twice.svg': svg(13),
});

const { pages } = indexPages(
  [
    loadedPage('docs/a/one.md', {}, { ids: ['part', 'user-content-old', 'Über-Uns'], topIds: ['top-title'] }),
    loadedPage('docs/a/two.md', { id: named('named') }),
    loadedPage('docs/b/index.md', { id: named('shared') }),
    loadedPage('docs/b/two.md', { aliases: ['old/place/', '/older'] }),
    loadedPage('docs/c/two.md', { id: named('shared') }),
    loadedPage('docs/c/lonely.md', { slug: { name: 'alone', line: 3, column: 7 } }),
    loadedPage('docs/c/c.md'),
    loadedPage('docs/c/Far away.md'),
    loadedPage('docs/c/FAQ.md'),
    loadedPage('docs/b/faq.md'),
    loadedPage('docs/02-Numbered Page.md'),
    loadedPage('docs/top.md'),
    loadedPage('blog/2024-05-06-post.md', { date: '2024-05-06' }),
  ],
  { production: true, today: '2024-06-01' },
  [],
);
const links = createLinks({
  table: createPageTable(pages),
  assets: createAssets(folder, { note: () => undefined, putNote: () => undefined }),
  siteAddresses: new Set(['/pricing', '/logo.png']),
  heldBack: new Set(['docs/a/draft.md']),
});
const pageOf = (file: string) => {
  const page = pages.find((one) => one.file === file);
  if (!page) throw new Error(`There is no ${file}.`);
  return page;
};

/** The target of a link in docs/a/one.md. */
const link = (href: string) => links.link(pageOf('docs/a/one.md'), href);
const image = (src: string) => links.image(pageOf('docs/a/one.md'), src);

describe('a link leads to', () => {
  test.each([
    ['two.md', '/docs/a/two'],
    ['./two.md', '/docs/a/two'],
    ['two', '/docs/a/two'],
    ['two/', '/docs/a/two'],
    ['two.html?x=1', '/docs/a/two?x=1'],
    ['two.mdx', '/docs/a/two'],
    ['../b/index.md', '/docs/b'],
    ['../b/', '/docs/b'],
    ['../b/readme.md', '/docs/b'],
    ['/docs/b/two', '/docs/b/two'],
    ['/b/two.md', '/docs/b/two'],
    ['@site/docs/b/two.md', '/docs/b/two'],
    ['b/two.md', '/docs/b/two'],
    ['docs/b/two.md', '/docs/b/two'],
    ['/docs/next/b/two', '/docs/b/two'],
    ['/v1.2/b/two', '/docs/b/two'],
    ['/en/docs/b/two', '/docs/b/two'],
    ['/zh-CN/b/two', '/docs/b/two'],
    ['/docs/c/lonely', '/docs/c/alone'],
    ['lonely', '/docs/c/alone'],
    ['/docs/c', '/docs/c/c'],
    ['Far away', '/docs/c/Far-away'],
    ['far%20Away', '/docs/c/Far-away'],
    ['FAQ', '/docs/c/FAQ'],
    ['faq', '/docs/b/faq'],
    ['/old/place', '/docs/b/two'],
    ['/older', '/docs/b/two'],
    ['/docs/numbered-page', '/docs/02-Numbered-Page'],
    ['../02-Numbered%20Page.md', '/docs/02-Numbered-Page'],
    ['/docs/B/TWO', '/docs/b/two'],
    ['/blog/2024/05/06/post', '/blog/post'],
    ['/2024-05-06-post', '/blog/post'],
    ['named', '/docs/a/two'],
    ['a/named', '/docs/a/two'],
    ['docs/a/named.md', '/docs/a/two'],
    ['b/shared', '/docs/b'],
    ['/pricing', '/pricing'],
    ['/pricing/?plan=1#x', '/pricing?plan=1#x'],
    ['../../pricing', '/pricing'],
    ['#', '#'],
    ['#top', '#top'],
    ['#:~:text=word', '#:~:text=word'],
    ['?x=1', '?x=1'],
  ])('%s: %s', (written, href) => {
    expect(link(written)).toEqual({ href });
  });

  test.each([
    ['#part', '#part'],
    ['#old', '#user-content-old'],
    ['#über uns', '#Über-Uns'],
    ['#%C3%9Cber-Uns', '#Über-Uns'],
    ['#top-title', '#'],
    ['#Top%20title', '#'],
    ['../a/one.md?x=1#top-title', '/docs/a/one?x=1'],
    ['one.md#part', '/docs/a/one#part'],
  ])('an anchor in the page, %s: %s', (written, href) => {
    expect(link(written)).toEqual({ href, anchorOf: pageOf('docs/a/one.md') });
  });

  test('a file beside the page or in a static folder', () => {
    expect(link('table.csv#row').href).toMatch(/^\/_content\/[0-9a-f]{10}\/table\.csv#row$/);
    expect(link('table.csv').asset).toMatchObject({ path: join(folder, 'docs/a/table.csv') });
    expect(link('/logo.svg').asset).toMatchObject({ width: 3 });
    expect(link('Sound.ogg').href).toMatch(/\/sound\.ogg$/);
  });
});

describe('a link is reported', () => {
  test.each([
    ['Faq', 'broken-link', 'The link leads to Faq, which does not exist.', '/docs/a/Faq'],
    ['gone.md', 'broken-link', 'The link leads to gone.md, which does not exist.', '/docs/a/gone.md'],
    ['/docs/gone?x#y', 'broken-link', 'The link leads to /docs/gone, which does not exist.', '/docs/gone?x#y'],
    ['two.txt', 'broken-link', 'The link leads to two.txt, which does not exist.', '/docs/a/two.txt'],
    ['x/lonely', 'broken-link', 'The link leads to x/lonely, which does not exist.', '/docs/a/x/lonely'],
    ['draft.md', 'broken-link', 'The link leads to draft.md, which is not published.', '/docs/a/draft.md'],
    ['100%', 'broken-link', 'The link leads to 100%, which does not exist.', '/docs/a/100%'],
    ['two.md#none', 'missing-anchor', 'The page docs/a/two.md has no heading or anchor “none”.', '/docs/a/two#none'],
    ['#UBER_uns', 'missing-anchor', 'The page docs/a/one.md has no heading or anchor “UBER_uns”.', '#UBER_uns'],
    ['#--', 'missing-anchor', 'The page docs/a/one.md has no heading or anchor “--”.', '#--'],
  ])('%s: %s', (written, rule, message, href) => {
    expect(link(written)).toMatchObject({ href, problem: { rule, message } });
  });

  test('as ambiguous if two pages share the id', () => {
    expect(link('shared')).toEqual({
      href: '/docs/b',
      problem: {
        rule: 'ambiguous-link',
        message: 'The id “shared” belongs to docs/b/index.md and docs/c/two.md: link to the file.',
      },
    });
  });
});

describe('a picture', () => {
  test.each([
    ['p.svg', 1],
    ['./p.svg?raw#x', 1],
    ['inside.svg', 2],
    ['/logo.svg', 3],
    ['@site/static/logo.svg', 3],
    ['/public.svg', 4],
    ['/docs-root.svg', 5],
    ['/docs-public.svg', 6],
    ['/asset.svg', 7],
    ['/root.svg', 8],
    ['only%20once.SVG', 10],
    ['caf%C3%A9.svg', 11],
  ])('%s is found', (src, width) => {
    const { href, asset, problem } = image(src);
    expect(asset).toMatchObject({ width, height: 9, address: href });
    expect(problem).toBeUndefined();
  });

  test('may be an address of the site', () => {
    expect(image('/logo.png')).toEqual({ href: '/logo.png' });
  });

  test.each(['twice.svg', 'x/Only Once.svg', 'none.png', '/none.png', '../../../etc/passwd', 'two.md'])(
    '%s is reported as missing',
    (src) => {
      const message = `The picture ${src} does not exist.`;
      expect(image(src)).toEqual({ href: src, problem: { rule: 'missing-image', message } });
    },
  );
});
