import type { Change, Key, Row } from './change.ts';
import type { TableFacts } from './facts.ts';
import type { Finding } from './finding.ts';
import type { RangeMark } from './mark.ts';
import type { Position } from './position.ts';
import type { PrintedChunk } from './printed.ts';
import type { Named, Statement } from './sink.ts';
import type { Table, TableSize } from './table.ts';

/** Rows of a table as one snapshot saw them. */
export interface Chunk {
  rows: readonly Row[];
  /**
   * The same rows for a target of the same family, where the source can print them; `rows` costs nothing until it is used
   * then, and is not there where the print is binary.
   */
  printed?: PrintedChunk;
  /** The last key read; null when the range has no more rows. */
  last: Key | null;
  /** Whether the snapshot saw what this transaction did. */
  sees(transaction: string): boolean;
  /** The end of the source's log, asked after the snapshot was taken: a stream that has passed it told all that the snapshot saw. */
  end: Position;
}

/** What to read: the next rows of a range, or the rows of some keys. `mayBeBinary`: they go as they are to columns of the same types. */
export type Part = { range: RangeMark; limit: number; mayBeBinary?: boolean } | { keys: readonly Key[] };

/** Conditions on rows in the source's own SQL, by `Table.id`; tables without one are carried whole. */
export type Filters = ReadonlyMap<string, string>;

/** The changes after a position, in the order of their commits. */
export interface ChangeStream extends AsyncIterable<readonly Change[]> {
  /** The target holds everything up to here; the source may forget it. */
  acknowledge(position: Position): void;
  /** Ends the iteration and closes the connection. */
  close(): Promise<void>;
}

/** Tells people what is waited for that may take long. */
export type TellWait = (sentence: string) => void;

/** Whom a source waits for as it takes tables in. */
export interface Waiting {
  /** Ids of tables that took part before, so that nobody is waited for on their account. */
  carried?: ReadonlySet<string>;
  tell?: TellWait;
}

/** What a job does with its tables, as far as it decides what has to be there. */
export interface SourceUse {
  filters?: Filters;
  /** Whether their changes are followed. Default true. */
  follows?: boolean;
}

/** A system that rows and changes are read from. Methods throw EngineError alone. */
export interface Source {
  /** What stands in the way of this job, and what to do about it. */
  check(tables: readonly Table[], use?: SourceUse): Promise<Finding[]>;
  /** Every table of these schemas (all where empty) with its size. */
  catalog(schemas: readonly string[]): Promise<(Table & { size: TableSize })[]>;
  /**
   * The statements that make these tables at a target of the same family, with these of their columns.
   * @param targets the target's name of each table and column, in the same order
   * @param have what the target has already, by its own names
   * @param besideWriters whether rows come into the tables while they get their indexes and constraints; false where it is left out
   */
  structure(
    tables: readonly Table[],
    targets: readonly Table[],
    have: readonly Table[],
    besideWriters?: boolean,
  ): Promise<Statement[]>;
  /** What the catalogue says of these tables of a job now, and of others that have their names; those that are gone are left out. */
  facts(job: string, tables: readonly Table[]): Promise<TableFacts[]>;
  /** Names what the positions belong to: another incarnation's positions mean nothing here, except those of `sharedUntil`. */
  incarnation(): Promise<string>;
  /**
   * Up to where the source has everything that an earlier incarnation had, which it took the place of; undefined where it
   * did not, and without this method it never does.
   */
  sharedUntil?(earlier: string): Promise<Position | undefined>;
  /** Whether the sign of a sink (`withSign`) is in the database that is read. */
  sees(sign: string): Promise<boolean>;
  /** Tables of the source that other jobs write into, by their names: the jobs. Missing where no job can write. */
  writers?(job: string, tables: readonly Named[]): Promise<ReadonlyMap<string, string>>;
  /** The end of the log now. */
  now(): Promise<Position>;
  /** Makes what a stream needs (slot, publication, triggers) and says where it begins; the same again where it exists. */
  reserve(job: string, tables: readonly Table[], tell?: TellWait): Promise<Position>;
  /**
   * Takes tables into what `reserve` made, beside those that are there; never makes a new slot or log. What is read of
   * them afterwards, and what the stream tells, leave nothing out.
   * @throws EngineError SLOT_MISSING or SETTING_MISSING where nothing was reserved
   */
  include(job: string, tables: readonly Table[], waiting?: Waiting): Promise<void>;
  /**
   * Tells no more of tables that nobody could write while it does, besides those that are carried: their changes are left
   * out anyway. Left out where following keeps nobody from writing.
   */
  letWrite?(job: string, carried: readonly Table[]): Promise<void>;
  /** Removes what `reserve` made; nothing where it is gone. */
  release(job: string): Promise<void>;
  /** Bytes of log that the source keeps for this job; null where it cannot say. */
  retained(job: string): Promise<number | null>;
  /** Bytes that the source still writes before it gives the log of this job up; null where it sets no limit. */
  logRoom?(job: string): Promise<number | null>;
  /** Whether the stream tells rows as they are by the time it reads them, and not as a transaction left them. */
  readonly tellsNow?: true;
  /** Where the source has no `judge`, the stream itself tells a row outside of its table's filter as deleted. */
  stream(job: string, from: Position, tables: readonly Table[], filters?: Filters): Promise<ChangeStream>;
  /**
   * Whether rows as the stream told them meet a condition; null where it needs a cell that was not told.
   * @throws EngineError FILTER_REFUSED where it is no immutable condition on columns of the table
   */
  judge?(table: Table, filter: string, rows: readonly Row[]): Promise<(boolean | null)[]>;
  /**
   * Keeps the present moment of these tables: all that is read from now on is of it, until it is let go or the source is closed.
   * @returns false where the source cannot without standing in the way of its users
   */
  hold(tables: readonly Table[]): Promise<boolean>;
  /** Lets go of the moment that is kept, so that users may alter its tables again. */
  letGo?(): Promise<void>;
  /** Cuts a table into at most `most` ranges of similar size; one open range where it is small. */
  ranges(table: Table, most: number): Promise<RangeMark[]>;
  /** Which transactions everybody who reads from now on sees. No table is opened for it, so that no lock is waited for. */
  snapshot(): Promise<Pick<Chunk, 'sees'>>;
  /** @param filter rows that do not meet it are left out; @throws EngineError FILTER_REFUSED */
  read(table: Table, part: Part, filter?: string | null): Promise<Chunk>;
  /** All rows in one snapshot, for tables without key. */
  readAll(table: Table, filter?: string | null): AsyncIterable<readonly Row[]>;
  close(): Promise<void>;
}
