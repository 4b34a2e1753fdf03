import { expect, test } from 'vitest';
import { blankFrontMatter, findFrontMatter, readFrontMatter } from './front-matter.ts';
import type { PageKind } from './page-facts.ts';

const read = (source: string, kind: PageKind = 'doc') => readFrontMatter(source, { file: 'a.md', kind });
const withheld = 'Until this is fixed, the page is not served in production.';

test('YAML is read into one shape, and unknown keys are allowed', () => {
  const { front, faults } = read(
    '---\ntitle: T\ndate: 2024-1-2\ntags: [a, {label: b}]\nauthors: {name: N, title: X}\nother: 1\n---\nText',
  );
  expect(faults).toEqual([]);
  expect(front).toMatchObject({
    title: 'T',
    date: '2024-01-02',
    tags: [{ name: 'a', line: 4, column: 8 }, { name: 'b' }],
    authors: [{ name: 'N', label: 'N', title: 'X' }],
  });
});

test('TOML is read', () => {
  const { front } = read('+++\ntitle = "T"\nweight = 3\ndate = 2024-01-02\n+++\n');
  expect(front).toMatchObject({ title: 'T', position: 3, date: '2024-01-02' });
});

test('an invalid key is reported, and the others are used', () => {
  const { front, faults } = read('---\ntitle: T\ndraft: perhaps\ndate: 2024-02-30\n---\n');
  expect(front).toMatchObject({ title: 'T', draft: false });
  expect(faults.map(({ line, column }) => [line, column])).toEqual([
    [3, 8],
    [4, 7],
  ]);
});

test.each([
  [
    'title: 12\ndescription: " D "\nslug: true',
    { title: '12', description: 'D', slug: { name: 'true', line: 4, column: 7 } },
  ],
  ['linkTitle: A\nweight: 2\nnav_order: 3', { sidebarLabel: 'A', position: 2 }],
  ['nav_title: A\nnav_order: 3\nsort_rank: 4', { sidebarLabel: 'A', position: 3 }],
  ['sidebar_label: A\nlinkTitle: B\nsort_rank: 4', { sidebarLabel: 'A', position: 4 }],
  ['sidebar_position: 0\nweight: 2', { position: 0 }],
  ['sidebar: false\ndraft: true', { sidebar: false, draft: true }],
  [
    'sidebar: {order: 1}\nplanned: 0.2.0\naliases: /a',
    { sidebar: true, planned: { name: '0.2.0', line: 3, column: 10 }, aliases: ['/a'] },
  ],
  ['aliases: [/a, 2]\ntitle:', { aliases: ['/a', '2'] }],
  ['id: a\nconnection: b', { id: { name: 'a', line: 2, column: 5 }, connection: { name: 'b', line: 3, column: 13 } }],
  ['date: {created: 2024-01-02, updated: 2024-01-03}\npubDate: 2023-01-01', { date: '2024-01-02' }],
  ['pubDate: 2024-01-02\npublishDate: 2023-01-01', { date: '2024-01-02' }],
  ['publishDate: 2024-01-02\ncreated_at: 2023-01-01', { date: '2024-01-02' }],
  ['created_at: 2024-01-02', { date: '2024-01-02' }],
  ['tags: a, b ,,', { tags: ['a', 'b'].map((name) => ({ name, line: 2, column: 7 })) }],
  ['tags: {label: c}', { tags: [{ name: 'c', line: 2, column: 7 }] }],
  ['author: " N "\nauthor_name: M', { authors: [{ name: 'N', line: 2, column: 9 }] }],
  ['author_name: M', { authors: [{ name: 'M', line: 2, column: 14 }] }],
  [
    'authors: [{key: k, name: N}, {title: T}, "", a]\nauthor: b',
    {
      authors: [
        { name: 'k', label: 'N', line: 2, column: 11 },
        { name: 'a', line: 2, column: 46 },
      ],
    },
  ],
])('%s', (text, front) => {
  const nothing = { sidebar: true, draft: false, tags: [], authors: [], aliases: [] };
  expect(read(`---\n${text}\n---\n`)).toMatchObject({ front: { ...nothing, ...front }, faults: [] });
  const given = read(`---\n${text}\n---\n`).front;
  expect(Object.keys(given).toSorted()).toEqual(Object.keys({ ...nothing, ...front }).toSorted());
});

