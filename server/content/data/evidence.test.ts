import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { countsOf, pairLabel } from '../../../client/contract/catalogue.ts';
import { testFolder } from '../../testing/content-folder.ts';
import { connectorsSchema } from './connectors.ts';
import { type Evidence, readEvidence } from './evidence.ts';

const folder = testFolder('evidence');
const system = (family: string, release: string) => ({ family, release, version: `${release}.1` });
const side = (family: string, release: string, which: 'source' | 'target') => ({
  ...system(family, release),
  side: which,
  tests: 1,
});
const evidence: Evidence = {
  made: '2026-11-22',
  commit: null,
  code: 'a'.repeat(64),
  tests: 4,
  systems: [side('a', '1', 'source'), side('a', '2', 'source'), side('a', '1', 'target'), side('b', '1', 'source')],
  pairs: [
    { source: system('a', '2'), target: system('a', '1'), functions: ['full'], rows: 9 },
    { source: system('a', '1'), target: system('a', '1'), functions: ['schema', 'full'], rows: 9 },
  ],
  statements: [],
};
const written = {
  kinds: [{ id: 'k', label: 'K' }],
  connectors: ['a', 'b', 'c', 'd'].map((id) => ({
    id,
    name: id.toUpperCase(),
    kind: 'k',
    description: '',
    ...(id > 'b' && { speaks: id === 'c' ? 'a' : 'b' }),
  })),
  pairs: [{ sources: ['a', 'b', 'c', 'd'], targets: ['a', 'c'], functions: ['schema', 'full', 'verification'] }],
};

test('labels, versions and counts come from the evidence, without planned connectors', () => {
  const catalogue = connectorsSchema(evidence).parse(written);
  // b was tested only as a source, so neither b nor d, which speaks b's protocol, has a label yet.
  expect(catalogue.connectors.map(({ id, label, family, tested }) => [id, label, family, tested])).toEqual([
    ['a', 'tested', 'a', ['1']],
    ['b', 'planned', undefined, []],
    ['c', 'compatible', 'a', ['1']],
    ['d', 'planned', undefined, []],
  ]);
  expect(catalogue.proved).toEqual({
    'a>a': {
      functions: ['full'],
      releases: [
        ['2', '1'],
        ['1', '1'],
      ],
    },
  });
  expect(countsOf(catalogue)).toEqual({ connectors: 1, compatible: 1, sources: 1, targets: 1, pairs: 2 });
  const [a, b, c] = catalogue.connectors;
  if (!a || !b || !c) throw new Error('The catalogue lost a connector.');
  expect([pairLabel(catalogue, a, a), pairLabel(catalogue, a, c), pairLabel(catalogue, b, a)]).toEqual([
    'tested',
    'compatible',
    'planned',
  ]);
});

test('tested systems that are not in the catalogue are not counted', () => {
  const catalogue = connectorsSchema(evidence).parse({
    kinds: written.kinds,
    connectors: written.connectors.filter(({ id }) => id === 'b'),
    pairs: [],
  });
  expect(countsOf(catalogue)).toEqual({ connectors: 0, compatible: 0, sources: 0, targets: 0, pairs: 0 });
});

test.each([
  ['is missing', undefined, /planned.*\(it cannot be read: .*ENOENT.*npm run evidence/],
  ['is truncated', JSON.stringify(evidence).slice(0, 90), /planned.*\(the file: .*npm run evidence/],
  ['has another shape', JSON.stringify({ ...evidence, code: 'short' }), /\(code: .*npm run evidence/],
])('evidence that %s is reported and counts as none', (what, text, sentence) => {
  const root = join(folder, what);
  mkdirSync(root);
  if (text !== undefined) writeFileSync(join(root, 'evidence.json'), text);
  const { evidence: found, faults } = readEvidence(root);
  expect(found).toEqual({ systems: [], pairs: [] });
  expect(faults).toEqual([
    expect.objectContaining({ file: 'evidence.json', message: expect.stringMatching(sentence) }),
  ]);
});

test('intact evidence is read as written', () => {
  writeFileSync(join(folder, 'evidence.json'), JSON.stringify(evidence));
  expect(readEvidence(folder)).toEqual({ evidence, faults: [] });
});
