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
   * The same rows for a target of the same family, if the source can print them; `rows` then costs nothing until it is
   * used, and is missing if the print is binary.
   */
  printed?: PrintedChunk;
  /** The last key read, or looked up; null if there are no more. */
  last: Key | null;
  /** Whether the snapshot saw what this transaction did. */
  sees(transaction: string): boolean;
  /** The end of the log, read after the snapshot: a stream past it has delivered all that the snapshot saw. */
  end: Position;
}

/**
 * The next rows of a range, or the rows of some keys, up to a number of bytes. `mayBeBinary`: the target columns have
 * the same types. `onlyKeys`: all other cells are UNCHANGED, and every key is looked up.
 */
export type Part =
  | { range: RangeMark; limit: number; mayBeBinary?: boolean }
  | { keys: readonly Key[]; onlyKeys?: boolean };

/** Conditions on rows in the source's own SQL, by `Table.id`; tables without one are carried whole. */
export type Filters = ReadonlyMap<string, string>;

/** The changes after a position, in commit order. */
export interface ChangeStream extends AsyncIterable<readonly Change[]> {
  /** The target holds everything up to here; the source may discard it. */
  acknowledge(position: Position): void;
  /** Ends the iteration and closes the connection. */
  close(): Promise<void>;
}

/** Reports a wait that may take long. */
export type TellWait = (sentence: string) => void;

/** What a source waits for as it includes tables. */
export interface Waiting {
  /** Ids of tables that took part before, so their writers need not be waited for. */
  carried?: ReadonlySet<string>;
  tell?: TellWait;
}

/** What a job does with its tables, as far as it determines the requirements. */
export interface SourceUse {
  filters?: Filters;
  /** Whether their changes are followed. Default true. */
  follows?: boolean;
  /** Whether what belongs to them is created at the target. Default false. */
  structure?: boolean;
}

/** A system that rows and changes are read from. Methods only throw EngineError. */
export interface Source {
  /** What stands in the way of this job, and what to do about it. */
  check(tables: readonly Table[], use?: SourceUse): Promise<Finding[]>;
  /**
   * Every table of these schemas (all if empty) with its size.
   * @param measures whether bytes are counted even if that takes long; otherwise they may be 0
   */
  catalog(schemas: readonly string[], measures?: boolean): Promise<(Table & { size: TableSize })[]>;
  /** The names of the same tables, which costs little. */
  names(schemas: readonly string[]): Promise<readonly Named[]>;
  /** What has these names and is not in the catalogue, such as “a view”, by table name. */
  namesakes(tables: readonly Named[]): Promise<ReadonlyMap<string, string>>;
  /**
   * The statements that create these tables, with these columns, at a target of the same family.
   * @param targets the target name of each table and column, in the same order
   * @param have what the target already has, by its own names
   * @param besideWriters whether rows are written while the tables get indexes and constraints; false if missing
   */
  structure(
    tables: readonly Table[],
    targets: readonly Table[],
    have: readonly Table[],
    besideWriters?: boolean,
  ): Promise<Statement[]>;
  /** The current catalogue entries of a job's tables, and of others with their names; none of those that are gone. */
  facts(job: string, tables: readonly Table[]): Promise<TableFacts[]>;
  /** Names what positions belong to: those of another incarnation mean nothing here, except with `sharedUntil`. */
  incarnation(): Promise<string>;
  /**
   * Up to where the source has everything that an earlier incarnation had, if it took that one's place; otherwise
   * undefined. Without this method it never does.
   */
  sharedUntil?(earlier: string): Promise<Position | undefined>;
  /**
   * Which positions after the stream's own the log does not contain, since the source lost its latest commits. Missing
   * if the source makes a commit durable before it is read.
   */
  lacks?(job: string, positions: readonly Position[]): Promise<Position[]>;
  /** Whether a sink's sign (`withSign`) is in the database that is read. */
  sees(sign: string): Promise<boolean>;
  /** Source tables that other jobs write into: the jobs by table name. Missing if no job can write. */
  writers?(job: string, tables: readonly Named[]): Promise<ReadonlyMap<string, string>>;
  /** The end of the log now. */
  now(): Promise<Position>;
  /** Creates what a stream needs (slot, publication, triggers) and returns its start; the same again if it exists. */
  reserve(job: string, tables: readonly Table[], tell?: TellWait): Promise<Position>;
  /**
   * Adds tables to what `reserve` created; never creates a new slot or log. What is read from them afterwards, together
   * with the stream, leaves nothing out.
   * @throws EngineError SLOT_MISSING or SETTING_MISSING if nothing was reserved
   */
  include(job: string, tables: readonly Table[], waiting?: Waiting): Promise<void>;
  /**
   * Stops following tables that are not carried and that following makes read-only: their changes are dropped anyway.
   * Missing if following keeps no one from writing.
   */
  letWrite?(job: string, carried: readonly Table[]): Promise<void>;
  /** Removes what `reserve` created; does nothing if it is gone. */
  release(job: string): Promise<void>;
  /** Bytes of log that the source keeps for this job; null if it cannot say. */
  retained(job: string): Promise<number | null>;
  /** Bytes that the source still writes before it discards this job's log; null if it sets no limit. */
  logRoom?(job: string): Promise<number | null>;
  /** Whether the stream delivers rows as they are when it reads them, not as a transaction left them. */
  readonly tellsNow?: true;
  /** If the source has no `judge`, the stream itself delivers a row outside its table's filter as deleted. */
  stream(job: string, from: Position, tables: readonly Table[], filters?: Filters): Promise<ChangeStream>;
  /**
   * Whether rows as delivered meet a condition; null if it needs a cell that is UNCHANGED.
   * @throws EngineError FILTER_REFUSED if it is not an immutable condition on the table's columns
   */
  judge?(table: Table, filter: string, rows: readonly Row[]): Promise<(boolean | null)[]>;
  /**
   * Holds the present moment of these tables: all later reads see it, until it is released or the source is closed.
   * @returns false if the source cannot do so without blocking its users
   */
  hold(tables: readonly Table[]): Promise<boolean>;
  /** Releases the held moment, so that users may alter its tables again. */
  letGo?(): Promise<void>;
  /** Cuts a table into at most `most` ranges of similar size; one open range if it is small. */
  ranges(table: Table, most: number): Promise<RangeMark[]>;
  /** Which transactions all later reads see. It opens no table, so it waits for no lock. */
  snapshot(): Promise<Pick<Chunk, 'sees'>>;
  /** @param filter rows that do not meet it are left out; @throws EngineError FILTER_REFUSED */
  read(table: Table, part: Part, filter?: string | null): Promise<Chunk>;
  /** All rows in one snapshot, for tables without a key. */
  readAll(table: Table, filter?: string | null): AsyncIterable<readonly Row[]>;
  close(): Promise<void>;
}
