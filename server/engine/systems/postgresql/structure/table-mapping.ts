import { otherName, quoteName } from '../../../sql/names.ts';
import type { Table } from '../../../table.ts';
import type { ColumnStructure, SequenceStructure, TableStructure } from './read-tables.ts';

/** One source table and what it becomes at the target. */
export interface TableMapping {
  source: TableStructure;
  target: Table;
  /** The same table at the target, if it exists. */
  have: Table | undefined;
  /** The target's column names by the source's. */
  names: ReadonlyMap<string, string>;
  isRenamed: boolean;
  /** Whether source columns are left out. */
  isPartial: boolean;
  /** IDs of all the job's tables: foreign keys to other tables are not replicated. */
  beside: ReadonlySet<string>;
  /**
   * Rows arrive meanwhile, so nothing may block writers for more than a moment; not possible for a partitioned table.
   */
  besideWriters: boolean;
}

export function targetName({ names }: TableMapping, column: string): string {
  return names.get(column) ?? column;
}

export function hasColumns({ names }: TableMapping, columns: readonly string[]): boolean {
  return columns.every((column) => names.has(column));
}

/** Expressions that call the source's own functions, or name renamed or omitted columns, would fail at the target. */
export function isCarried({ names }: TableMapping, { generated, calls, columns }: ColumnStructure): boolean {
  return !calls && (!generated || columns.every((name) => names.get(name) === name));
}

/**
 * The columns that the target gets: without generated ones whose expression it cannot have, since nothing would fill
 * them.
 */
export function wantedColumns(mapping: TableMapping): ColumnStructure[] {
  return mapping.source.columns.filter(
    (column) => mapping.names.has(column.name) && (!column.generated || isCarried(mapping, column)),
  );
}

/**
 * A sequence in its table's schema goes to the target table's schema. If the table is called otherwise there, so is a
 * sequence that it owns: under its own name, it may belong to the table that is called like the source's. One that other
 * columns of the job use as well keeps its name, so that all of them find it.
 */
export function sequenceName({ source, target, beside }: TableMapping, sequence: SequenceStructure): string {
  const { schema, name, owned, sharedBy } = sequence;
  const isAlone = owned && !sharedBy.some((table) => beside.has(table));
  const own = isAlone && target.name !== source.name ? otherName(target, name) : name;
  return `${quoteName(schema === source.schema ? target.schema : schema)}.${quoteName(own)}`;
}

/** The server's own text with the target's names for the columns that it lists in this order, in brackets. */
export function withTargetNames(mapping: TableMapping, text: string, columns: readonly string[]): string {
  if (!mapping.isRenamed) return text;
  let place = 0;
  return text.replace(/([(,] ?)?("(?:[^"]|"")*"|[^\s,()"]+)/g, (words, before: string | undefined, word: string) => {
    const column = columns[place];
    const name = word.startsWith('"') ? word.slice(1, -1).replaceAll('""', '"') : word;
    // Brackets also contain options, such as those of an operator class.
    if (before === undefined || name !== column) return words;
    place++;
    return `${before}${quoteName(targetName(mapping, column))}`;
  });
}
