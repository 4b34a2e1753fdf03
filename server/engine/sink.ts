import type { Met, Parks, Refused, TableBatch } from './batch.ts';
import type { Key, Row } from './change.ts';
import type { EnumFacts } from './facts.ts';
import type { Finding } from './finding.ts';
import type { Mark, MarkUpdate, ParkedRow, ParkedUpdate, RangeMark } from './mark.ts';
import type { PrintedRows } from './printed.ts';
import type { Column, Table } from './table.ts';

/** An object in the target database other than a table. */
export interface DatabaseObject {
  /** `validated`: a constraint that all rows are known to meet. */
  kind: 'schema' | 'extension' | 'type' | 'collation' | 'constraint' | 'validated';
  schema: string;
  /** For a constraint. */
  table?: string;
  name: string;
}

/** The text of a statement. */
export interface StatementText {
  sql: string;
  /** The same in parts, each run on its own: in one transaction they would keep writers waiting. */
  steps?: readonly string[];
}

/** One statement that creates structure at the target. */
export interface Statement extends StatementText {
  kind: 'schema' | 'type' | 'table' | 'partition' | 'key' | 'column' | 'index' | 'check' | 'foreign-key' | 'sequence';
  /** Before the copy, or after the tables have caught up. */
  phase: 'before' | 'after';
  /** The target table that it concerns, or the partition that it creates, as people read it. */
  table: string;
  /** The table that a partition belongs to. */
  root?: string;
  /** Whether the target already has it; it is then not run. */
  exists: boolean;
  /** What it creates, if the target's tables do not show whether that exists. */
  makes?: DatabaseObject;
  /** How the type or the object fits, if not exactly. */
  note?: string;
  /** Why the target cannot have it, if that is known before it is run; it is then not run. */
  lacks?: string;
  /** What it creates has a schema-wide name, which another object may have. */
  named?: {
    schema: string;
    table: string;
    name: string;
    /** The definition of an index with that name that counts as the same; any index of the table does if missing. */
    definition?: string;
    /** A constraint whose index may exist without it. */
    isConstraint?: boolean;
    /** The same statement under a name that includes the table's too. */
    otherwise: StatementText;
  };
}

/** A chunk on its way into the target. */
export interface Load {
  table: Table;
  rows: readonly Row[];
  /** Keys deleted before the rows are written: rereads that found nothing. */
  absent: readonly Key[];
  /** A resync: target rows of this part that `rows` lacks are deleted, except `keep`; see `replacedPart`. */
  replace: { range: RangeMark; upTo: Key | null; keep: readonly Key[] } | null;
  /** What happens to rows that exist before the first chunk: kept, or replaced. */
  conflict: 'replace' | 'ignore';
  /** If missing, one refused row fails the chunk. */
  parks?: Parks;
}

/** A table by its name only. */
export type Named = Pick<Table, 'schema' | 'name'>;

/** A parked row as its owner sees it; the key is shown to no one else, and is in no log. */
export interface ShownParkedRow extends Omit<ParkedRow, 'key'> {
  /** The cells of the key as people write them. */
  key: readonly string[];
}

/** The same as the source printed it; `columns` are places in the target table, and `rows` are added to it. */
export type PrintedLoad = Load & { printed: PrintedRows };

/**
 * What a load makes a sink delete. A part is cut in the source's order: a target that sorts keys differently has other
 * rows between its bounds, so such a table is only replaced as a whole.
 */
export function replacedPart({ table, replace }: Pick<Load, 'table' | 'replace'>): Load['replace'] {
  if (!replace || table.ordered) return replace;
  const { range, upTo } = replace;
  return range.from === null && range.to === null && range.after === null && upTo === null ? replace : null;
}

/** What a target table needs to continue with an altered source. */
export interface Alteration {
  /** Columns with the types that they get. */
  widened: readonly Column[];
  /** Columns that rows no longer have: they accept NULL. */
  untold: readonly string[];
}

/**
 * The result of an alteration; `needless`: the target already has it; `refused`: the target does not accept it, since a
 * type is not narrower, a column belongs to a key, or a privilege is missing.
 */
export type Altered = 'done' | 'needless' | 'refused';

/** What to store with the mark for what came up at a target. */
export type Settle = (met: Met) => Pick<MarkUpdate, 'rereads' | 'parked'>;

/** The same for a chunk, whose rows are whole. */
export type ParkedOf = (refused: readonly Refused[]) => ParkedUpdate[];

/** What a table is now, as far as that is quick to find out. */
export interface Standing {
  /** `Table.id`. */
  id: string;
  /** By column name. */
  types: Readonly<Record<string, string>>;
  /** A trigger or rule that would alter rows that are written to it. */
  altering: string | null;
}

