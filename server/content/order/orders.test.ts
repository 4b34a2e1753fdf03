import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { testFolder, writeFiles } from '../../testing/content-folder.ts';
import { readMkdocsConfig } from '../mkdocs-config.ts';
import { readSidebars } from './docusaurus-sidebars.ts';
import { readNavigation } from './mintlify-navigation.ts';
import { mkdocsOrder } from './mkdocs-nav.ts';
import { orderFiles, readOrders } from './read-orders.ts';
import { readSummary } from './summary.ts';
import type { OrderItem, WrittenOrder } from './written-order.ts';

const folder = testFolder('orders');

/** An order as indented lines: `label = page`. */
function outline(items: readonly OrderItem[], depth = 0): string[] {
  const indent = '  '.repeat(depth);
  return items.flatMap((item) => {
    if (item.kind === 'group')
      return [`${indent}${item.label}:${item.page ? ` ${item.page}` : ''}`, ...outline(item.items, depth + 1)];
    if (item.kind === 'folder') return [`${indent}${item.folder}/*`];
    if (item.kind === 'link') return [`${indent}${item.label} -> ${item.href}`];
    return [`${indent}${item.label ? `${item.label} = ` : ''}${item.page}`];
  });
}

const faults = (order: WrittenOrder | undefined) =>
  order?.faults.map(({ file, line, column, rule }) => `${file}:${line}:${column} ${rule}`);

describe('SUMMARY.md', () => {
  test('of mdBook: parts, chapters, drafts, and pages before and after them', () => {
    const text = [
      '# Summary',
      '',
      '[Introduction](README.md)',
      '',
      '# User guide',
      '',
      '- [`init`](cli/init.md)',
      '    - [Deep](cli/deep.md#part)',
      '        - [Deeper](./cli/deeper.md)',
      '- [Draft]()',
      '',
      '---',
      '',
      '# Reference',
      '* [Two words](<two words.md>)',
      '',
      '-----------',
      '',
      '[Contributors](misc/contributors.md)',
    ];
    expect(outline(readSummary(text.join('\n'), 'docs/SUMMARY.md').items)).toEqual([
      'Introduction = README.md',
      'User guide:',
      '  init: cli/init.md',
      '    Deep: cli/deep.md',
      '      Deeper = cli/deeper.md',
      'Reference:',
      '  Two words = two words.md',
      'Contributors = misc/contributors.md',
    ]);
  });

  test.each([
    ['markers', `- [A](a.md)\n\n${']'.repeat(30_000)}`, 3],
    ['nested blocks', `- [A](a.md)\n\n${'- '.repeat(10_000)}`, 1],
  ])('one with too many %s is ignored and reported', (_what, text, line) => {
    const order = readSummary(text, 'docs/SUMMARY.md');
    expect([order.items, faults(order)]).toEqual([[], [`docs/SUMMARY.md:${line}:1 sidebar-item`]]);
  });

  test('of GitBook: groups by headings of level 2', () => {
    const text =
      '# Table of contents\n\n* [Hello](README.md)\n\n## Guides\n\n* [One](one.md "One")\n  * [Two](two.md)\n';
    expect(outline(readSummary(text, 'SUMMARY.md').items)).toEqual([
      ...['Hello = README.md', 'Guides:', '  One: one.md', '    Two = two.md'],
    ]);
  });
});

describe('TOC.md', () => {
  test('of PingCAP: labels without a link, paths from the root, pictures in labels', () => {
    const text = [
      '<!-- markdownlint-disable MD007 -->',
      '# Table of Contents',
      '',
      '- [Home](https://docs.example.com/)',
      '## GET STARTED',
      '- About',
      '  - [Features](/basic-features.md)',
      '  - [New ![New](/media/new.png)](a/new.md)',
      '- Empty',
    ];
    expect(outline(readSummary(text.join('\n'), 'docs/TOC.md').items)).toEqual([
      'Home -> https://docs.example.com/',
      'GET STARTED:',
      '  About:',
      '    Features = basic-features.md',
      '    New = a/new.md',
    ]);
  });

  test('of DocFX: headings that are links, and paths relative to its folder', () => {
    const text =
      '# [Articles](intro.md)\n## [Sub](sub/a.md)\n## Group\n### [Deep](deep.md)\n# [API](https://api.example.com)\n';
    const order = readSummary(text, 'docs/guide/TOC.md');
    expect(outline(order.items)).toEqual([
      'Articles: guide/intro.md',
      '  Sub: guide/sub/a.md',
      '  Group:',
      '    Deep: guide/deep.md',
      'API:',
    ]);
    expect(order.items[0]).toMatchObject({ line: 1, column: 1 });
  });
});

