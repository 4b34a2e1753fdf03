import { EngineError } from '../../errors.ts';
import type { Finding } from '../../finding.ts';
import type { Filters } from '../../source.ts';
import { type Table, tableName } from '../../table.ts';
import type { Session } from './connect.ts';
import { filterRefusal } from './filter.ts';
import { type Description, describe } from './tables.ts';

/** What prevents a job from reading these tables, and from following them if that is wanted. */
export function checkSource(session: Session, tables: readonly Table[], follows: boolean): Finding[] {
  return [
    encoding(session, 'source'),
    ...(follows ? [written] : []),
    ...tables.flatMap((table) => checkTable(session, table)),
  ];
}

/** SQLite has no log that can be read. */
const written: Finding = {
  type: 'BINLOG_EXISTENCE',
  side: 'source',
  result: 'warning',
  sentence:
    'To follow changes, the job writes to the source: it creates a table of its own there, and triggers on the tables that it follows, which record what changed. All of these are removed when the job is deleted.',
  needsConsent: true,
};

/** Text from UTF-16 databases would not arrive unchanged. */
export function encoding(session: Session, side: 'source' | 'target'): Finding {
  const [found] = session.row('PRAGMA encoding') ?? [];
  const isUtf8 = found === 'UTF-8';
  return {
    type: 'VERSION_COMPATIBILITY',
    side,
    result: isUtf8 ? 'passed' : 'fault',
    sentence: isUtf8
      ? 'Text is encoded in UTF-8.'
      : `Text is encoded in ${found}; only UTF-8 is supported. Dump the database and restore it into a new one.`,
  };
}

/** @throws EngineError ENCODING_NOT_SUPPORTED: UTF-16 bytes are usually valid UTF-8 too, but for different text */
export function assertUtf8(session: Session, side: 'source' | 'target'): void {
  const { result } = encoding(session, side);
  if (result === 'fault') throw new EngineError('ENCODING_NOT_SUPPORTED', { side });
}

/** What is wrong with these tables' row filters. */
export function filterFindings(tables: readonly Table[], filters: Filters): Finding[] {
  return tables.flatMap((table): Finding[] => {
    const condition = filters.get(table.id);
    if (condition === undefined) return [];
    const name = tableName(table);
    const common = { type: 'COLUMN_TYPE', side: 'source', table: name } as const;
    const refusal = filterRefusal(table, condition);
    if (refusal === undefined)
      return [{ ...common, result: 'passed', sentence: `The filter of ${name} is a condition on its columns.` }];
    return [{ ...common, result: 'fault', sentence: `The filter of ${name} is refused: ${refusal}` }];
  });
}

function checkTable(session: Session, table: Table): Finding[] {
  const name = tableName(table);
  const description = describe(session, table.name);
  if (!description) {
    return [
      {
        type: 'STRUCT_EXISTENCE',
        side: 'source',
        result: 'fault',
        sentence: `There is no table ${name}.`,
        table: name,
      },
    ];
  }
  return [key(description, name), ...collations(description, name)];
}

function key({ table, nullablePrimaryKey, comparedOtherwise }: Description, name: string): Finding {
  const common = { type: 'STRUCT_TABLE_PK', side: 'source', table: name } as const;
  if (table.key.length > 0) return { ...common, result: 'passed', sentence: `The table ${name} has a key.` };
  if (comparedOtherwise !== undefined)
    return {
      ...common,
      result: 'warning',
      sentence: `The key of ${name} compares ${comparedOtherwise} by another collation than its column declares, so a condition on the column does not find its rows: the table can be copied but not followed. Declare the same collation for both.`,
    };
  return {
    ...common,
    result: 'warning',
    sentence: nullablePrimaryKey
      ? `The primary key of ${name} allows NULL, so it does not identify rows: the table can be copied but not followed. Make its columns NOT NULL.`
      : `The table ${name} has no key: it can be copied but not followed. Give it a primary key, or a unique index on NOT NULL columns.`,
  };
}

function collations({ unique, table }: Description, name: string): Finding[] {
  const foreign = unique
    .flatMap(({ columns }) => columns.map(({ collation }) => collation.toUpperCase()))
    .filter((collation) => !['BINARY', 'NOCASE', 'RTRIM'].includes(collation));
  if (foreign.length === 0 || table.key.length === 0) return [];
  return [
    {
      type: 'COLUMN_TYPE',
      side: 'source',
      result: 'fault',
      sentence: `A unique index of ${name} uses the collation ${foreign[0]}, which only the application knows.`,
      table: name,
    },
  ];
}
