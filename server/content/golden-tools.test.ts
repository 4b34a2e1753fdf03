import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testBrand } from '../testing/markdown-trees.ts';
import { readerOutline } from '../testing/reader-outline.ts';
import { createCompiler } from './compile.ts';

// What a reader sees of a golden file, compared with what its real tool shows (`npm run outlines`). Where they differ
// on purpose, `<file>.meant.txt` says why: a sentence, and below it the lines as in a diff.
const folder = join(import.meta.dirname, 'golden');
const ending = '.tool.txt';
const names = readdirSync(folder).filter((name) => name.endsWith(ending));

test.each(names.map((name) => name.slice(0, -ending.length)))(
  '%s shows readers what its own tool shows',
  async (name) => {
    const read = (file: string) => readFileSync(join(folder, file), 'utf8');
    let expected = read(name + ending).replace(/^.*\n/, '');
    for (const difference of read(`${name}.meant.txt`).trim().split('\n\n')) {
      const [why = '', ...lines] = difference.split('\n');
      const without = (mark: string) =>
        lines.filter((line) => !line.startsWith(mark)).map((line) => `${line.slice(1)}\n`);
      const parts = expected.split(`\n${without('+').join('')}`);
      expect(parts, `${why} It is there once.`).toHaveLength(2);
      expected = parts.join(`\n${without('-').join('')}`);
    }
    const compile = await createCompiler(testBrand);
    const { body } = await compile({ file: `blog/${name}`, kind: 'post', source: read(name) });
    expect(`\n${readerOutline(body.tree)}`).toBe(expected);
  },
);