describe('nav of mkdocs.yml', () => {
  function order(text: string): WrittenOrder | undefined {
    const path = join(folder, 'mkdocs.yml');
    writeFileSync(path, text);
    return mkdocsOrder(readMkdocsConfig(path));
  }

  test('reads paths, labels, sections, links and folders, and ignores other keys', () => {
    const text = [
      'site_name: X',
      'markdown_extensions:',
      '  - pymdownx.emoji: { emoji_index: !!python/name:material.extensions.emoji.twemoji }',
      'extra: { key: !ENV [A, b] }',
      'nav:',
      '  - index.md',
      '  - Home: home.md',
      '  - Setup:',
      '      - setup/index.md',
      '      - Colors: setup/colors.md',
      '      - More:',
      '        - setup/more.md',
      '  - Issues: https://example.com/issues',
      '  - api/',
    ];
    expect(outline(order(text.join('\n'))?.items ?? [])).toEqual([
      'index.md',
      'Home = home.md',
      'Setup: setup/index.md',
      '  Colors = setup/colors.md',
      '  More:',
      '    setup/more.md',
      'Issues -> https://example.com/issues',
      'api/*',
    ]);
  });

  test('reads a deeper docs_dir, and gives no order without nav', () => {
    expect(outline(order('docs_dir: docs/en\nnav: [a.md]')?.items ?? [])).toEqual(['en/a.md']);
    expect(order('site_name: X')).toBeUndefined();
    expect(order('nav:')).toBeUndefined();
  });

  test('reports invalid entries at their position', () => {
    expect(faults(order('nav:\n  - a.md\n  - 3\n  - B: { c: d }\n'))).toEqual([
      ...['mkdocs.yml:3:5 sidebar-item', 'mkdocs.yml:4:8 sidebar-item'],
    ]);
    expect(faults(order('nav: [a.md\n'))).toEqual(['mkdocs.yml:2:1 yaml']);
  });

  test('reads the snippet folders', () => {
    writeFileSync(
      join(folder, 'mkdocs.yml'),
      'markdown_extensions:\n  - toc\n  - pymdownx.snippets:\n      base_path: [./inc, docs/parts/]\n  - mdx_include:\n      base_path: docs\n',
    );
    expect(readMkdocsConfig(join(folder, 'mkdocs.yml')).snippetFolders).toEqual(['inc', 'docs/parts/', 'docs']);
  });
});

describe('sidebars of Docusaurus', () => {
  const items = [
    "'intro',",
    "{ type: 'doc', id: 'a/b', label: 'Bee' },",
    "{ type: 'category', label: 'Cat', link: { type: 'doc', id: 'cat' }, items: ['c', { type: 'autogenerated', dirName: 'd' }] },",
    "{ type: 'category', label: 'Made', link: { type: 'generated-index' }, collapsed: false, items: [{ Short: ['e'] }] },",
    "{ type: 'link', label: 'Site', href: 'https://example.com' },",
    "{ type: 'html', value: '<hr>' },",
    "{ type: 'ref', id: 'f' },",
  ].join('\n');
  const shown = [
    ...[
      'intro',
      'Bee = a/b',
      'Cat: cat',
      '  c',
      '  d/*',
      'Made:',
      '  Short:',
      '    e',
      'Site -> https://example.com',
      'f',
    ],
  ];

  test.each([
    ['sidebars.js', `module.exports = { docs: [${items}] };`],
    ['sidebars.js', `// @ts-check\n/** @type {X} */\nconst sidebars = { docs: [${items}] };\nexport default sidebars;`],
    [
      'website/sidebars.ts',
      `import type { SidebarsConfig } from '@docusaurus/plugin-content-docs';\nconst sidebars: SidebarsConfig = { docs: [${items}] } satisfies SidebarsConfig;\nexport default sidebars;`,
    ],
    ['docs/sidebars.mjs', `const list = [${items}];\nexport default { docs: list };`],
  ])('%s', (file, text) => {
    const order = readSidebars(text, file);
    expect(outline(order.items)).toEqual(shown);
    expect(order.faults).toEqual([]);
  });

  test('sidebars.json is read, and several sidebars become groups', () => {
    const text =
      '{\n  "docs": { "Basics": ["a"], "More": ["b"] },\n  "apiSidebar": ["c"],\n  "community": [{"type": "category"}]\n}';
    const order = readSidebars(text, 'sidebars.json');
    expect(outline(order.items)).toEqual(['Docs:', '  Basics:', '    a', '  More:', '    b', 'Api:', '  c']);
    expect(faults(order)).toEqual(['sidebars.json:4:17 sidebar-item']);
  });

  test('no code is run: non-literals are reported, and the rest is used', () => {
    const text =
      "const more = require('./more');\nprocess.exit(1);\nmodule.exports = {\n  docs: ['a', ...more, read()],\n};";
    const order = readSidebars(text, 'sidebars.js');
    expect(outline(order.items)).toEqual(['a']);
    expect(faults(order)).toEqual(['sidebars.js:1:14 sidebar-item', 'sidebars.js:4:24 sidebar-item']);
    expect(faults(readSidebars('module.exports = {\n  docs: [ };', 'sidebars.js'))).toEqual([
      'sidebars.js:2:11 sidebar-item',
    ]);
  });
});

