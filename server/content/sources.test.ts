import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { testFolder, testLoader, writeFiles } from '../testing/content-folder.ts';
import { findSources, kindOf, requireContent } from './sources.ts';

const folder = testFolder('sources');
const outside = join(folder, 'outside');
writeFiles(outside, { 'secret.md': '# Secret\n', 'docs/inner.md': '# Inner\n', 'sidebar.yml': 'label: Secret\n' });

function tree(name: string, files: Record<string, string>, links: Record<string, string> = {}): string {
  const root = join(folder, name);
  mkdirSync(root, { recursive: true });
  writeFiles(root, files);
  for (const [link, target] of Object.entries(links)) {
    mkdirSync(dirname(join(root, link)), { recursive: true });
    symlinkSync(target, join(root, link));
  }
  return root;
}

const found = (root: string) => {
  const { pages, settings, leftOut } = findSources(root, join(folder, 'none'));
  return { files: pages.map(({ file }) => file), settings: [...settings.keys()], leftOut: [...leftOut] };
};

test('markdown and settings are found in three folders, without hidden files and packages', () => {
  const root = tree('plain', {
    'docs/b.md': '',
    'docs/a/x.mdx': '',
    'docs/a/sidebar.yml': '',
    'docs/a/_category_.json': '',
    'docs/a/p.svg': '',
    'docs/.hidden/x.md': '',
    'docs/.x.md': '',
    'docs/node_modules/x.md': '',
    'blog/p.markdown': '',
    'blog/sidebar.yml': '',
    'pages/about.md': '',
    'other/x.md': '',
    'x.md': '',
  });
  expect(found(root)).toEqual({
    files: ['docs/a/x.mdx', 'docs/b.md', 'blog/p.markdown', 'pages/about.md'],
    settings: ['docs/a/_category_.json', 'docs/a/sidebar.yml'],
    leftOut: [],
  });
});

test('pages/ comes from the built-in content if the folder has none', () => {
  const root = tree('without-pages', { 'docs/a.md': '' });
  const builtIn = tree('builtin', { 'docs/b.md': '', 'pages/about.md': '' });
  expect(findSources(root, builtIn).pages).toEqual([
    { file: 'docs/a.md', path: join(root, 'docs/a.md'), kind: 'doc', builtIn: false },
    { file: 'pages/about.md', path: join(builtIn, 'pages/about.md'), kind: 'page', builtIn: true },
  ]);
});

