import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { validateHeaderValue } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readSiteData } from './site-data.ts';

const folder = mkdtempSync(join(tmpdir(), 'site-data-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Site data of a folder with these files of its own; everything else comes from the built-in content. */
function dataOf(name: string, files: Record<string, string>) {
  const root = join(folder, name);
  mkdirSync(root);
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  return readSiteData(root, 'content', 'millrace');
}

test("addresses in an operator's files are listed with their positions", () => {
  const { written, faults } = dataOf('own', {
    'announcement.yml': 'id: a\ntext: T\nhref: /docs/b\nlinkLabel: L\n',
    'navigation.yml':
      'bar:\n  - id: product\n    label: P\n    items:\n      - { label: A, description: D, href: /x }\nfooter:\n  - title: T\n    links:\n      - label: Mail\n        href: mailto:a@b.example\n      - label: B\n        href: /y#z\n',
    'redirects.yml': '/old: /new\n',
    'connectors.yml':
      'kinds: [{ id: k, label: K }]\nconnectors:\n  - { id: c, name: C, kind: k, description: D, document: a/c }\npairs: []\n',
  });
  expect(faults).toEqual([]);
  expect(written.map(({ file, line, column, role, href }) => `${file}:${line}:${column} ${role} ${href}`)).toEqual([
    'connectors.yml:3:58 link /docs/a/c',
    'navigation.yml:5:43 link /x',
    'navigation.yml:12:15 link /y#z',
    'announcement.yml:3:7 link /docs/b',
    'redirects.yml:1:1 old /old',
    'redirects.yml:1:7 new /new',
  ]);
});

test('a price plan may link to the cloud app or to a page', () => {
  const root = join(folder, 'prices');
  mkdirSync(root);
  cpSync('content/pricing.yml', join(root, 'pricing.yml'));
  const { written } = readSiteData(root, 'content', 'millrace');
  expect(written.map(({ href }) => href)).toContain('/console/licences');
  expect(written.map(({ href }) => href)).not.toContain('cloud-app');
});

test('a redirect target is encoded for the Location header', () => {
  const { data, faults } = dataOf('moved', { 'redirects.yml': '/a: /café中?x=ä#ö\n/b: /docs/../c d\n' });
  expect(faults).toEqual([]);
  expect([...data.redirects]).toEqual([
    ['/a', '/caf%C3%A9%E4%B8%AD?x=%C3%A4#%C3%B6'],
    ['/b', '/c%20d'],
  ]);
  for (const to of data.redirects.values()) validateHeaderValue('Location', to);
});

test.each([
  '/\\evil.example',
  '//evil.example',
  '/.//evil.example',
  '/\t/evil.example',
  'https://evil.example',
  'evil',
])('a redirect to %j is refused', (to) => {
  const folderName = `evil-${Buffer.from(to).toString('hex')}`;
  const { faults } = dataOf(folderName, { 'redirects.yml': `/a: ${JSON.stringify(to)}\n` });
  expect(faults).toEqual([expect.objectContaining({ file: 'redirects.yml', line: 1, column: 5 })]);
});

test('a brand name may contain quotes and backslashes, and fields are filled in as on pages', () => {
  const brand = {
    id: 'millrace',
    ...{ name: 'Mill "\\race"', legalName: 'L', tagline: 'T', description: 'D', domain: 'mill.example' },
    ...{
      supportEmail: 'a@b.example',
      salesEmail: 'a@b.example',
      privacyEmail: 'a@b.example',
      securityEmail: 'a@b.example',
    },
  };
  const { data, faults } = dataOf('quotes', {
    'brand/millrace.yml': JSON.stringify(brand),
    'announcement.yml': JSON.stringify({
      id: 'a',
      text: ':brand at :brand[domain], a:brand, :brand-new, :brand[none]',
      href: 'mailto::brand[salesEmail]',
      linkLabel: 'L',
    }),
  });
  expect(faults).toEqual([]);
  expect(data.announcement).toMatchObject({
    text: 'Mill "\\race" at mill.example, a:brand, :brand-new, :brand[none]',
    href: 'mailto:a@b.example',
  });
});

test("an operator's titles replace those they name, and their faults have positions", () => {
  const { data, faults, written } = dataOf('titles', {
    'pages/titles.yml': "/why: { title: 'Why :brand', description: D }\n",
  });
  expect(faults).toEqual([]);
  expect(data.titles.get('/why')).toEqual({ title: 'Why Millrace', description: 'D' });
  expect(data.titles.get('/about')?.title).toBe('About');
  expect(written).toEqual([{ file: 'pages/titles.yml', line: 1, column: 1, role: 'link', href: '/why' }]);
  const faulty = dataOf('faulty-titles', {
    'pages/titles.yml': "/blog/tags/:tag:\n  title: '{name} on the blog'\n  description: D\n",
  });
  expect(faulty.faults).toEqual([
    expect.objectContaining({
      file: 'pages/titles.yml',
      line: 2,
      column: 10,
      message: '/blog/tags/:tag.title: {name} is not a placeholder here; known are {label}, {connectors}',
    }),
  ]);
  expect(faulty.data.titles.get('/blog/tags/:tag')?.title).toBe('{label} on the blog');
});

test("an operator's page text replaces the built-in one, and its links are listed", () => {
  const closing = "title: 'Ask :brand'\nlede: L\nlink: { label: Prices, href: /pricing }\n";
  const { data, faults, written } = dataOf('closing', { 'pages/closing.yml': closing });
  expect(faults).toEqual([]);
  expect(data.texts.closing).toEqual({ title: 'Ask Millrace', lede: 'L', link: { label: 'Prices', href: '/pricing' } });
  expect(written).toEqual([{ file: 'pages/closing.yml', line: 3, column: 30, role: 'link', href: '/pricing' }]);
});

test('a faulty page text is reported at its position, and the built-in text is shown', () => {
  const builtIn = dataOf('built-in', {}).data.texts;
  const { data, faults } = dataOf('faulty-text', { 'pages/closing.yml': 'title: T\nlead: L\n' });
  expect(faults).toContainEqual(
    expect.objectContaining({ file: 'pages/closing.yml', line: 2, column: 7, rule: 'schema' }),
  );
  expect(data.texts.closing).toEqual(builtIn.closing);
});

test('a use case with an unknown connector is reported', () => {
  const text = readFileSync('content/pages/solution1.yml', 'utf8');
  const line = text.split('\n').findIndex((one) => one.includes('target: clickhouse')) + 1;
  const { faults } = dataOf('unknown-connector', {
    'pages/solution1.yml': text.replace('target: clickhouse', 'target: clickhous'),
  });
  expect(faults).toEqual([
    {
      file: 'pages/solution1.yml',
      line,
      column: 15,
      rule: 'schema',
      message: 'cases.items.1.target: unknown connector clickhous',
    },
  ]);
});

test('unknown kinds and connectors in the catalogue are reported', () => {
  const connector = (kind: string) => `  - { id: c, name: C, kind: ${kind}, description: D }\n`;
  const { faults } = dataOf('connectors', {
    'connectors.yml': `kinds: [{ id: k, label: K }]\nconnectors:\n${connector('none')}  - { id: d, name: D, kind: k, description: D, speaks: z }\n  - { id: e, name: E, kind: k, description: E, speaks: d }\npairs:\n  - sources: [c, x]\n    targets: [y]\n    functions: [full]\n`,
  });
  expect(faults.map(({ line, column, message }) => `${line}:${column} ${message}`)).toEqual([
    '3:29 connectors.0.kind: unknown kind none',
    '4:56 connectors.1.speaks: unknown connector z',
    '7:18 pairs.0.sources.1: unknown connector x',
    '8:15 pairs.0.targets.0: unknown connector y',
  ]);
});

test('unusable evidence of the installation is reported with the data file faults', () => {
  const root = join(folder, 'no-evidence');
  cpSync('content', root, { recursive: true, filter: (path) => !/\/(?:docs|blog|static|evidence\.json)$/.test(path) });
  const { data, faults } = readSiteData(root, root, 'millrace');
  expect(faults.map(({ file, rule }) => `${file} ${rule}`)).toEqual(['evidence.json evidence']);
  expect(new Set(data.catalogue.connectors.map(({ label }) => label))).toEqual(new Set(['planned']));
});

test('addresses with a placeholder are not checked', () => {
  const titles = "/why: { title: W, description: D }\n/blog/tags/:tag: { title: '{label}', description: D }\n";
  const { written } = dataOf('named-titles', { 'pages/titles.yml': titles });
  expect(written.map(({ href }) => href)).toEqual(['/why']);
});

test("an operator's tags are used, and other files in the brand folder are ignored", () => {
  const { data } = dataOf('own-tags', { 'tags.yml': "ai: { label: ':brand AI' }\n", 'brand/notes.txt': 'x' });
  expect(data.tags.get('ai')).toEqual({ id: 'ai', label: 'Millrace AI', description: '' });
  expect(() => readSiteData(join(folder, 'own-tags'), 'content', 'notes')).toThrow(
    /the known brands are millrace, penstock\.$/,
  );
});

test('an unknown brand is refused with the names of the known ones', () => {
  expect(() => readSiteData('content', 'content', 'none')).toThrow(
    /^SITE_BRAND: there is no brand 'none'; the known brands are millrace, penstock\.$/,
  );
});

test('a file in place of the brand folder counts as no brands', () => {
  expect(dataOf('brand-file', { brand: 'no folder' }).data.brand.id).toBe('millrace');
  expect(() => readSiteData(join(folder, 'brand-file'), 'content', 'none')).toThrow(
    /^SITE_BRAND: there is no brand 'none'; the known brands are millrace, penstock\.$/,
  );
});

test('faulty or missing data files of the installation itself are named', () => {
  const root = join(folder, 'broken-own');
  cpSync('content', root, { recursive: true, filter: (path) => !/\/(?:docs|blog|static)$/.test(path) });
  writeFileSync(join(root, 'tags.yml'), 'A B: {}\n');
  expect(() => readSiteData(root, root, 'millrace')).toThrow(/^tags\.yml: line 1: A B: /);
  rmSync(join(root, 'tags.yml'));
  expect(() => readSiteData(root, root, 'millrace')).toThrow(`tags.yml is missing from both ${root} and ${root}.`);
});
