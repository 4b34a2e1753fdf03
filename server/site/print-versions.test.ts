import { expect, test } from 'vitest';
import type { Connector } from '../../client/contract/catalogue.ts';
import { versionsTable } from './print-versions.ts';

const connector = (id: string, more: Partial<Connector>): Connector => ({
  id,
  name: id.toUpperCase(),
  kind: 'k',
  description: '',
  versions: [],
  label: 'planned',
  tested: [],
  targets: [],
  sources: [],
  ...more,
});

test('the table lists tested and compatible connectors, but no planned ones', () => {
  const catalogue = {
    kinds: [],
    functions: {},
    connectors: [
      connector('a', { label: 'tested', family: 'a', tested: ['1', '2'] }),
      connector('b', { label: 'compatible', family: 'a', tested: ['1', '2'] }),
      connector('c', {}),
    ],
    proved: { 'a>a': { functions: [], releases: [['1', '1'] as [string, string], ['1', '2'] as [string, string]] } },
  };
  expect(versionsTable(catalogue).split('\n')).toEqual([
    '| System | Label | Versions | Pairs |',
    '| --- | --- | --- | --- |',
    '| A | tested | `1`, `2` | A 1 → A 1<br>A 1 → A 2 |',
    '| B | compatible | `1`, `2` | not run by us |',
  ]);
  expect(versionsTable({ ...catalogue, connectors: [connector('c', {})] })).toMatch(/^No test has run/);
});
