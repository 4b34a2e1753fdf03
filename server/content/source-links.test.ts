import { expect, test } from 'vitest';
import { resolveSourceLinks } from './source-links.ts';

const resolve = (written: string, kind: 'link' | 'image') =>
  /^https?:/.test(written) ? written : `https://site.example/${kind}/${written}`;

test.each([
  ['See [b.md](b.md).', 'See [b.md](https://site.example/link/b.md).'],
  ['![loop](loop.svg "Loop")', '![loop](https://site.example/image/loop.svg "Loop")'],
  ['[![x](x.png)](y.md)', '[![x](https://site.example/image/x.png)](https://site.example/link/y.md)'],
  ['[a]\n\n[a]: ../a.md#top', '[a]\n\n[a]: https://site.example/link/../a.md#top'],
  ['| a |\n| - |\n| [c](c.md) |', '| a |\n| - |\n| [c](https://site.example/link/c.md) |'],
  ['[Guide](guide.md "guide.md")', '[Guide](https://site.example/link/guide.md "guide.md")'],
  ["![a.png](<a.png> 'a.png')", "![a.png](https://site.example/image/a.png 'a.png')"],
  ['[a]\n\n> [a]: a.md\n> "a.md"', '[a]\n\n> [a]: https://site.example/link/a.md\n> "a.md"'],
  ['[my_a.md](my\\_a.md)', '[my_a.md](https://site.example/link/my_a.md)'],
  ['![p][a]\n\n[a]: a.png', '![p][a]\n\n[a]: https://site.example/image/a.png'],
  ['[]() [a]', '[]() [a]'],
  ['[out](https://other.example/)', '[out](https://other.example/)'],
  ['`[code](b.md)`', '`[code](b.md)`'],
  ['```md\n[code](b.md)\n```', '```md\n[code](b.md)\n```'],
])('%s', (written, expected) => {
  expect(resolveSourceLinks(written, resolve)).toBe(expected);
});

test('an address belongs to the line on which it is used', () => {
  const text = '[a](a.md)\n[b]\n\n![c](c.png)\n\n[b]: b.md\n[d]: d.md\n';
  const found: string[] = [];
  resolveSourceLinks(text, (written, kind, line) => {
    found.push(`${line} ${kind} ${written}`);
    return written;
  });
  expect(found).toEqual(['1 link a.md', '4 image c.png', '2 link b.md', '7 link d.md']);
});

test('a text with too many markers to parse stays as written', () => {
  const text = `[a](b.md)\n\n${']'.repeat(30_000)}`;
  expect(resolveSourceLinks(text, resolve)).toBe(text);
});
