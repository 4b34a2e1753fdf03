import type pg from 'pg';
import type { Met, TableBatch } from '../../batch.ts';
import type { Key, Row } from '../../change.ts';
import { EngineError, isOfRow, isUniqueRefused } from '../../errors.ts';
import type { EnumFacts } from '../../facts.ts';
import type { Finding } from '../../finding.ts';
import { type Mark, type MarkUpdate, markedKey } from '../../mark.ts';
import type { Position } from '../../position.ts';
import type {
  Alteration,
  Altered,
  Load,
  Named,
  ParkedOf,
  PrintedLoad,
  Settle,
  ShownParkedRow,
  Sink,
  Standing,
  Statement,
} from '../../sink.ts';
import { type Column, type Table, tableName } from '../../table.ts';
import { addLabels, alterTable } from './alter.ts';
import { mayRest } from './altering.ts';
import { applyBatch } from './apply.ts';
import type { PostgresSettings } from './card.ts';
import { readCatalog } from './catalog.ts';
import { cellText } from './cells.ts';
import { checkTarget } from './check/check-target.ts';
import { claimTables, takenTables } from './claims.ts';
import { fitOf, isAltered } from './column-fit.ts';
import { rowError } from './errors.ts';
import { evictHolders } from './evict.ts';
import { findMade } from './existing-objects.ts';
import { hasValues } from './has-values.ts';
import { fillTable, loadChunk, readKeys } from './load.ts';
import { ownLogName } from './log-names.ts';
import { forget, readParked, takeOver, writeMark } from './mark.ts';
import { readNamesakes } from './namesakes.ts';
import { applyParking, loadParking } from './park.ts';
import { isPublished } from './publication.ts';
import { runStatement } from './run-statement.ts';
import { SameServer } from './same-server.ts';
import { askRow, Sessions } from './sessions.ts';
import { withSign } from './sign.ts';
import { readFiles, readStanding } from './target-files.ts';
import { readTargetTable, type TargetTable } from './target-table.ts';

const byKeyAlone = {
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  plan_cache_mode: 'force_generic_plan',
};

/** A PostgreSQL database as a target. @param signal ends every wait */
export function openPostgresSink(settings: PostgresSettings, signal: AbortSignal): Sink {
  return new PostgresSink(settings, signal);
}

class PostgresSink implements Sink {
  readonly delivery = 'atomic';
  readonly #sessions: Sessions;
  /** For batches: rows are found by the key's index, whatever the statistics of a table that has just grown say. */
  readonly #quick: Sessions;
  /** For an index on a large table, or all of its rows, which may take hours; waits for locks are not longer. */
  readonly #patient: Sessions;
  /** A new table version is a new object; forgotten after an error, and after a statement that may have altered it. */
  #tables = new WeakMap<Table, TargetTable>();
  /** Tables that already had rows of a chunk before it was loaded. */
  readonly #filled = new Set<string>();
  /** The position that this process wrote last, by job; and what an open transaction has written. */
  readonly #positions = new Map<string, Position>();
  readonly #written = new WeakMap<pg.ClientBase, MarkUpdate>();
  #begin: string | undefined;

