import { beforeAll, expect, test } from 'vitest';
import { testBrand } from '../testing/markdown-trees.ts';
import { seeded } from '../testing/request-grammar.ts';
import { type Compile, createCompiler } from './compile.ts';

// The elements that stand for other tools' blocks inside the compiler (md-tabs, md-label, …) must not reach readers.

let compile: Compile;
beforeAll(async () => {
  compile = await createCompiler(testBrand);
});

// Without Nuxt's `::`, which its own parser turns into elements instead of a dialect's tags: on such lines that
// parser's development build fails its own assertions.
const pieces = [
  ...['=== "Tab"', '!!! note', '!!! warning "Title"', '???+ tip "More"', ': definition', 'Term', '<!-- comment -->'],
  ...['{{< tabs >}}', '{{< tab "A" >}}', '{{< /tab >}}', '{{< /tabs >}}', '{{% note %}}', '{{% /note %}}'],
  ...['<Tabs>', '<TabItem label="A">', '</TabItem>', '</Tabs>', '<Tip>', '</Tip>', '<Card title="T">', '</Card>'],
  ...[':::tabs', ':::tab[A]', ':::', '::::details', '::::'],
  ...['- item', '1. item', '> quote', '| a | b |', '| - | - |', '```', '```js', '~~~', '# Heading', '---', 'text', '', '', '', ''],
  ...['`code <Tabs>`', '<div>', '</div>', '<details>', '</details>', '<pre>', '</pre>', '[^1]: note', '$$', '<!-- more -->'],
]; // biome-ignore format: kinds in rows

/** Random lines of every dialect at any indentation: worse than anything an author writes. */
function nonsense(seed: number): string {
  const random = seeded(seed);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  return Array.from({ length: 30 }, () => ' '.repeat(pick([0, 0, 0, 2, 3, 4, 4, 8])) + pick(pieces)).join('\n');
}

test.each([0, 1, 2, 3])('no internal element reaches a page, block %i', async (block) => {
  for (let seed = block * 25; seed < block * 25 + 25; seed += 1) {
    const source = nonsense(seed);
    for (const file of ['docs/a.md', 'docs/a.mdx']) {
      const page = await compile({ file, kind: 'doc', source });
      const shown = JSON.stringify([page.body, page.facts]);
      expect(shown.match(/md-[a-z-]+/g), `${file}, seed ${seed}:\n${source}`).toBeNull();
    }
  }
});

test('an internal element that is not converted leaves its content', async () => {
  const page = await compile({ file: 'docs/a.md', kind: 'doc', source: 'A <md-label>label</md-label> alone.\n' });
  expect(JSON.stringify(page.body)).not.toContain('md-label');
  expect(page.body.text).toBe('A label alone.');
});