/** A system that rows are written to. Methods only throw EngineError. */
export interface Sink {
  /** `atomic`: rows and mark commit together. */
  delivery: 'atomic' | 'idempotent' | 'append';
  /**
   * What stands in the way of writing to these tables, and what to do about it.
   * @param creates tables that the job will create
   */
  check(tables: readonly Table[], creates?: readonly Named[]): Promise<Finding[]>;
  /** Runs work while the database has a sign in it: a source that sees it reads what this sink writes. */
  withSign<T>(work: (sign: string) => Promise<T>): Promise<T>;
  catalog(schemas: readonly string[]): Promise<Table[]>;
  /** What has these names and is not in the catalogue, such as “a view”, by table name. */
  namesakes(tables: readonly Named[]): Promise<ReadonlyMap<string, string>>;
  /**
   * Which of these statements create what the target already has, besides what its tables show.
   * @param lock whether to wait (the default) for a table that another session has locked, or to leave its indexes out:
   *   they then count as missing
   */
  findMade(statements: readonly Statement[], lock?: 'wait' | 'leave-out'): Promise<boolean[]>;
  /** @returns whether it changed anything */
  run(statement: Statement): Promise<boolean>;
  /**
   * Whether a column silently rounds, cuts or converts values of a source column. Missing if no type does so.
   * @param isKey whether its values tell rows apart
   */
  altersValues?(from: Column, to: Column, isKey: boolean): boolean;
  /** Whether the target's triggers and foreign keys are disabled while the job writes. Missing if always so. */
  rests?(): Promise<boolean>;
  alter(table: Table, alteration: Alteration): Promise<Altered>;
  /** Whether any row has a value in these columns, if quick to find out. Missing if columns cannot be added. */
  hasValues?(table: Named, columns: readonly string[]): Promise<boolean>;
  /** Adds enum labels that the target lacks, in this order. @returns how many; fewer if a privilege is missing */
  addLabels(enums: readonly EnumFacts[]): Promise<number>;
  /** Target tables that other jobs write into: the jobs by table name. */
  taken(job: string, tables: readonly Named[]): Promise<ReadonlyMap<string, string>>;
  /** Whether a job follows this target table as its source. Missing if none can. */
  follows?(job: string, table: Named): Promise<boolean>;
  /** Records that the job writes into these tables only, from now on. @returns those of them that are taken */
  claim(job: string, tables: readonly Named[]): Promise<ReadonlyMap<string, string>>;
  /** Takes over the job: raises the epoch by one, after a commit of the process before. Only this returns the mark. */
  takeOver(job: string): Promise<Mark>;
  /**
   * Writes rows and mark in one transaction.
   * @param parkedOf gets the refused rows before the mark is written; what it returns is stored with the mark
   * @throws EngineError EPOCH_LOST if another process took over the job
   */
  load(load: Load, mark: MarkUpdate, parkedOf?: ParkedOf): Promise<void>;
  /** The same for rows that a source of the same family printed. @param mark is called once the rows are written */
  loadPrinted?(load: PrintedLoad, mark: () => Promise<MarkUpdate>): Promise<void>;
  /**
   * Deletes rows that hold a unique value of one of these rows and have another key: while a table is copied, the two
   * sides are of different moments. Writes the mark in the same transaction, or nothing if no row was in the way.
   * @param markOf gets the keys of the deleted rows, which must be reread; it may be called more than once
   * @returns those keys
   */
  evict(table: Table, rows: readonly Row[], markOf: (evicted: readonly Key[]) => MarkUpdate): Promise<Key[]>;
  /** Empties a table and fills it in one transaction, for tables without a key. @returns the number of rows */
  fill(table: Table, rows: AsyncIterable<readonly Row[]>, mark: MarkUpdate): Promise<number>;
  /**
   * Writes changes and mark in one transaction.
   * @param settle gets, before the mark is written, the rows that the target lacks for `update` actions and for `move`
   * actions with UNCHANGED cells, and the rows that it refused; what it returns is stored with the mark. It may be
   * called more than once, and the last call counts; if it throws, the transaction is rolled back
   */
  apply(batches: readonly TableBatch[], mark: MarkUpdate, settle: Settle): Promise<void>;
  /**
   * Keys of the target rows in the target's own order, at most `limit` of them; fewer are the last.
   * @param after the last key of the previous call
   */
  keys(table: Table, after: Key | null, limit: number): Promise<Key[]>;
  /**
   * Parked rows of a table by number, as people read them; none if nothing is stored for the job.
   * @param table `Table.id` at the source
   * @param after the last number of the previous call, 0 at first
   */
  parked(job: string, table: string, after: number, limit: number): Promise<ShownParkedRow[]>;
  /**
   * Names of the files that hold the rows of tables, by `Table.id`: a table that is recreated, emptied as a whole or
   * rewritten gets others. Missing if the system cannot tell.
   */
  files?(tables: readonly string[]): Promise<ReadonlyMap<string, string[]>>;
  /** What those of these tables that exist are now, by name. Missing if an id is no more than a name. */
  standing?(tables: readonly Named[]): Promise<ReadonlyMap<string, Standing>>;
  /** Only writes the mark, as for an idle source. */
  write(mark: MarkUpdate): Promise<void>;
  /** Removes everything that the job keeps at the target except its rows. */
  forget(job: string): Promise<void>;
  close(): Promise<void>;
}
