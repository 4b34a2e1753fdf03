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
  ['[out](https://other.example/)', '[out](https://other.example/)'],
  ['`[code](b.md)`', '`[code](b.md)`'],
  ['```md\n[code](b.md)\n```', '```md\n[code](b.md)\n```'],
])('%s', (written, expected) => {
  expect(resolveSourceLinks(written, resolve)).toBe(expected);
});

test('a text with too many markers to parse stays as written', () => {
  const text = `[a](b.md)\n\n${']'.repeat(30_000)}`;
  expect(resolveSourceLinks(text, resolve)).toBe(text);
});
