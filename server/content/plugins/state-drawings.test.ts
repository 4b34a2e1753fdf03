import type { Element, Nodes } from 'hast';
import { afterAll, expect, test } from 'vitest';
import { testFolder, testLoader, writeFiles } from '../../testing/content-folder.ts';
import { eachElement } from './elements.ts';
import { textOf } from './plain-text.ts';

const folder = testFolder('state-drawings');
const block = (...lines: string[]) => ['```mermaid states title="Life of a lamp"', ...lines, '```'].join('\n');

const pages = {
  drawn: block('flowchart TB', '  OFF ==>|switch on| ON', '  ON -->|burns out| BROKEN'),
  plain: block('flowchart TB', 'A -->|<img src=x onerror=y>| B'),
  authors: '<svg><title>Mine</title><path d="M0 0"/></svg>\n\n```mermaid\nflowchart TB\nA -->|x| B\n```',
  fault: block('flowchart TB', 'A -->|x| B', 'A --- B', 'B -->|y| A', 'B --> A'),
};
writeFiles(
  folder,
  Object.fromEntries(
    Object.entries(pages).map(([name, markdown]) => [
      `site/docs/${name}.md`,
      `# A\n\nBefore.\n\n${markdown}\n\nAfter.\n`,
    ]),
  ),
);
const loader = testLoader(folder, 'site');
const content = await loader.load();
afterAll(() => loader.close());

function compiled(name: keyof typeof pages) {
  const { tree, text } = content.body(`/docs/${name}`);
  const found: Element[] = [];
  eachElement(tree, (node) => found.push(node));
  const named = (tagName: string) => found.filter((node) => node.tagName === tagName);
  const faults = content.faults.filter(({ file }) => file === `docs/${name}.md`);
  return { faults, text, named };
}

/** All text in a node, including drawings. */
function words(node: Nodes | undefined): string {
  if (node?.type === 'text') return node.value;
  return node && 'children' in node ? node.children.map(words).join(' ') : '';
}

test('a block of states is drawn with a name, a description and its events', async () => {
  const page = compiled('drawn');
  expect(page.faults).toEqual([]);
  const [svg] = page.named('svg');
  expect(svg?.properties).toMatchObject({ role: 'img' });
  expect(words(page.named('title')[0])).toBe('Life of a lamp');
  expect(words(page.named('desc')[0])).toBe(
    'States from top to bottom: OFF, ON, BROKEN. On request: switch on leads from OFF to ON. ' +
      'Automatic: burns out leads from ON to BROKEN.',
  );
  const drawn = page.named('text').map(words);
  expect(drawn).toEqual(['On request', 'Automatic', 'switch on', 'burns out', 'OFF', 'ON', 'BROKEN']);
  expect(page.text).toBe('Before.\nLife of a lamp\nAfter.');
  expect(await content.source('/docs/drawn', 'https://site.example')).toContain(pages.drawn);
});

test('a drawing has no style, script, link or id', () => {
  const page = compiled('plain');
  expect(page.faults).toEqual([]);
  const [svg] = page.named('svg');
  if (!svg) throw new Error('Nothing is drawn.');
  const inside: Element[] = [svg];
  eachElement(svg, (node) => inside.push(node));
  const names = new Set(inside.map(({ tagName }) => tagName));
  expect([...names].toSorted()).toEqual(['desc', 'g', 'path', 'rect', 'svg', 'text', 'title']);
  const properties = new Set(inside.flatMap((node) => Object.keys(node.properties)));
  for (const name of properties) expect(name).not.toMatch(/^(?:style|id|href|on)/i);
  expect(words(svg)).toContain('<img src=x onerror=y>');
});

test("an author's SVG is removed, and Mermaid without the word “states” stays code", () => {
  const page = compiled('authors');
  expect(page.faults.map(({ rule }) => rule)).toEqual(['unknown-component']);
  expect(page.named('svg')).toEqual([]);
  expect(page.named('pre').map(textOf)).toEqual(['flowchart TB\nA -->|x| B']);
});

test('each line that cannot be drawn is reported, and the block stays code', () => {
  const page = compiled('fault');
  expect(page.faults.map(({ line, rule }) => [line, rule])).toEqual([
    [8, 'state-drawing'],
    [10, 'state-drawing'],
  ]);
  expect(page.named('svg')).toEqual([]);
  expect(page.named('pre')).toHaveLength(1);
});
