import type { Finding } from '../../finding.ts';
import { quoteName } from '../../sql/names.ts';
import { type Table, tableName } from '../../table.ts';
import { computedColumn } from '../computed-column.ts';
import { encoding } from './check-source.ts';
import type { Session } from './connect.ts';
import { comparedOtherwise, converts, type Description, describe } from './tables.ts';
import { foreignTriggers } from './triggers.ts';

/** What prevents a job from writing to these tables. */
export function checkTarget(session: Session, tables: readonly Table[]): Finding[] {
  return [encoding(session, 'target'), ...tables.flatMap((table) => checkTable(session, table))];
}

function checkTable(session: Session, table: Table): Finding[] {
  const name = tableName(table);
  const description = describe(session, table.name);
  const about = { side: 'target', table: name } as const;
  if (!description) {
    return [{ ...about, type: 'STRUCT_EXISTENCE', result: 'fault', sentence: `The target has no table ${name}.` }];
  }
  return [
    ...columns(table, description, about),
    ...key(table, description, about),
    ...collations(table, description, about),
    ...affinities(table, description, about),
    ...triggers(session, table, about),
  ];
}

type About = Pick<Finding, 'side'> & { side: 'target'; table: string };

function columns(table: Table, { table: there }: Description, about: About): Finding[] {
  const missing = table.columns.filter(({ name }) => !there.columns.some((column) => column.name === name));
  return missing.map(({ name, generated }) => ({
    ...about,
    type: 'STRUCT_EXISTENCE',
    result: generated ? 'warning' : 'fault',
    sentence: `The target table ${about.table} has no column ${name}${generated ? ', which the source computes: it is left out' : ''}.`,
  }));
}

/** Rows are found by the source's key, so the target needs a unique index on exactly these columns. */
function key(table: Table, { table: there, unique, collations: own }: Description, about: About): Finding[] {
  if (table.key.length === 0) return [];
  const wanted = table.key.map((column) => table.columns[column]?.name ?? '');
  const keys = [
    there.key.map((column) => there.columns[column]?.name ?? ''),
    ...unique
      // A row is found by a condition on its columns, which must match the row that the index finds.
      .filter((index) => !index.partial && comparedOtherwise(index, own) === undefined)
      .map((index) => index.columns.map(({ name }) => name ?? '')),
  ];
  const fits = keys.some((names) => names.length === wanted.length && wanted.every((name) => names.includes(name)));
  if (fits) return [];
  return [
    {
      ...about,
      type: 'STRUCT_TABLE_PK',
      result: 'fault',
      sentence: `The target table ${about.table} has no unique index on the source's key: ${wanted.join(', ')}.`,
    },
  ];
}

/**
 * Values that a unique index of the target treats as equal must be equal at the source, or rows would replace each
 * other.
 */
function collations(table: Table, { table: there }: Description, about: About): Finding[] {
  const nameOf = (column: number, { columns: own }: Table) => own[column]?.name ?? '';
  const declared = new Set(
    (table.uniques ?? []).flat().map(({ column, collation }) => `${nameOf(column, table)} ${collation}`),
  );
  const coarse = (there.uniques ?? []).flat().filter(({ column, collation }) => {
    return collation !== 'BINARY' && !declared.has(`${nameOf(column, there)} ${collation}`);
  });
  const found = new Map(coarse.map(({ column, collation }) => [nameOf(column, there), collation]));
  return [...found].map(([name, collation]) => ({
    ...about,
    type: 'COLUMN_TYPE',
    result: 'fault',
    sentence: `A unique index of the target table ${about.table} compares ${name} by ${collation} and none at the source does: rows that differ at the source would become one row there. Declare the index or the column with COLLATE BINARY.`,
  }));
}

/** Key columns are left out: for those, the job itself refuses the table. */
function affinities(table: Table, { table: there }: Description, about: About): Finding[] {
  return table.columns.flatMap((from, place): Finding[] => {
    const { name, type, generated } = from;
    const column = there.columns.find((one) => one.name === name);
    if (column?.generated && !generated) return [computedColumn(about.table, name)];
    if (!column || generated || table.key.includes(place) || !converts(from, column)) return [];
    return [
      {
        ...about,
        type: 'COLUMN_TYPE',
        result: 'fault',
        sentence: `The column ${name} of ${about.table} is declared ${column.type || 'without a type'} at the target and ${type || 'without a type'} at the source: SQLite would convert values as it stores them ('01' to 1, or 1 to '1'). Give it the type that it has at the source.`,
      },
    ];
  });
}

/** No SQLite setting disables other people's triggers. */
function triggers(session: Session, table: Table, about: About): Finding[] {
  return foreignTriggers(session, table).map((name) => ({
    ...about,
    type: 'STRUCT_EXISTENCE',
    result: 'fault',
    sentence: `The trigger ${name} of the target table ${about.table} would act on replicated rows, and SQLite cannot disable it.`,
    sql: `DROP TRIGGER ${quoteName(name)}`,
  }));
}
