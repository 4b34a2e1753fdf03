import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder, testLoader, writeFiles } from '../../testing/content-folder.ts';
import { readSiteData } from './site-data.ts';

const folder = testFolder('people');

function peopleOf(name: string, files: Record<string, string>) {
  const root = join(folder, name);
  writeFiles(root, { 'docs/a.md': '# A\n', ...files });
  const { data, faults } = readSiteData(root, 'content', 'millrace');
  return { root, authors: [...data.authors], tags: [...data.tags], faults };
}

test("Docusaurus' authors and tags are read with the keys that posts use", () => {
  const { authors, tags, faults } = peopleOf('docusaurus', {
    'blog/authors.yml':
      'JMarcey:\n  name: Joel Marcey\n  title: Writer\n  url: https://example.com\n  image_url: https://example.com/a.png\n  socials: { x: joel }\nEli White: { name: Eli }\nnobody: {}\n',
    'blog/tags.yml': 'Release Notes:\n  label: Releases\n  permalink: /rel\n  description: All of them\nempty:\n',
  });
  expect(faults).toEqual([]);
  expect(authors).toEqual([
    ['JMarcey', { name: 'jmarcey', label: 'Joel Marcey', title: 'Writer', description: '' }],
    ['Eli White', { name: 'eli-white', label: 'Eli', title: '', description: '' }],
    ['nobody', { name: 'nobody', label: 'nobody', title: '', description: '' }],
  ]);
  expect(tags).toEqual([
    ['Release Notes', { id: 'release-notes', label: 'Releases', description: 'All of them' }],
    ['empty', { id: 'empty', label: 'empty', description: '' }],
  ]);
});

test("Material's .authors.yml is read", () => {
  const text = 'authors:\n  team:\n    name: Team\n    description: Creator\n    avatar: https://example.com/a.png\n';
  for (const file of ['blog/.authors.yml', '.authors.yml'])
    expect(peopleOf(`material-${file.length}`, { [file]: text }).authors).toEqual([
      ['team', { name: 'team', label: 'Team', title: '', description: 'Creator' }],
    ]);
});

test('our own files take precedence, and without a file nothing is declared', () => {
  expect(peopleOf('both', { 'authors.yml': 'a: { name: A }', 'blog/authors.yml': 'b: { name: B }' }).authors).toEqual([
    ['a', { name: 'a', label: 'A', title: '', description: '' }],
  ]);
  expect(peopleOf('neither', {})).toMatchObject({ authors: [], tags: [], faults: [] });
});

test('an unreadable file is reported, and a link in place of a hidden one is not followed', () => {
  expect(peopleOf('broken', { 'blog/authors.yml': 'a: [\n', 'blog/tags.yml': '3' }).faults).toMatchObject([
    { file: 'blog/authors.yml', line: 2 },
    { file: 'blog/tags.yml', line: 1, column: 1 },
  ]);
  writeFiles(folder, { 'outside.yml': 'authors: {}' });
  const root = join(folder, 'hidden');
  writeFiles(root, { 'blog/a.md': '' });
  symlinkSync(join(folder, 'outside.yml'), join(root, 'blog/.authors.yml'));
  expect(readSiteData(root, 'content', 'millrace').faults).toMatchObject([
    { file: 'blog/.authors.yml', rule: 'left-out', message: 'It is left out: it points to a hidden file.' },
  ]);
});

test('posts use declared names, and unknown names are faults only if some are declared', async () => {
  const post = '---\ntitle: P\ndate: 2024-01-02\ntags: [Release Notes, other]\nauthors: [JMarcey, guest]\n---\nText\n';
  writeFiles(join(folder, 'posts'), { 'blog/p.md': post });
  const declared = new Map([['JMarcey', { name: 'jmarcey', label: 'Joel', title: '', description: '' }]]);
  const loader = testLoader(folder, 'posts', { authors: declared, tags: new Map() });
  const { authors, tags, faults } = await loader.load();
  await loader.close();
  expect(authors.map(({ author }) => [author.name, author.label])).toEqual([
    ...[
      ['jmarcey', 'Joel'],
      ['guest', 'guest'],
    ],
  ]);
  expect(tags.map(({ tag }) => tag.id)).toEqual(['release-notes', 'other']);
  expect(faults.map(({ rule, line }) => `${line} ${rule}`)).toEqual(['5 unknown-author']);
});
