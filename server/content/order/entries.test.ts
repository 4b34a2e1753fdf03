import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { testFolder } from '../../testing/content-folder.ts';
import { readMkdocsConfig } from '../mkdocs-config.ts';
import { readSidebars } from './docusaurus-sidebars.ts';
import { readNavigation } from './mintlify-navigation.ts';
import { mkdocsOrder } from './mkdocs-nav.ts';
import { readOrders } from './read-orders.ts';
import { readSummary } from './summary.ts';
import { wordsOf } from './written-order.ts';

// Orders entry by entry: what each one becomes, with its position, and what is reported for invalid ones.
const folder = testFolder('order-entries');
const at = (line: number, column: number) => ({ line, column });

describe('SUMMARY.md', () => {
  const items = (text: string) => readSummary(text, 'docs/SUMMARY.md').items;

  test.each([
    [
      '- [A](a.md)\n- [B](//b.example)\n  - [C](c.md)',
      [
        { kind: 'page', label: 'A', page: 'a.md', ...at(1, 3) },
        { kind: 'link', label: 'B', href: '//b.example', ...at(2, 3) },
        { kind: 'page', label: 'C', page: 'c.md', ...at(3, 5) },
      ],
    ],
    ['- [A](a//b.md)', [{ kind: 'page', label: 'A', page: 'a/b.md', ...at(1, 3) }]],
    ['- [A](mailto:a@b.example)', [{ kind: 'link', label: 'A', href: 'mailto:a@b.example', ...at(1, 3) }]],
    [
      '- [Draft]()\n  - [A](/a.md?x=1)',
      [
        {
          kind: 'group',
          label: 'Draft',
          items: [{ kind: 'page', label: 'A', page: 'a.md', ...at(2, 5) }],
          ...at(1, 3),
        },
      ],
    ],
    ['- [](a.md)', [{ kind: 'page', page: 'a.md', ...at(1, 3) }]],
    ['- [Two\n  lines](a.md) and more', [{ kind: 'page', label: 'Two lines', page: 'a.md', ...at(1, 3) }]],
    ['Only words.\n\n**[A](a.md)**', [{ kind: 'page', label: 'A', page: 'a.md', ...at(3, 1) }]],
    [
      '[A](a.md)\n\n# Part\n\n- [B](b.md)',
      [
        { kind: 'page', label: 'A', page: 'a.md', ...at(1, 1) },
        { kind: 'group', label: 'Part', items: [{ kind: 'page', label: 'B', page: 'b.md', ...at(5, 3) }], ...at(3, 1) },
      ],
    ],
    [
      '## First\n## Second\n- [A](a.md)',
      [
        { kind: 'group', label: 'First', items: [], ...at(1, 1) },
        {
          kind: 'group',
          label: 'Second',
          items: [{ kind: 'page', label: 'A', page: 'a.md', ...at(3, 3) }],
          ...at(2, 1),
        },
      ],
    ],
    ['[d]: /d.md\n\n# Title\n\n- [A][d]\n- [B](b.md)', [{ kind: 'page', label: 'B', page: 'b.md', ...at(6, 3) }]],
  ])('%s', (text, found) => expect(items(text)).toEqual(found));
});