test.each([
  ['title: [a]', 'title: must be text'],
  ['draft: yes please', `draft: must be true or false. ${withheld}`],
  ['weight: first', 'weight: must be a number'],
  ['planned: soon', 'planned: must be a release such as 0.3.0, or later'],
  ['planned: 0.3', 'planned: must be a release such as 0.3.0, or later'],
  ['date: true', 'date: must be a date such as 2025-07-08'],
  ['date: 2024-13-01', 'date: must be a date such as 2025-07-08'],
  ['date: {updated: 2024-01-01}', 'date: must be a date such as 2025-07-08'],
])('%s: the fault is described', (text, message) => {
  expect(read(`---\n${text}\n---\n`).faults.map((fault) => fault.message)).toEqual([message]);
});

test('front matter without keys is reported, unless it is empty', () => {
  const fault = {
    file: 'a.md',
    line: 2,
    column: 1,
    rule: 'front-matter',
    message: `Front matter must be a list of keys and values. ${withheld}`,
  };
  expect(read('---\n- a\n---\n').faults).toEqual([fault]);
  expect(read('---\njust words\n---\n').faults).toEqual([fault]);
  expect(read('---\n\n---\n').faults).toEqual([]);
  expect(read('---\n---\n').faults).toEqual([]);
  expect(read('Text')).toMatchObject({ front: { sidebar: true }, faults: [] });
  expect(read('Text').at(['title'])).toEqual({ line: 1, column: 1 });
});

test('TOML positions are the lines of the keys', () => {
  const { at, faults } = read('+++\ntitle = "T"\n\n  "weight" = "x"\n[taxonomies]\n+++\n');
  expect([['title'], ['weight'], ['taxonomies'], ['none']].map((path) => at(path).line)).toEqual([2, 4, 5, 2]);
  expect(faults).toEqual([{ file: 'a.md', line: 4, column: 1, rule: 'schema', message: 'weight: must be a number' }]);
  const [wrong] = read('+++\na = 1\n\nb = = 2\n+++\n').faults;
  expect(wrong).toMatchObject({ line: 4, column: 5, rule: 'toml' });
  expect(wrong?.message).not.toMatch(/\n|^$/);
});

test('a fence may have trailing spaces, and the closing fence must match the opening one', () => {
  expect(findFrontMatter('--- \na: 1\n---\t\nText')).toEqual({ kind: 'yaml', text: 'a: 1', end: 15 });
  expect(findFrontMatter('---\na: 1\n---')).toMatchObject({ end: 12 });
  for (const none of ['---\na: 1\n+++\n', '---\na: 1\n', '--- a\n---\n', ' ---\na: 1\n---\n', '----\na: 1\n----\n'])
    expect(findFrontMatter(none)).toBeUndefined();
});

test('YAML may end with three dots, but a page that begins with a rule is text', () => {
  const source = '---\ntitle: T\ndraft: true\n...\nText\n---\n';
  expect(findFrontMatter(source)).toEqual({ kind: 'yaml', text: 'title: T\ndraft: true', end: 29 });
  expect(findFrontMatter('---\n\nText\n\n...\n')).toBeUndefined();
});

test.each<[string, number]>([
  ['\n---\ntitle: T\ndraft: true\n---\nText', 2],
  [' ---\ntitle: T\n ---\n', 1],
  ['\n \n----\n# comment\ntags:\n- a\n  - b\n\n----\n', 3],
  ['—\ntitle: T\n—\n', 1],
  ['{\n  "title": "T"\n}\n', 1],
])('%j has front matter that is not read: the page is withheld, and the place is named', (source, line) => {
  const { front, faults } = read(source);
  expect(front.withheld).toBe(true);
  expect(faults).toMatchObject([
    { line, column: 1, rule: 'front-matter', message: expect.stringContaining('not read') },
  ]);
});

