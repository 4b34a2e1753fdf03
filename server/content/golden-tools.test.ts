import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { testBrand } from '../testing/markdown-trees.ts';
import { readerOutline } from '../testing/reader-outline.ts';
import { createCompiler } from './compile.ts';

// What a reader sees of a golden file, against what the real tool made of it (`npm run outlines`). Where both differ and
// that is meant, `<file>.meant.yml` says why.
const folder = join(import.meta.dirname, 'golden');
const ending = '.tool.txt';
const names = readdirSync(folder).filter((name) => name.endsWith(ending));

const meantSchema = z.array(z.strictObject({ why: z.string().min(1), tool: z.string(), here: z.string() }));

test.each(names.map((name) => name.slice(0, -ending.length)))(
  'a reader sees of %s what its tool shows',
  async (name) => {
    const read = (file: string) => readFileSync(join(folder, file), 'utf8');
    let expected = read(name + ending).replace(/^.*\n/, '');
    for (const { why, tool, here } of meantSchema.parse(parse(read(`${name}.meant.yml`)))) {
      const parts = expected.split(`\n${tool}`);
      expect(parts, `${why} (once in the outline)`).toHaveLength(2);
      expected = parts.join(`\n${here}`);
    }
    const compile = await createCompiler(testBrand);
    const { body } = await compile({ file: `blog/${name}`, kind: 'post', source: read(name) });
    expect(`\n${readerOutline(body.tree)}`).toBe(expected);
  },
);