describe('navigation of Mintlify', () => {
  test('reads tabs, anchors, nested groups and group roots, and skips endpoints', () => {
    const navigation = {
      tabs: [
        {
          tab: 'Docs',
          groups: [{ group: 'Start', root: 'start/index', pages: ['start/a', { group: 'Inner', pages: ['/b'] }] }],
        },
        { tab: 'API', openapi: 'openapi.json', pages: ['api/intro', 'GET /users', 'openapi.json POST /users'] },
        { tab: 'Blog', href: 'https://example.com/blog' },
        { tab: 'Empty', pages: [] },
      ],
      global: { anchors: [{ anchor: 'X', href: 'https://x.example' }] },
    };
    expect(outline(readNavigation(JSON.stringify({ navigation }), 'docs.json').items)).toEqual([
      'Docs:',
      '  Start: start/index',
      '    start/a',
      '    Inner:',
      '      b',
      'API:',
      '  api/intro',
      'Blog -> https://example.com/blog',
    ]);
  });

  test('picks one of several languages and versions, and reads the older form', () => {
    const languages = [
      { language: 'fr', pages: ['fr/a'] },
      {
        language: 'en',
        versions: [
          { version: '2', pages: ['v2/a'] },
          { version: '1', pages: ['v1/a'] },
        ],
      },
    ];
    expect(outline(readNavigation(JSON.stringify({ navigation: { languages } }), 'docs.json').items)).toEqual(['v2/a']);
    const older = { navigation: [{ group: 'G', pages: ['a', { group: 'H', pages: ['b'] }] }] };
    expect(outline(readNavigation(JSON.stringify(older), 'mint.json').items)).toEqual(['G:', '  a', '  H:', '    b']);
  });

  test('gives positions in the file', () => {
    const order = readNavigation('{\n  "navigation": {\n    "pages": [\n      "a"\n    ]\n  }\n}', 'docs/docs.json');
    expect(order.items).toEqual([{ kind: 'page', page: 'a', line: 4, column: 7 }]);
  });
});

test('the first order file in the list applies to all documents, and folders may have their own', async () => {
  const root = join(folder, 'several');
  const files = {
    'mkdocs.yml': 'site_name: X',
    'docs/docs.json': '{"navigation": {"pages": ["a"]}}',
    'docs/SUMMARY.md': '- [B](b.md)',
    'docs/sub/TOC.md': '- [C](c.md)',
    'docs/deep/er/SUMMARY.md': '- [D](d.md)',
  };
  writeFiles(root, files);
  const orders = await readOrders(new Map(Object.keys(files).map((file) => [file, join(root, file)])));
  expect([...orders].map(([name, { file, items }]) => [name, file, outline(items)])).toEqual([
    ['docs', 'docs/docs.json', ['a']],
    ['docs/sub', 'docs/sub/TOC.md', ['C = sub/c.md']],
    ['docs/deep/er', 'docs/deep/er/SUMMARY.md', ['D = deep/er/d.md']],
  ]);
  expect(orderFiles).toContain('website/sidebars.ts');
});