  constructor(settings: PostgresSettings, signal: AbortSignal) {
    // A mark describes rows on one server, and none of them may be lost in a crash.
    const server = new SameServer();
    const options = { side: 'target', signal, server, settings: { synchronous_commit: 'on' } } as const;
    this.#sessions = new Sessions(settings, options);
    this.#quick = new Sessions(settings, {
      ...options,
      pipeline: true,
      settings: { ...options.settings, ...byKeyAlone },
    });
    this.#patient = new Sessions(settings, { ...options, statementTimeout: 0 });
  }

  check(tables: readonly Table[], creates: readonly Named[] = []): Promise<Finding[]> {
    return this.#sessions.ask((session) => checkTarget(session, tables, creates));
  }

  withSign<T>(work: (sign: string) => Promise<T>): Promise<T> {
    return this.#sessions.use((session) => withSign(session, work));
  }

  catalog(schemas: readonly string[]): Promise<Table[]> {
    return this.#sessions.ask((session) => readCatalog(session, schemas));
  }

  namesakes(tables: readonly Named[]): Promise<ReadonlyMap<string, string>> {
    return this.#sessions.ask((session) => readNamesakes(session, tables));
  }

  findMade(statements: readonly Statement[], lock?: 'wait' | 'leave-out'): Promise<boolean[]> {
    return this.#sessions.ask((session) => findMade(session, statements, lock));
  }

  async run(statement: Statement): Promise<boolean> {
    try {
      return await this.#aside(statement.table, (session) => runStatement(session, statement));
    } catch (error) {
      throw isNotKnown(error) ? new EngineError('STRUCTURE_REFUSED', error.place, { cause: error }) : error;
    } finally {
      this.#tables = new WeakMap();
    }
  }

  /** Changes a table's structure or types, rather than its rows. */
  async #aside<T>(table: string, work: (session: pg.Client) => Promise<T>): Promise<T> {
    try {
      return await this.#patient.use(work, { table }).catch((error: unknown) => {
        // The other session has committed its change, so a second try meets it no more.
        if (!isOvertaken(error)) throw error;
        return this.#patient.use(work, { table });
      });
    } catch (error) {
      throw asLock(error);
    }
  }

  altersValues(from: Column, to: Column, isKey: boolean): boolean {
    return isAltered(fitOf(from, to), isKey);
  }

  rests(): Promise<boolean> {
    return this.#sessions.ask(isResting);
  }

  async alter(table: Table, alteration: Alteration): Promise<Altered> {
    const altered = await this.#aside(tableName(table), (session) => alterTable(session, table, alteration));
    this.#tables = new WeakMap();
    return altered;
  }

  hasValues(table: Named, columns: readonly string[]): Promise<boolean> {
    return this.#patient.use((session) => hasValues(session, table, columns));
  }

  addLabels(enums: readonly EnumFacts[]): Promise<number> {
    return this.#sessions.use((session) => addLabels(session, enums));
  }

  taken(job: string, tables: readonly Named[]): Promise<ReadonlyMap<string, string>> {
    return this.#sessions.ask((session) => takenTables(session, job, tables));
  }

  follows(job: string, table: Named): Promise<boolean> {
    return this.#sessions.ask((session) => isPublished(session, ownLogName(job), table));
  }

  claim(job: string, tables: readonly Named[]): Promise<ReadonlyMap<string, string>> {
    return this.#transaction((session) => claimTables(session, job, tables));
  }

  takeOver(job: string): Promise<Mark> {
    this.#positions.delete(job);
    return this.#transaction((session) => takeOver(session, job));
  }

  async load(load: Load, mark: MarkUpdate, parkedOf: ParkedOf = () => []): Promise<void> {
    try {
      await this.#transaction(async (session) => {
        await this.#about(session, load.table, async (target) => {
          const mayExist = this.#filled.has(load.table.id);
          if (await loadChunk(session, target, load, mayExist)) this.#filled.add(load.table.id);
        });
        await this.#writeMark(session, { ...mark, parked: parkedOf([]) });
      });
    } catch (error) {
      if (!load.parks || !isOfRow(error)) throw error;
      await this.#transaction(async (session) => {
        const refused = await this.#about(session, load.table, (target) => loadParking(session, target, load));
        await this.#writeMark(session, { ...mark, parked: parkedOf(refused) });
      });
    }
  }

  loadPrinted(load: PrintedLoad, mark: () => Promise<MarkUpdate>): Promise<void> {
    return this.#transaction(async (session) => {
      await this.#about(session, load.table, async (target) => {
        const mayExist = this.#filled.has(load.table.id);
        if (await loadChunk(session, target, load, mayExist)) this.#filled.add(load.table.id);
      });
      await this.#writeMark(session, await mark());
    });
  }

  async evict(table: Table, rows: readonly Row[], markOf: (evicted: readonly Key[]) => MarkUpdate): Promise<Key[]> {
    return await this.#transaction(async (session) => {
      const keys = await this.#about(session, table, (target) => evictHolders(session, target, rows));
      if (keys.length > 0) await this.#writeMark(session, markOf(keys));
      return keys;
    });
  }

  fill(table: Table, rows: AsyncIterable<readonly Row[]>, mark: MarkUpdate): Promise<number> {
    return this.#transaction(async (session) => {
      const count = await this.#about(session, table, (target) => fillTable(session, target, rows));
      await this.#writeMark(session, mark);
      return count;
    }, this.#patient);
  }

  async apply(batches: readonly TableBatch[], mark: MarkUpdate, settle: Settle): Promise<void> {
    try {
      await this.#apply(batches, mark, settle, applyWhole);
    } catch (error) {
      // What was read of the table may be outdated, and has been forgotten by now.
      if (isOfKey(error) || isReferenced(error, batches)) return await this.#apply(batches, mark, settle, applyWhole);
      if (!isOfRow(error)) throw error;
      // Savepoints cost a round trip to the server, so only batches that need them have them.
      if (batches.some(({ parks }) => parks)) await this.#apply(batches, mark, settle, applyParking);
      // A unique index may have been created since the table was read; then the order of the log matters.
      else if (isUniqueRefused(error)) await this.#apply(batches, mark, settle, applyWhole);
      else throw error;
    }
  }

  #apply(batches: readonly TableBatch[], mark: MarkUpdate, settle: Settle, apply: typeof applyParking): Promise<void> {
    return this.#transaction(async (session) => {
      const met = await this.#applyTables(session, batches, apply);
      const missing = met.flatMap((one) => one.missing);
      const refused = met.flatMap((one) => one.refused);
      await this.#writeMark(session, { ...mark, ...settle({ missing, refused }) });
    }, this.#quick);
  }

  /**
   * Tables do not wait for each other's answers, except those that may have to roll back to a savepoint, which would
   * undo the others, or that are emptied, which may take longer than statements that wait behind it may. The definitions
   * of all tables are read first.
   */
  async #applyTables(
    session: pg.ClientBase,
    batches: readonly TableBatch[],
    apply: typeof applyParking,
  ): Promise<Met[]> {
    const looked = await inOneGo(
      batches.map((batch) => this.#about(session, batch.table, async (target): Promise<Looked> => ({ batch, target }))),
    );
    const isAlone = ({ batch, target }: Looked) => apply !== applyWhole || target.hasFurtherUnique || batch.truncate;
    const applyOne = ({ batch, target }: Looked) => toldOf(batch.table, apply(session, target, batch));
    const met = await inOneGo(looked.filter((one) => !isAlone(one)).map(applyOne));
    for (const one of looked.filter(isAlone)) met.push(await applyOne(one));
    return met;
  }

  keys(table: Table, after: Key | null, limit: number): Promise<Key[]> {
    return this.#sessions.use((session) =>
      this.#about(session, table, (target) => readKeys(session, target, after, limit)),
    );
  }

  async parked(job: string, table: string, after: number, limit: number): Promise<ShownParkedRow[]> {
    const rows = await this.#sessions.use((session) => readParked(session, job, table, after, limit));
    return rows.map((row) => ({ ...row, key: markedKey(row.key).map((cell) => cellText(cell) ?? '') }));
  }

  files(tables: readonly string[]): Promise<ReadonlyMap<string, string[]>> {
    return this.#sessions.ask((session) => readFiles(session, tables));
  }

  standing(tables: readonly Named[]): Promise<ReadonlyMap<string, Standing>> {
    return this.#sessions.ask((session) => readStanding(session, tables));
  }

  write(mark: MarkUpdate): Promise<void> {
    return this.#transaction((session) => this.#writeMark(session, mark), this.#quick);
  }

  forget(job: string): Promise<void> {
    return this.#transaction((session) => forget(session, job));
  }

  async close(): Promise<void> {
    await Promise.all([this.#sessions.close(), this.#quick.close(), this.#patient.close()]);
  }

  #transaction<T>(work: (session: pg.ClientBase) => Promise<T>, sessions = this.#sessions): Promise<T> {
    return sessions.use(async (session) => {
      this.#begin ??= await beginStatement(session);
      await session.query(this.#begin);
      try {
        const result = await work(session);
        await session.query('COMMIT');
        const written = this.#written.get(session);
        this.#written.delete(session);
        if (written?.position) this.#positions.set(written.job, written.position);
        return result;
      } catch (error) {
        // The session is closed, which rolls back; outdated knowledge of a table may be the cause.
        this.#tables = new WeakMap();
        throw asLock(error);
      }
    });
  }

  #writeMark(session: pg.ClientBase, mark: MarkUpdate): Promise<void> {
    this.#written.set(session, mark);
    return writeMark(session, mark, this.#positions.get(mark.job));
  }

  #about<T>(session: pg.ClientBase, table: Table, work: (target: TargetTable) => Promise<T>): Promise<T> {
    return toldOf(table, this.#look(session, table).then(work));
  }

  async #look(session: pg.ClientBase, table: Table): Promise<TargetTable> {
    // Into the map of this moment: what is forgotten meanwhile stays forgotten, since it may have been read before.
    const tables = this.#tables;
    const target = tables.get(table) ?? (await readTargetTable(session, table));
    tables.set(table, target);
    return target;
  }
}

