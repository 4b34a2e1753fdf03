import { describe, expect, test } from 'vitest';
import { el } from '../testing/markdown-trees.ts';
import { pack, unpackBody, unpackFacts } from './packed-page.ts';
import { brokenPage, type CompiledPage } from './page-facts.ts';
import { text } from './plugins/elements.ts';

const place = { line: 1, column: 2 };
const tree = {
  type: 'root' as const,
  children: [
    el('p', 'Text'),
    { ...el('img'), properties: { src: 'a.png', width: 3, hidden: true, className: ['a', 'b'] } },
    el('ul', el('li', 'One', el('b', 'two'))),
  ],
};
const whole: CompiledPage = {
  facts: {
    front: {
      title: 'T',
      description: 'D',
      id: { name: 'i', ...place },
      slug: { name: 's', ...place },
      sidebar: true,
      sidebarLabel: 'L',
      position: 1.5,
      draft: false,
      withheld: true,
      connection: { name: 'sql', ...place },
      date: '2024-01-02',
      planned: { name: '0.2.0', ...place },
      tags: [{ name: 't', ...place }],
      authors: [{ name: 'a', ...place, label: 'A', title: 'B' }],
      aliases: ['/old'],
    },
    heading: 'H',
    intro: 'I',
    ids: ['x'],
    topIds: ['y'],
    references: [{ kind: 'image', href: 'a.png', ...place }],
    excerpt: tree,
    readingMinutes: 2,
    faults: [{ ...place, rule: 'r', message: 'M' }],
  },
  body: { tree, toc: [{ depth: 3, id: 'x', text: 'X' }], text: 'Text' },
  broken: ['Why.'],
};

/** The packed page body, of any shape. */
const packedBody = (body: unknown) => pack({ ...whole, body: JSON.parse(JSON.stringify(body)) }).body;

test('an unpacked page equals the packed one', () => {
  const packed = pack(whole);
  expect(unpackFacts(packed.facts)).toEqual({ ...whole.facts, broken: ['Why.'] });
  expect(unpackBody(packed.body)).toEqual(whole.body);
  const { facts, body } = brokenPage([]);
  expect(unpackFacts(pack({ facts, body }).facts)).toEqual(facts);
});

describe('a body is refused when', () => {
  const bodyWith = (node: unknown) => packedBody({ ...whole.body, tree: { type: 'root', children: [node] } });

  test.each([
    ['nothing', null],
    ['a string', 'p'],
    ['another kind of node', { type: 'comment', value: 'x' }],
    ['an element without a name', { ...el('p'), tagName: undefined }],
    ['an element without properties', { ...el('p'), properties: null }],
    ['a property that is an object', { ...el('p'), properties: { style: { color: 'red' } } }],
    ['a property with an object in its list', { ...el('p'), properties: { className: ['a', {}] } }],
    ['an element without children', { ...el('p'), children: undefined }],
    ['text that is not a string', { type: 'text', value: 1 }],
    ['an invalid node further down', { ...el('ul'), children: [{ ...el('li'), tagName: 1 }] }],
  ])('it holds %s', (_what, node) => {
    expect(() => unpackBody(bodyWith(node))).toThrow('is not a tree of elements and text');
    expect(unpackBody(bodyWith(text('x'))).tree.children).toEqual([text('x')]);
  });

  test.each([
    ['no tree', { toc: [], text: '' }],
    ['a tree of another type', { tree: { type: 'element', children: [] }, toc: [], text: '' }],
    ['no list of headings', { tree, text: '' }],
    ['a heading of another level', { tree, toc: [{ depth: 4, id: 'x', text: 'X' }], text: '' }],
    ['no text', { tree, toc: [] }],
  ])('it has %s', (_what, body) => {
    expect(() => unpackBody(packedBody(body))).toThrow();
  });

  test('it is not packed JSON', () => {
    expect(() => unpackBody(new Uint8Array([1, 2, 3]))).toThrow();
  });
});

describe('facts are refused without', () => {
  test.each(['front', 'intro', 'ids', 'topIds', 'references', 'readingMinutes', 'faults'])('%s', (key) => {
    const { [key]: _, ...rest } = JSON.parse(pack(whole).facts);
    expect(() => unpackFacts(JSON.stringify(rest))).toThrow();
  });

  test.each(['sidebar', 'draft', 'tags', 'authors', 'aliases'])('front.%s', (key) => {
    const facts = JSON.parse(pack(whole).facts);
    delete facts.front[key];
    expect(() => unpackFacts(JSON.stringify(facts))).toThrow();
  });
});