describe('nav of mkdocs.yml', () => {
  const order = (text: string) => {
    const path = join(folder, 'mkdocs.yml');
    writeFileSync(path, text);
    return mkdocsOrder(readMkdocsConfig(path));
  };

  test('reads links without a label, folders with one, and the page of a group', () => {
    const items = order(
      [
        'docs_dir: docs/en',
        'nav:',
        '  - https://a.example',
        '  - Api: api/',
        '  - A: [a/README.md, b.md]',
        '  - B: [Home: b/index.md]',
        '  - C: [myindex.md]',
        '  - D: [b/]',
      ].join('\n'),
    )?.items;
    expect(items).toEqual([
      { kind: 'link', href: 'https://a.example', label: 'https://a.example', ...at(3, 5) },
      { kind: 'folder', folder: 'en/api', ...at(4, 10) },
      {
        kind: 'group',
        label: 'A',
        page: 'en/a/README.md',
        items: [{ kind: 'page', page: 'en/b.md', ...at(5, 22) }],
        ...at(5, 8),
      },
      {
        kind: 'group',
        label: 'B',
        items: [{ kind: 'page', page: 'en/b/index.md', label: 'Home', ...at(6, 15) }],
        ...at(6, 8),
      },
      { kind: 'group', label: 'C', items: [{ kind: 'page', page: 'en/myindex.md', ...at(7, 9) }], ...at(7, 8) },
      { kind: 'group', label: 'D', items: [{ kind: 'folder', folder: 'en/b', ...at(8, 9) }], ...at(8, 8) },
    ]);
  });

  test('keeps paths if docs_dir is outside docs/, and reports invalid entries', () => {
    expect(order('docs_dir: ../x\nnav: [a.md]')?.items).toEqual([{ kind: 'page', page: 'a.md', ...at(2, 7) }]);
    const message = 'This nav entry is not a path, a label with a path, or a list.';
    expect(order('nav: a.md')?.faults).toEqual([{ file: 'mkdocs.yml', ...at(1, 6), rule: 'sidebar-item', message }]);
    expect(order('nav:\n  - A:\n')).toMatchObject({
      items: [{ kind: 'group', label: 'A', items: [] }],
      faults: [{ message }],
    });
  });
});

describe('sidebars of Docusaurus', () => {
  const told = (text: string, file = 'sidebars.js') =>
    readSidebars(text, file).faults.map(({ line, column, message }) => `${line}:${column} ${message}`);
  const strange = 'This sidebar entry is not understood.';

  test('invalid entries are reported at their position, and the rest is used', () => {
    const order = readSidebars(
      '{\n"none": null,\n"docs": [\n1,\n{"type": "link", "href": "/a"},\n{"type": "category", "label": "A"},\n{"type": "other", "x": ["y"]},\n"b",\n{"type": "doc", "id": "c", "label": ""}\n]}',
      'sidebars.json',
    );
    expect(order.items).toEqual([
      { kind: 'group', label: 'A', items: [], ...at(6, 1) },
      { kind: 'page', page: 'b', ...at(8, 1) },
      { kind: 'page', page: 'c', ...at(9, 1) },
    ]);
    expect(order.faults.map(({ line, column }) => [line, column])).toEqual([
      [4, 1],
      [5, 1],
      [6, 1],
      [7, 1],
    ]);
    expect(new Set(order.faults.map(({ message }) => message))).toEqual(new Set([strange]));
    expect(told('[1]', 'sidebars.json')).toEqual([`1:1 ${strange}`]);
    expect(told('', 'sidebars.json')).toEqual([]);
  });

  test('several sidebars become groups with their positions; empty ones are left out', () => {
    const { items } = readSidebars(
      'module.exports = {\n  a: ["x"],\n  b: {},\n  c: { D: { E: ["y"] } },\n};',
      'sidebars.js',
    );
    expect(items).toEqual([
      { kind: 'group', label: 'A', items: [{ kind: 'page', page: 'x', ...at(2, 7) }], ...at(2, 6) },
      {
        kind: 'group',
        label: 'C',
        items: [
          {
            kind: 'group',
            label: 'D',
            items: [{ kind: 'group', label: 'E', items: [{ kind: 'page', page: 'y', ...at(4, 17) }], ...at(4, 16) }],
            ...at(4, 11),
          },
        ],
        ...at(4, 6),
      },
    ]);
  });

  test("a category's link is its page only if it is a document", () => {
    const category = (link: string) =>
      readSidebars(
        `export default { a: [{ type: "category", label: "A", items: ["b"], link: ${link} }] }`,
        'sidebars.mjs',
      ).items[0];
    expect(category('{ type: "doc", id: "c" }')).toMatchObject({ page: 'c' });
    expect(category('{ type: "other", id: "c" }')).not.toHaveProperty('page');
    expect(category('null')).not.toHaveProperty('page');
  });

  test('TypeScript types are ignored, and positions refer to the file', () => {
    const text =
      "import type { A } from 'a';\nconst list: readonly string[] = ['b'] as const;\nconst all: Record<string, A> = { c: list, d: [e()] } satisfies A;\nexport default all as A;";
    expect(readSidebars(text, 'sidebars.ts')).toMatchObject({
      items: [{ kind: 'group', label: 'C', items: [{ kind: 'page', page: 'b', ...at(2, 34) }], ...at(2, 33) }],
      faults: [{ ...at(3, 47), message: 'Only literals are read: this would have to be evaluated and is left out.' }],
    });
    expect(told(text)).toEqual(['1:13 This JavaScript cannot be read: the order is left out.']);
  });
});

