import { describe, expect, test } from 'vitest';
import { type Catalogue, type Connector, type ConnectorLabel, countsOf, pairLabel } from './catalogue.ts';

const connector = (id: string, label: ConnectorLabel, family?: string): Connector => ({
  id,
  name: id,
  kind: 'k',
  description: '',
  versions: [],
  label,
  ...(family !== undefined && { family }),
  tested: [],
  targets: [],
  sources: [],
});
const postgresql = connector('postgresql', 'tested', 'postgresql');
const sqlite = connector('sqlite', 'tested', 'sqlite');
const aurora = connector('aurora', 'compatible', 'postgresql');
const mysql = connector('mysql', 'planned');
const greenplum = connector('greenplum', 'planned', 'postgresql');

const catalogue: Catalogue = {
  kinds: [],
  connectors: [postgresql, sqlite, aurora, mysql, greenplum],
  functions: { 'mysql>postgresql': ['full'] },
  proved: {
    'postgresql>postgresql': {
      functions: ['full', 'incremental'],
      releases: [
        ['15', '15'],
        ['15', '18'],
      ],
    },
    'sqlite>postgresql': { functions: ['full'], releases: [['3', '15']] },
  },
};

describe('a pair', () => {
  test.each([
    [postgresql, postgresql, 'tested'],
    [sqlite, postgresql, 'tested'],
    // Proved in one direction only.
    [postgresql, sqlite, 'planned'],
    [aurora, postgresql, 'compatible'],
    [postgresql, aurora, 'compatible'],
    [aurora, aurora, 'compatible'],
    [aurora, sqlite, 'planned'],
    [mysql, postgresql, 'planned'],
    [mysql, mysql, 'planned'],
    // Its family does not bring it into this release.
    [greenplum, postgresql, 'planned'],
    [postgresql, greenplum, 'planned'],
  ] as const)('of $0.id and $1.id is $2', (source, target, label) => {
    expect(pairLabel(catalogue, source, target)).toBe(label);
  });
});

test('planned systems are not counted; pairs are counted by release, systems once per side', () => {
  expect(countsOf(catalogue)).toEqual({ connectors: 2, compatible: 1, sources: 2, targets: 1, pairs: 3 });
  expect(countsOf({ ...catalogue, proved: {}, connectors: [mysql] })).toEqual({
    connectors: 0,
    compatible: 0,
    sources: 0,
    targets: 0,
    pairs: 0,
  });
});