/**
 * Losing a deadlock over a table counts as meeting a lock: only that table waits, or the waiting statement is retried.
 */
function asLock(error: unknown): unknown {
  if (!(error instanceof EngineError) || error.code !== 'DEADLOCK' || !error.place.table) return error;
  return new EngineError('LOCK_TIMED_OUT', error.place, { cause: error });
}

/** Whether another session changed the same definition meanwhile, without a lock to wait for. */
const isOvertaken = (error: unknown) =>
  error instanceof EngineError && error.code === 'DEADLOCK' && error.place.state?.startsWith('XX000') === true;

/** SQLSTATEs for an extension, a keyword, an object or a function that the server does not have. */
const notKnown = ['0A000', '42601', '42704', '42883'];

/** Whether the target is too old for a statement, or lacks what it names. */
const isNotKnown = (error: unknown): error is EngineError =>
  error instanceof EngineError && notKnown.includes(error.place.state ?? '');

/** Whether a statement finds no unique index on the key, or one that is now deferrable. */
const isOfKey = (error: unknown) =>
  error instanceof EngineError && ['42P10', '55000'].includes(error.place.state ?? '');

/** Whether another table has referred to one since it was read, so that its rows are deleted instead. */
const isReferenced = (error: unknown, batches: readonly TableBatch[]) =>
  error instanceof EngineError && error.place.state === '0A000' && batches.some(({ truncate }) => truncate);