describe('navigation of Mintlify', () => {
  const items = (navigation: unknown) => readNavigation(JSON.stringify({ navigation }), 'docs.json').items;
  const page = (name: string) => expect.objectContaining({ kind: 'page', page: name });
  const group = (label: string, ...inner: unknown[]) => expect.objectContaining({ kind: 'group', label, items: inner });

  test.each([
    [{ versions: [{ pages: ['a'] }, { default: true, pages: ['b'] }] }, [page('b')]],
    [{ versions: [{ default: 1, pages: ['a'] }, { pages: ['b'] }] }, [page('a')]],
    [
      { dropdowns: [{ dropdown: 'D', pages: ['a'] }], products: [{ product: 'P', pages: ['b'] }] },
      [group('D', page('a')), group('P', page('b'))],
    ],
    [{ anchors: [{ anchor: 'A', pages: ['a'] }], pages: ['b'] }, [group('A', page('a')), page('b')]],
    [{ tabs: [{ tab: 'T', menu: [{ item: 'I', pages: ['a'] }] }] }, [group('T', group('I', page('a')))]],
    [{ tabs: [{ tab: 1, pages: ['a'] }, 2, { tab: 'L', href: 3 }] }, [page('a')]],
    [
      ['/a', 'webhook b', 'PATCH /c', 'x.yml DELETE /d', 'get/e'],
      [page('a'), page('get/e')],
    ],
    ['a', []],
    [undefined, []],
  ])('%j', (navigation, found) => expect(items(navigation)).toEqual(found));

  test('the root of a group is its page, and invalid JSON is reported', () => {
    const text =
      '{"navigation": {\n"languages": [{"language": "en",\n"groups": [{"group": "G", "root": "r", "pages": ["a"]}]}]}}';
    expect(readNavigation(text, 'docs.json').items).toEqual([
      { kind: 'group', label: 'G', page: 'r', items: [{ kind: 'page', page: 'a', ...at(3, 50) }], ...at(3, 12) },
    ]);
    expect(readNavigation('{"navigation": [', 'docs.json')).toMatchObject({
      items: [],
      faults: [{ rule: 'yaml' }, { rule: 'yaml' }],
    });
    expect(readNavigation('[]', 'docs.json')).toMatchObject({ items: [], faults: [] });
  });
});

test('an unreadable order file is reported', async () => {
  const orders = await readOrders(new Map([['docs/TOC.md', join(folder, 'gone.md')]]));
  expect(orders.get('docs')).toMatchObject({ items: [], faults: [{ file: 'docs/TOC.md', rule: 'left-out' }] });
});

test.each([
  ['tutorialSidebar', 'Tutorial'],
  ['api-docs_sidebars', 'Api docs'],
  ['sidebar', 'sidebar'],
  ['myApi2Docs', 'My api2 docs'],
  ['-docs-', 'Docs'],
])('the name %s is shown as %s', (name, words) => expect(wordsOf(name)).toBe(words));
