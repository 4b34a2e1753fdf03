import type { Met, Parks, Refused, TableBatch } from './batch.ts';
import type { Key, Row } from './change.ts';
import type { EnumFacts } from './facts.ts';
import type { Finding } from './finding.ts';
import type { Mark, MarkUpdate, ParkedRow, ParkedUpdate, RangeMark } from './mark.ts';
import type { PrintedRows } from './printed.ts';
import type { Column, Table } from './table.ts';

/** An object of the target's database that is no table. */
export interface DatabaseObject {
  /** `validated`: a constraint that all rows are known to meet. */
  kind: 'schema' | 'extension' | 'type' | 'collation' | 'constraint' | 'validated';
  schema: string;
  /** Of a constraint. */
  table?: string;
  name: string;
}

/** The text of a statement. */
export interface StatementText {
  sql: string;
  /** The same in parts, each run on its own: in one transaction they would keep writers waiting. */
  steps?: readonly string[];
}

/** One statement that makes structure at the target. */
export interface Statement extends StatementText {
  kind: 'schema' | 'type' | 'table' | 'partition' | 'key' | 'column' | 'index' | 'check' | 'foreign-key' | 'sequence';
  /** Before the copy, or after the tables have caught up. */
  phase: 'before' | 'after';
  /** The target table that it concerns, or the partition that it makes, as people read it. */
  table: string;
  /** The table that a partition is of. */
  root?: string;
  /** Whether the target already has it; it is not run then. */
  exists: boolean;
  /** What it makes, where the target's tables do not tell whether that is there. */
  makes?: DatabaseObject;
  /** How the type or the object fits, where it is not exact. */
  note?: string;
  /** What it makes has a name of the whole schema, which something else may have. */
  named?: {
    schema: string;
    table: string;
    name: string;
    /** What an index of that name has to be to be the same one; any of the table is where it is left out. */
    definition?: string;
    /** A constraint whose index may be there without it. */
    isConstraint?: boolean;
    /** The same statement under a name that is made of the table's too. */
    otherwise: StatementText;
  };
}

/** A chunk on its way into the target. */
export interface Load {
  table: Table;
  rows: readonly Row[];
  /** Keys that are deleted before the rows are written: rereads that found nothing. */
  absent: readonly Key[];
  /** A resync: target rows of this part that `rows` lacks are deleted, except `keep`; see `replacedPart`. */
  replace: { range: RangeMark; upTo: Key | null; keep: readonly Key[] } | null;
  /** Rows that are there already before the first chunk: kept, or replaced. */
  conflict: 'replace' | 'ignore';
  /** Left out: one refused row refuses the chunk. */
  parks?: Parks;
}

/** A table by its name alone. */
export type Named = Pick<Table, 'schema' | 'name'>;

/** A parked row as its owner sees it; nobody else, and no log, is told the key. */
export interface ShownParkedRow extends Omit<ParkedRow, 'key'> {
  /** The cells of the key as people write them. */
  key: readonly string[];
}

/** The same as the source printed it; `columns` are places in the target's table, and `rows` come besides. */
export type PrintedLoad = Load & { printed: PrintedRows };

/**
 * What a sink deletes by a load. A part is cut in the source's order: a target that sorts the keys otherwise has other
 * rows between its bounds, so that of such a table only the whole is replaced.
 */
export function replacedPart({ table, replace }: Pick<Load, 'table' | 'replace'>): Load['replace'] {
  if (!replace || table.ordered) return replace;
  const { range, upTo } = replace;
  return range.from === null && range.to === null && range.after === null && upTo === null ? replace : null;
}

/** What a table of the target needs to go on with an altered source. */
export interface Alteration {
  /** Columns with the types that they get. */
  widened: readonly Column[];
  /** Columns that rows do not tell any more: they take NULL. */
  untold: readonly string[];
}

/**
 * What became of an alteration; `needless`: the target is so already; `refused`: it does not take it, since a type is not
 * narrower, a column belongs to a key, or a right is missing.
 */
export type Altered = 'done' | 'needless' | 'refused';

/** What is stored with the mark of what a target met. */
export type Settle = (met: Met) => Pick<MarkUpdate, 'rereads' | 'parked'>;

/** The same of a chunk, whose rows are whole. */
export type ParkedOf = (refused: readonly Refused[]) => ParkedUpdate[];

/** What a table is now, as far as that is soon said. */
export interface Standing {
  /** `Table.id`. */
  id: string;
  /** By the names of its columns. */
  types: Readonly<Record<string, string>>;
}

