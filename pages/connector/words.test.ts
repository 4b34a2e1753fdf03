import { expect, test } from 'vitest';
import type { Catalogue, Connector } from '../../client/contract/catalogue.ts';
import { countRunning, countWords, filterHref, filterWords, groupsOf, versionWords } from './words.ts';

const connector = (id: string, more: Partial<Connector>): Connector => ({
  id,
  name: id.toUpperCase(),
  kind: 'k',
  description: '',
  versions: ['9'],
  label: 'planned',
  tested: [],
  targets: ['a', 'b', 'c'],
  sources: ['a', 'b', 'c'],
  ...more,
});
const a = connector('a', { label: 'tested', family: 'a', tested: ['1', '2'] });
const b = connector('b', { label: 'compatible', family: 'a', tested: ['1', '2'] });
const c = connector('c', {});
const catalogue: Catalogue = {
  kinds: [
    { id: 'k', label: 'K' },
    { id: 'l', label: 'L' },
  ],
  connectors: [c, b, a],
  functions: {},
  proved: { 'a>a': { functions: ['full'], releases: [['1', '2']] } },
};

test('running systems come first, separate from planned ones, which are not counted', () => {
  const groups = groupsOf(catalogue.connectors, catalogue).map(({ label, note, connectors }) => [
    label,
    note,
    connectors.map(({ id }) => id),
  ]);
  expect(groups).toEqual([
    ['In this release', undefined, ['b', 'a']],
    ['K', 'planned', ['c']],
  ]);
  expect(countWords(catalogue.connectors, catalogue, false)).toBe('1 tested connector, planned ones below');
  expect(countWords([c], catalogue, true)).toBe('0 of 1 tested connector, planned ones below');
  expect(countWords([a], catalogue, true)).toBe('1 of 1 tested connector');
  expect([a, b, c].map((one) => countRunning(one, catalogue, 'source'))).toEqual([2, 2, 0]);
});

test('versions are shown with their label', () => {
  const words = [a, b, c, connector('d', { versions: [] })].map((one) => versionWords(one, catalogue));
  expect(words).toEqual(['tested: 1, 2', 'compatible with A 1, 2', 'planned: 9', 'planned']);
});

test('a filter in words lists the choices in order', () => {
  const kinds = [
    { id: 'database', label: 'Database' },
    { id: 'ai', label: 'AI' },
  ];
  const words = (filter: Parameters<typeof filterWords>[0]) => filterWords(filter, { ...catalogue, kinds });
  expect(words({ q: 'aurora', kind: 'database', role: 'source' })).toBe('“aurora”, database, as a source');
  expect(words({ kind: 'ai' })).toBe('AI');
  expect(words({ kind: 'no such kind', role: 'target' })).toBe('as a target');
  expect(words({})).toBe('');
});

test('the address of a filter keeps the typed text unchanged', () => {
  expect(filterHref({})).toBe('/connector');
  expect(filterHref({ q: 'a&b=c d/é', role: 'target' })).toBe('/connector?q=a%26b%3Dc+d%2F%C3%A9&role=target');
});