describe('symbolic links', () => {
  test('inside the content folder are followed and read at their target', () => {
    const root = tree(
      'inside',
      { 'docs/a.md': '', 'shared/b.md': '', 'shared/c/d.md': '', 'shared/sidebar.yml': '' },
      { 'docs/b.md': '../shared/b.md', 'docs/shared': '../shared', 'docs/z.md': './a.md' },
    );
    expect(found(root)).toEqual({
      files: ['docs/a.md', 'docs/b.md', 'docs/shared/b.md', 'docs/shared/c/d.md', 'docs/z.md'],
      settings: ['docs/shared/sidebar.yml'],
      leftOut: [],
    });
    expect(findSources(root, root).pages.map(({ path }) => path)).toContain(join(root, 'shared/c/d.md'));
  });

  test('are followed as in a folder mounted by Kubernetes', () => {
    const root = tree(
      'mounted',
      { '..2024_06_01/docs/a.md': '' },
      { '..data': '..2024_06_01', docs: '..data/docs', 'blog/b.md': '../..data/docs/a.md' },
    );
    expect(found(root)).toEqual({ files: ['docs/a.md', 'blog/b.md'], settings: [], leftOut: [] });
  });

  test('to outside, missing and hidden files are left out and listed', () => {
    const root = tree(
      'leaving',
      { 'docs/a.md': '', '.git/config.md': '', '.git/x/y.md': '' },
      {
        'docs/absolute.md': join(outside, 'secret.md'),
        'docs/folder': outside,
        'docs/relative.md': '../../outside/secret.md',
        'docs/through/x.md': '../relative.md',
        'docs/g/sidebar.yml': join(outside, 'sidebar.yml'),
        'docs/git.md': '../.git/config.md',
        'docs/git-folder': '../.git/x',
        'docs/gone.md': './nothing.md',
        'docs/itself.md': 'itself.md',
        'docs/itself': 'itself',
        'docs/picture.png': join(outside, 'secret.md'),
        blog: join(outside, 'docs'),
        'mkdocs.yml': join(outside, 'sidebar.yml'),
      },
    );
    const out = 'points outside the content folder';
    const { files, settings, leftOut } = found(root);
    expect([files, settings]).toEqual([['docs/a.md'], []]);
    expect(leftOut).toEqual([
      ['docs/absolute.md', out],
      ['docs/folder', out],
      ['docs/g/sidebar.yml', out],
      ['docs/git-folder', 'points to a hidden file'],
      ['docs/git.md', 'points to a hidden file'],
      ['docs/gone.md', 'points to nothing'],
      ['docs/itself.md', 'points to nothing'],
      ['docs/relative.md', out],
      ['docs/through/x.md', out],
      ['blog', out],
      ['mkdocs.yml', out],
    ]);
  });

  test('in a linked folder are followed to files only, so they cannot multiply', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];
    const files = Object.fromEntries(names.map((name) => [`${name}/text.md`, '']));
    const links = Object.fromEntries(
      names.flatMap((from) => names.filter((to) => to !== from).map((to) => [`${from}/to-${to}`, `../${to}`])),
    );
    const root = tree('many', files, { ...links, docs: 'a', 'b/file.md': '../c/text.md' });
    const { files: pages, leftOut } = found(root);
    expect(pages).toEqual(
      ['docs/text.md', ...names.slice(1).map((to) => `docs/to-${to}/text.md`)]
        .toSorted()
        .toSpliced(1, 0, 'docs/to-b/file.md'),
    );
    expect(leftOut).toContainEqual(['docs/to-b/to-c', 'is in a folder that is itself a link']);
    expect(leftOut).toHaveLength(9 * 9);
  });

  test('in a circle are not followed endlessly', () => {
    const root = tree(
      'circles',
      { 'docs/a/x.md': '', 'docs/b/y.md': '' },
      { 'docs/a/up': '..', 'docs/a/self': '.', 'docs/a/b': '../b', 'docs/b/a': '../a', 'docs/root': '..' },
    );
    const circle = 'points back to a folder that contains it';
    const { files, leftOut } = found(root);
    expect(files).toEqual(['docs/a/b/y.md', 'docs/a/x.md', 'docs/b/a/x.md', 'docs/b/y.md']);
    const linked = 'is in a folder that is itself a link';
    expect(leftOut).toEqual([
      ['docs/a/b/a', linked],
      ['docs/a/self', circle],
      ['docs/a/up', circle],
      ['docs/b/a/b', linked],
      ['docs/b/a/self', circle],
      ['docs/b/a/up', circle],
      ['docs/root', circle],
    ]);
  });

  test('in static/ are listed, since only its files are served', () => {
    const root = tree('static-links', { 'static/a.txt': '' }, { 'static/in/b.txt': '../a.txt' });
    expect(found(root).leftOut).toEqual([['static/in/b.txt', 'is a link, and static/ serves only files']]);
    const circles = tree('static-circles', {}, { 'static/here': '.', 'static/again': '.' });
    expect(found(circles).leftOut.map(([file]) => file)).toEqual(['static/again', 'static/here']);
    const linked = tree('static-linked', {}, { static: outside });
    expect(found(linked).leftOut).toEqual([['static', 'points outside the content folder']]);
  });
});