/** A system that rows are written to. Methods throw EngineError alone. */
export interface Sink {
  /** `atomic`: rows and mark commit together. */
  delivery: 'atomic' | 'idempotent' | 'append';
  check(tables: readonly Table[]): Promise<Finding[]>;
  /** Runs work while the database has a sign in it: a source that sees it reads what this sink writes. */
  withSign<T>(work: (sign: string) => Promise<T>): Promise<T>;
  catalog(schemas: readonly string[]): Promise<Table[]>;
  /** Which of these statements make what the target has already, besides what its tables tell. */
  findMade(statements: readonly Statement[]): Promise<boolean[]>;
  /** @returns whether it changed anything */
  run(statement: Statement): Promise<boolean>;
  /** Whether a column takes values of one of the source only rounded, cut or converted, unsaid. Missing where no type does so. */
  altersValues?(from: Column, to: Column): boolean;
  /** Whether triggers and foreign keys of the target's tables rest while the job writes. Missing where they always do. */
  rests?(): Promise<boolean>;
  alter(table: Table, alteration: Alteration): Promise<Altered>;
  /** Whether any row of a table has a value in one of these columns, as far as that is soon said. Missing where columns cannot be added. */
  hasValues?(table: Named, columns: readonly string[]): Promise<boolean>;
  /** Adds labels that enums of the target lack, in this order. @returns how many; fewer than are missing where a right is */
  addLabels(enums: readonly EnumFacts[]): Promise<number>;
  /** Tables of the target that other jobs write into, by their names: the jobs. */
  taken(job: string, tables: readonly Named[]): Promise<ReadonlyMap<string, string>>;
  /** Whether a job follows this table of the target as its source. Missing where none can. */
  follows?(job: string, table: Named): Promise<boolean>;
  /** Notes that the job writes into these tables from now on, and into no others. @returns those of them that are taken */
  claim(job: string, tables: readonly Named[]): Promise<ReadonlyMap<string, string>>;
  /** Takes the job over: the epoch goes up by one, which waits for a commit of the process before; the mark comes from here alone. */
  takeOver(job: string): Promise<Mark>;
  /**
   * Rows and mark in one transaction.
   * @param parkedOf is told, before the mark is written, which rows were refused; what it answers is stored with the mark
   * @throws EngineError EPOCH_LOST when another process took the job over
   */
  load(load: Load, mark: MarkUpdate, parkedOf?: ParkedOf): Promise<void>;
  /** The same of rows that a source of the same family printed. @param mark is asked for once the rows are written */
  loadPrinted?(load: PrintedLoad, mark: () => Promise<MarkUpdate>): Promise<void>;
  /**
   * Deletes rows that hold a unique value of one of these rows and have another key: while a table is copied, the two
   * sides are of different moments. The mark is written in the same transaction, and nothing where no row was in the way.
   * @param markOf is told the keys of the deleted rows, which have to be read again; it may be asked more than once
   * @returns those keys
   */
  evict(table: Table, rows: readonly Row[], markOf: (evicted: readonly Key[]) => MarkUpdate): Promise<Key[]>;
  /** Empties a table and fills it in one transaction, for tables without key. @returns the number of rows */
  fill(table: Table, rows: AsyncIterable<readonly Row[]>, mark: MarkUpdate): Promise<number>;
  /**
   * Changes and mark in one transaction.
   * @param settle is told, before the mark is written, which rows the target lacks of the actions `update` and of the
   * actions `move` with untold cells, and which it refused; what it answers is stored with the mark. It may be asked
   * more than once, and the last time counts; what it throws undoes the transaction
   */
  apply(batches: readonly TableBatch[], mark: MarkUpdate, settle: Settle): Promise<void>;
  /**
   * Keys of the target's rows in its own order, at most `limit` of them; fewer are the last.
   * @param after the last key of the call before
   */
  keys(table: Table, after: Key | null, limit: number): Promise<Key[]>;
  /**
   * Parked rows of a table in the order of their numbers, as people read them; none where nothing is kept of the job.
   * @param table `Table.id` of the source
   * @param after the last number of the call before, 0 at first
   */
  parked(job: string, table: string, after: number, limit: number): Promise<ShownParkedRow[]>;
  /**
   * Names of the files that tables have their rows in, by `Table.id`: a table that is made again, or emptied as a whole,
   * gets others, and so does one that is written anew. Missing where the system cannot tell.
   */
  files?(tables: readonly string[]): Promise<ReadonlyMap<string, string[]>>;
  /** What those of these tables that are there are now, by their names. Missing where an id is no more than a name. */
  standing?(tables: readonly Named[]): Promise<ReadonlyMap<string, Standing>>;
  /** The mark alone, as an idle source needs it. */
  write(mark: MarkUpdate): Promise<void>;
  /** Removes everything that the job keeps at the target except its rows. */
  forget(job: string): Promise<void>;
  close(): Promise<void>;
}
