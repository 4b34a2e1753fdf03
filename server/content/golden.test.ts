import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { testBrand } from '../testing/markdown-trees.ts';
import { outline } from '../testing/outline.ts';
import { isMarkdown } from './address.ts';
import { type Compile, createCompiler } from './compile.ts';
import type { CompiledPage } from './page-facts.ts';

// One file for our own markdown and one for each supported tool, compared with the real compiler's stored output. After
// an intended change, `npm test -- golden -u` rewrites the stored files: read their diff.
const folder = join(import.meta.dirname, 'golden');
const names = readdirSync(folder);
const sources = names.filter(isMarkdown);

let compile: Compile;
beforeAll(async () => {
  compile = await createCompiler(testBrand);
});

/** Everything the site learns about a page, as lines. */
function described({ facts, body, broken }: CompiledPage): string {
  const { excerpt, references, faults, front, ...others } = facts;
  const list = (title: string, values: readonly unknown[]) =>
    `${title}\n${values.map((value) => `  ${JSON.stringify(value)}\n`).join('')}\n`;
  return [
    list('front', Object.entries(front)),
    list('facts', Object.entries({ ...others, broken })),
    list(
      'references',
      references.map(({ line, column, kind, href }) => `${line}:${column} ${kind} ${href}`),
    ),
    list(
      'faults',
      faults.map(({ line, column, rule, message }) => `${line}:${column} ${rule}: ${message}`),
    ),
    list(
      'toc',
      body.toc.map(({ depth, id, text }) => `${depth} #${id} ${text}`),
    ),
    `text\n${body.text.replace(/^/gm, '  ')}\n`,
    `excerpt\n${excerpt ? outline(excerpt, '  ') : ''}`,
    `tree\n${outline(body.tree, '  ')}`,
  ].join('\n');
}

test.each(sources)('%s', async (name) => {
  expect(names).toContain(`${name}.txt`);
  const source = readFileSync(join(folder, name), 'utf8');
  const page = await compile({ file: `blog/${name}`, kind: 'post', source });
  await expect(described(page)).toMatchFileSnapshot(join(folder, `${name}.txt`));
});
