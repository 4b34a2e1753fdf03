import { mkdirSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder, writeFiles } from '../../testing/content-folder.ts';
import { createAssets } from './assets.ts';

const folder = testFolder('assets');
const svg = (width: number, height = 10) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"></svg>`;
writeFiles(folder, {
  'docs/p.svg': svg(20.4),
  'docs/empty.svg': svg(0),
  'docs/Two Words.svg': svg(3),
  'docs/table.csv': 'a,b',
  'docs/page.md': '# Page',
  'docs/.hidden.svg': svg(1),
  '.git/p.svg': svg(1),
});
mkdirSync(join(folder, 'docs/folder.svg'));

/** Assets whose notes are kept in a map. */
function assetsOf(notes = new Map<string, string>()) {
  return createAssets(folder, { note: (key) => notes.get(key), putNote: (key, value) => void notes.set(key, value) });
}

test('a picture has an address based on its content, and its size', () => {
  const assets = assetsOf();
  const picture = assets.find('docs/p.svg');
  expect(picture).toEqual({
    address: expect.stringMatching(/^\/_content\/[0-9a-f]{10}\/p\.svg$/),
    path: join(folder, 'docs/p.svg'),
    width: 20,
    height: 10,
  });
  expect(assets.find('docs/x/../p.svg')).toBe(picture);
  expect(assets.find('docs/Two Words.svg')?.address).toMatch(/\/Two-Words\.svg$/);
  expect([...assets.files.keys()]).toEqual([picture?.address, assets.find('docs/Two Words.svg')?.address]);
});

test('files that are not pictures or have no size get no dimensions', () => {
  for (const name of ['docs/table.csv', 'docs/empty.svg'])
    expect(Object.keys(assetsOf().find(name) ?? {})).toEqual(['address', 'path']);
});

test.each([
  'docs/gone.svg',
  'docs/folder.svg',
  'docs/page.md',
  'docs/.hidden.svg',
  '.git/p.svg',
  '../outside.svg',
  'docs/../../outside.svg',
])('%s is not found', (name) => {
  const assets = assetsOf();
  writeFileSync(join(folder, '../outside.svg'), svg(1));
  expect(assets.find(name)).toBeUndefined();
  expect(assets.files.size).toBe(0);
});

test('a note saves reading the file until it changes; an invalid note is recreated', () => {
  const notes = new Map<string, string>();
  const first = assetsOf(notes).find('docs/p.svg');
  const [key = ''] = notes.keys();
  notes.set(key, JSON.stringify({ hash: '0123456789', width: 7, height: 8 }));
  expect(assetsOf(notes).find('docs/p.svg')).toMatchObject({
    address: '/_content/0123456789/p.svg',
    width: 7,
    height: 8,
  });
  for (const damaged of ['', '[]', '{"hash":"../../x","width":1}', '{"hash":"0123456789","width":-1}']) {
    notes.set(key, damaged);
    expect(assetsOf(notes).find('docs/p.svg')).toEqual(first);
  }
  notes.set(key, JSON.stringify({ hash: '0123456789' }));
  utimesSync(join(folder, 'docs/p.svg'), 1, 1);
  expect(assetsOf(notes).find('docs/p.svg')).toEqual(first);
});

test('another picture with the same place, size and time of change is not taken for the first one', () => {
  const notes = new Map<string, string>();
  const path = join(folder, 'docs/dated.svg');
  const save = (width: number) => {
    writeFileSync(path, svg(width));
    utimesSync(path, 1, 1);
    return assetsOf(notes).find('docs/dated.svg');
  };
  expect(save(31)).toMatchObject({ width: 31 });
  expect(save(32)).toMatchObject({ width: 32 });
});

test('found and missing files are remembered until they are forgotten', () => {
  const assets = assetsOf();
  const before = assets.find('docs/late.svg');
  writeFileSync(join(folder, 'docs/late.svg'), svg(5));
  expect([before, assets.find('docs/late.svg')]).toEqual([undefined, undefined]);
  assets.find('docs/p.svg');
  assets.forget();
  expect(assets.files.size).toBe(0);
  expect(assets.find('docs/late.svg')).toMatchObject({ width: 5 });
});

test('a file larger than 64 MB is served without being read', () => {
  const path = join(folder, 'docs/large.bin');
  writeFileSync(path, svg(5));
  truncateSync(path, 64 * 1024 * 1024 + 1);
  const large = assetsOf().find('docs/large.bin');
  expect(large).toEqual({ address: expect.stringMatching(/^\/_content\/[0-9a-f]{10}\/large\.bin$/), path });
  utimesSync(path, 1, 1);
  expect(assetsOf().find('docs/large.bin')?.address).not.toBe(large?.address);
});

test('nothing is found in a folder that does not exist', () => {
  const nowhere = createAssets(join(folder, 'nowhere'), { note: () => undefined, putNote: () => undefined });
  expect(nowhere.find('docs/p.svg')).toBeUndefined();
});

test('a file may be found by its name alone, unless several have it, it is hidden or a link leads there', () => {
  const root = join(folder, 'vault');
  writeFiles(root, {
    'docs/one/Only.svg': svg(1),
    'docs/one/.trash/Only.svg': svg(2),
    'docs/one/twice.svg': svg(3),
    'blog/twice.svg': svg(4),
    'docs/one/note.md': '# Note',
    'elsewhere/other.svg': svg(5),
  });
  symlinkSync('..', join(root, 'docs/one/circle'));
  symlinkSync(join(root, 'elsewhere'), join(root, 'docs/linked'));
  const assets = createAssets(root, { note: () => undefined, putNote: () => undefined });
  expect(assets.findByName('only.SVG')).toMatchObject({ width: 1 });
  for (const name of ['twice.svg', 'note.md', 'other.svg', 'late.svg'])
    expect(assets.findByName(name), name).toBeUndefined();
  writeFiles(root, { 'docs/two/late.svg': svg(6) });
  assets.forget();
  expect(assets.findByName('late.svg')).toMatchObject({ width: 6 });
});