/** A batch, and the target table that it is applied to. */
interface Looked {
  batch: TableBatch;
  target: TargetTable;
}

/** Adds the table to errors of work on it. */
async function toldOf<T>(table: Table, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof EngineError ? error : rowError(error, table);
  }
}

async function applyWhole(session: pg.ClientBase, target: TargetTable, batch: TableBatch): Promise<Met> {
  return { missing: await applyBatch(session, target, batch), refused: [] };
}

/**
 * If statements are sent together, the first one that is refused aborts the transaction; the others report only that.
 */
async function inOneGo<T>(work: readonly Promise<T>[]): Promise<T[]> {
  const results = await Promise.allSettled(work);
  const errors: unknown[] = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  const isFirst = (error: unknown) => !(error instanceof EngineError && error.place.state === '25P02');
  if (errors.length > 0) throw errors.find(isFirst) ?? errors[0];
  return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}

/** Whether the user is allowed to disable triggers and foreign keys for its session. */
async function isResting(session: pg.ClientBase): Promise<boolean> {
  const [answer] = await askRow(session, `SELECT ${mayRest}`);
  return answer === 't';
}

/**
 * Triggers and foreign keys have done their work at the source, so they are disabled here if the user is allowed to.
 * Deferrable constraints are checked when the transaction ends.
 */
async function beginStatement(session: pg.ClientBase): Promise<string> {
  const rest = (await isResting(session)) ? '; SET LOCAL session_replication_role = replica' : '';
  return `BEGIN ISOLATION LEVEL READ COMMITTED; SET CONSTRAINTS ALL DEFERRED${rest}`;
}
