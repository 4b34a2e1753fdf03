import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder, writeFiles } from '../../testing/content-folder.ts';
import { readSiteData } from './site-data.ts';

const folder = testFolder('damaged-data');
const builtIn = readSiteData('content', 'content', 'millrace').data;
writeFiles(folder, { 'outside.yml': '/old: /pricing\n' });

/** Nested aliases that expand to 2^40 values. */
const aliases = ['a0: &a0 [x, x]', ...Array.from({ length: 40 }, (_, n) => `a${n + 1}: &a${n + 1} [*a${n}, *a${n}]`)];

const damages: [what: string, damage: (path: string) => void, sentence: string | RegExp][] = [
  ['is truncated', (path) => writeFileSync(path, '"/old: '), /quotation mark/],
  [
    'is not text',
    (path) =>
      writeFileSync(
        path,
        Uint8Array.from({ length: 500 }, (_, n) => (n * 37) % 256),
      ),
    /./,
  ],
  ['has another kind of value', (path) => writeFileSync(path, 'just words\n'), 'must be a list of keys and values'],
  ['is a folder', (path) => mkdirSync(path), /^It is left out: it cannot be read: .*EISDIR/],
  [
    'is larger than a megabyte',
    (path) => writeFileSync(path, `#${'x'.repeat(1_000_000)}`),
    'It is left out: it is larger than 1 MB.',
  ],
  [
    'is a link out of the folder',
    (path) => symlinkSync(join(folder, 'outside.yml'), path),
    'It is left out: it points outside the content folder.',
  ],
  ['is a link to nothing', (path) => symlinkSync('./nothing.yml', path), 'It is left out: it points to nothing.'],
  ['is a link to itself', (path) => symlinkSync(path, path), 'It is left out: it points to nothing.'],
  ['expands by its aliases beyond any memory', (path) => writeFileSync(path, aliases.join('\n')), /alias/i],
  ['is nested too deeply', (path) => writeFileSync(path, '['.repeat(20_000)), 'Lists or keys are nested too deeply.'],
];

const names = ['authors', 'tags', 'navigation', 'announcement', 'redirects', 'connectors', 'pricing', 'brand/millrace'];

test.each(damages)('a file that %s is reported, and the built-in one is used', (what, damage, sentence) => {
  const root = join(folder, what.replaceAll(' ', '-'));
  const files = names.map((name) => `${name}.yml`);
  mkdirSync(join(root, 'brand'), { recursive: true });
  for (const file of files) damage(join(root, file));
  const { data, faults, written } = readSiteData(root, 'content', 'millrace');
  expect(data).toEqual(builtIn);
  for (const file of files) expect(faults.find((fault) => fault.file === file)?.message).toMatch(sentence);
  expect(new Set(faults.map(({ file }) => file))).toEqual(new Set(files));
  expect(written).toEqual([]);
});

test("an operator's unusable brand aborts the start with its faults", () => {
  const root = join(folder, 'own-brand');
  mkdirSync(root);
  cpSync('content/brand', join(root, 'brand'), { recursive: true });
  writeFiles(root, { 'brand/own.yml': 'id: own\nname: Own\n' });
  expect(() => readSiteData(root, 'content', 'own')).toThrow(
    /^brand\/own\.yml cannot be used, and there is no built-in replacement: line 1: legalName: /,
  );
});