test.each(['\n---\n\nText: of a page.\n', '\n---\nText\n---\n', '{\n  some: words\n}\n'])('%j is text', (source) =>
  expect(read(source).faults).toEqual([]),
);

test('keys in another spelling are reported, and a draft among them is withheld', () => {
  const { front, faults } = read(
    '---\nTitle: T\nsidebar-position: 2\nDraft: true\nlinktitle: L\nAuthors: A\nauthors: B\n---\n',
  );
  expect(front).toMatchObject({ withheld: true, authors: [{ name: 'B' }] });
  expect(faults.map(({ line, message }) => `${line} ${message}`)).toEqual([
    '2 The key Title is not read: write title.',
    '3 The key sidebar-position is not read: write sidebar_position.',
    `4 The key Draft is not read: write draft. ${withheld}`,
    '5 The key linktitle is not read: write linkTitle.',
  ]);
});

test.each([
  ['03/04/2026', undefined],
  ['3.4.2026', undefined],
  ['03/25/2026', '2026-03-25'],
  ['04/04/2026', '2026-04-04'],
])('the day %s is %s: day and month must not be guessed', (written, day) => {
  const { front, faults } = read(`---\ndate: ${written}\n---\n`, 'post');
  expect([front.date, faults.length]).toEqual([day, day === undefined ? 1 : 0]);
});

test('syntax errors have a position', () => {
  expect(read('---\ntitle: "T\n---\n').faults[0]).toMatchObject({ rule: 'yaml' });
  expect(read('+++\ntitle = \n+++\n').faults[0]).toMatchObject({ rule: 'toml', line: 2 });
});

test('later lines keep their numbers, and a rule within the page is not front matter', () => {
  const source = '---\na: 1\n---\nText';
  expect(blankFrontMatter(source, findFrontMatter(source))).toBe('\n\n\nText');
  expect(findFrontMatter('Text\n---\n')).toBeUndefined();
});

test.each<[string, PageKind, object]>([
  ['---\ntitle: T\ndraft: yes\n---\n', 'doc', { title: 'T', withheld: true }],
  ['---\ntitle: T\ndate: tomorrow\n---\n', 'post', { title: 'T', withheld: true }],
  ['---\ntitle: T\ndate: tomorrow\n---\n', 'doc', { title: 'T' }],
  ['---\ntitle: T\nweight: first\n---\n', 'post', { title: 'T' }],
  ['---\ntitle: T\ndraft: true\nauthors: b: c\n---\n', 'post', { title: 'T', draft: true, withheld: true }],
  ['+++\ndraft = yes\n+++\n', 'post', { withheld: true }],
  ['---\njust words\n---\n', 'doc', { withheld: true }],
  ['---\ntitle: T\n\n## Text\n', 'doc', { withheld: true }],
  ['+++\ntitle = "T"\n', 'doc', { withheld: true }],
])('%j as a %s: readable keys are used, and a page of unknown status is withheld', (source, kind, front) => {
  const found = read(source, kind);
  const nothing = { sidebar: true, draft: false, tags: [], authors: [], aliases: [] };
  expect(found.front).toEqual({ ...nothing, ...front });
  expect(found.faults).not.toEqual([]);
  expect(found.faults.some(({ message }) => message.endsWith(withheld))).toBe('withheld' in front);
});

test('unclosed front matter is reported, but not a rule at the start of a page', () => {
  expect(read('---\n\nText: of a page\n').faults.map(({ message }) => message)).toEqual([
    `The front matter that begins here is never closed: add a line --- below its keys. ${withheld}`,
  ]);
  for (const none of ['---\nText of a page: more\n', '----\na: 1\n', '---', '+++ a\n', '# T\n\n---\na: 1\n'])
    expect(read(none)).toMatchObject({ front: { draft: false }, faults: [] });
});
