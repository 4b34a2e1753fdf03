import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { evidenceSchema } from '../../server/content/data/evidence.ts';
import { readSiteData } from '../../server/content/data/site-data.ts';
import { cards } from '../../server/engine/systems/cards.ts';
import { codeHash } from './code-hash.ts';
import { collect } from './collect.ts';

const root = join(import.meta.dirname, '../..');
const content = join(root, 'content');
const remedy = 'run `npm run evidence` and commit content/evidence.json';
const evidence = evidenceSchema.parse(JSON.parse(readFileSync(join(content, 'evidence.json'), 'utf8')));

test('every side of every card has its contract suite, and runs it', () => {
  for (const { family, source, target } of cards) {
    const suites = [source && ['source', 'sourceContract('], target && ['sink', 'sinkContract(']].filter(Boolean);
    for (const [file, call] of suites as string[][]) {
      const path = join(root, `server/engine/systems/${family}/${file}.test.ts`);
      expect(existsSync(path), `${family} has no ${file}.test.ts`).toBe(true);
      expect(readFileSync(path, 'utf8')).toContain(call);
    }
  }
});

test('the evidence is of this very code', () => {
  expect(evidence.code, `server/engine or package-lock.json changed since ${evidence.made}: ${remedy}`).toBe(
    codeHash(),
  );
});

test('every card has evidence for its sides and its pairs, and a place in the catalogue', () => {
  const { catalogue } = readSiteData(content, content, 'millrace').data;
  for (const { family, source, target } of cards) {
    for (const [side, isOffered] of [
      ['source', source],
      ['target', target],
    ] as const) {
      const found = evidence.systems.some((one) => one.family === family && one.side === side);
      expect(found, `no evidence for ${family} as ${side}: ${remedy}`).toBe(isOffered);
    }
    const releases = evidence.systems.filter((one) => one.family === family && one.side === 'source');
    const pairs = evidence.pairs.filter((pair) => pair.source.family === family && pair.target.family === family);
    expect(pairs.length, `pairs of ${family}: ${remedy}`).toBe(source && target ? releases.length ** 2 : 0);
    expect(catalogue.connectors.find(({ id }) => id === family)?.label).toBe('tested');
  }
});

test('no label says more than the evidence', () => {
  const { catalogue } = readSiteData(content, content, 'millrace').data;
  const families = new Set(cards.map(({ family }) => family));
  for (const { id, label, family, tested } of catalogue.connectors) {
    if (label === 'planned') expect([id, tested]).toEqual([id, []]);
    else expect([id, families.has(family ?? '')]).toEqual([id, true]);
    if (label === 'tested') {
      const releases = evidence.systems.filter((one) => one.family === id && one.side === 'source');
      expect([id, tested]).toEqual([id, releases.map(({ release }) => release)]);
    }
  }
});

test('a failed test proves nothing, nor does one that says nothing', () => {
  const system = { family: 'f', release: '1', version: '1.2' };
  const passed = { status: 'passed', fullName: 'a', meta: { proves: { kind: 'side', system, side: 'source' } } };
  const report = (success: boolean, assertionResults: object[]) => ({
    success,
    numPassedTests: assertionResults.length,
    testResults: [{ assertionResults }],
  });
  expect(collect(report(true, [passed, passed, { ...passed, status: 'skipped' }]))).toEqual({
    tests: 3,
    systems: [{ ...system, side: 'source', tests: 2 }],
    pairs: [],
    statements: [],
  });
  expect(() => collect(report(false, [passed, { ...passed, fullName: 'b', status: 'failed' }]))).toThrow(/failed.*b/);
  expect(() => collect(report(true, [{ status: 'passed', fullName: 'c' }]))).toThrow(/what it proves/);
});
