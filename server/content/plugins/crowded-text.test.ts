import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { expect, test } from 'vitest';
import { bounds } from '../bounds.ts';
import { CrowdedTextError, crowdedText } from './crowded-text.ts';

const parser = unified().use(remarkParse).use(remarkGfm).use(crowdedText).freeze();

/** The line on which a text is rejected; undefined if it is parsed. */
function refusedIn(text: string): number | undefined {
  try {
    parser.parse(text);
    return undefined;
  } catch (error) {
    if (error instanceof CrowdedTextError) return error.line;
    throw error;
  }
}

// Each marker creates two parser events, so this many use up all steps.
const most = Math.floor(Math.sqrt(bounds.stepsBack));

test('a paragraph may have markers up to the limit, as the parser itself counts them', () => {
  expect(refusedIn('*_'.repeat(Math.floor(most / 2)))).toBeUndefined();
  expect(refusedIn(`a\n\nb\n${'*_'.repeat(Math.ceil(most / 2) + 1)}`)).toBe(4);
});

test('each text has its own limit', () => {
  const half = '*_'.repeat(Math.floor(most / 3));
  expect([refusedIn(half), refusedIn(half), refusedIn(`${half}\n\n${half}\n\n${half}`)]).toEqual([
    ...[undefined, undefined, 5],
  ]);
});

test.each([
  ['list items', '- *a* _b_ [c](d)\n'],
  ['table cells', '| *a* | _b_ | [c](d) |\n| - | - | - |\n'],
  ['table rows', `| a | b |\n| - | - |\n${'| *a* | _b_ |\n'.repeat(40)}\n`],
  ['code spans', '`*_]*_]*_]`\n\n'],
  ['code blocks', '```\n*_*_*_]]]\n```\n'],
])('%s do not count as a single paragraph', (_what, text) => {
  expect(refusedIn(text.repeat(Math.ceil((most * 3) / text.length)))).toBeUndefined();
});

test('the limit does not change how text is parsed', () => {
  const text = '``a` *b _c* d_ [e] ]f[ ~~g~ h~~ ```i`` `j`` k`';
  const plain = unified().use(remarkParse).use(remarkGfm).parse(text);
  expect(parser.parse(text)).toEqual(plain);
});