test('left-out files are reported and counted, and no page shows them', async () => {
  tree(
    'counted',
    { 'docs/a.md': '# A\n\n![P](p.png) ![Q](q.png)\n', '.git/config.md': 'token' },
    {
      'docs/environ.md': '/proc/self/environ',
      'docs/p.png': join(outside, 'secret.md'),
      'docs/q.png': '../.git/config.md',
    },
  );
  const loader = testLoader(folder, 'counted', { production: false });
  const content = await loader.load();
  expect([...content.docs.keys()]).toEqual(['/docs/a']);
  expect(content.stats.leftOut).toBe(1);
  expect(content.faults.map(({ file, rule, message }) => `${file} ${rule}: ${message}`)).toEqual([
    'docs/a.md missing-image: The picture p.png does not exist.',
    'docs/a.md missing-image: The picture q.png does not exist.',
    'docs/environ.md left-out: It is left out: it points outside the content folder.',
  ]);
  expect([...content.files]).toEqual([]);

  // A link created while the site runs follows the same rule; a removed link is forgotten.
  symlinkSync(join(outside, 'secret.md'), join(folder, 'counted/docs/new.md'));
  const more = await loader.reload(['docs/new.md']);
  expect([...more.docs.keys()]).toEqual(['/docs/a']);
  expect(more.stats.leftOut).toBe(2);
  rmSync(join(folder, 'counted/docs/new.md'));
  expect((await loader.reload(['docs/new.md'])).stats.leftOut).toBe(1);
  await loader.close();
});

test('a content folder that is itself a link is read at its target', () => {
  tree('target', { 'docs/a.md': '' });
  symlinkSync(join(folder, 'target'), join(folder, 'linked'));
  expect(found(join(folder, 'linked')).files).toEqual(['docs/a.md']);
  expect(() => requireContent(join(folder, 'linked'))).not.toThrow();
});

test('a folder without docs/ and blog/ is refused, and one whose docs/ links outside it', () => {
  expect(() => requireContent(tree('empty', {}))).toThrow('holds docs/ or blog/');
  writeFileSync(join(tree('no-folder', {}), 'docs'), '');
  expect(() => requireContent(join(folder, 'no-folder'))).toThrow('holds docs/ or blog/');
  expect(() => requireContent(tree('out', {}, { docs: outside }))).toThrow('docs is a link that points outside it');
  expect(() => requireContent(tree('blog-only', { 'blog/a.md': '' }, { docs: outside }))).not.toThrow();
});

test('a file named like an order that lists no documents is a document', () => {
  const root = tree('orders', {
    'docs/SUMMARY.md': '# Summary\n\n[Preface](preface.md)\n\n- [A](a.md)\n  - [Draft]()\n',
    'docs/guide/SUMMARY.md': '# Guide\n\n## One\n\n### Two\n\n- [A](a.md)\n',
    'docs/TOC.md': '# What we learned\n\nText with a [link](a.md).\n\n- A point\n',
  });
  expect(findSources(root, join(folder, 'none')).pages.map(({ file }) => file)).toEqual(['docs/TOC.md']);
});

test.each([
  ['docs/a.md', 'doc'],
  ['docs/index.md', 'doc'],
  ['blog/a.md', 'post'],
  ['blog/index.md', 'page'],
  ['blog/x/index.md', 'post'],
  ['blog/_index.md', 'page'],
  ['blog/2024/_index.md', undefined],
  ['pages/a.mdx', 'page'],
  ['docs/a/sidebar.yml', 'setting'],
  ['docs/_category_.yml', 'setting'],
  ['docs/guide/SUMMARY.md', 'setting'],
  ['mkdocs.yml', 'setting'],
  ['docs/docs.json', 'setting'],
  ['docs/guide/docs.json', undefined],
  ['docs/_part.md', undefined],
  ['docs/_parts/a.md', undefined],
  ['docs/a/_index.md', 'doc'],
  ['blog/sidebar.yml', undefined],
  ['docs/a.svg', undefined],
  ['a.md', undefined],
])('%s is a %s', (file, kind) => {
  expect(kindOf(file)).toBe(kind);
});
