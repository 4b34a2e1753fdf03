import type { Missing, Refused, TableBatch } from '../batch.ts';
import type { Change, RowChange, Truncate } from '../change.ts';
import { EngineError, isOfRow, isOfTable, isUniqueRefused } from '../errors.ts';
import { untoldEnds } from '../handover/command-ends.ts';
import { makeRoom, mostRereads, rereadsLock } from '../handover/make-room.ts';
import { mayCopyAgain } from '../handover/own-rows.ts';
import { park, parkedSentence, parkedUpdate } from '../handover/parked.ts';
import type { ParkedRows } from '../handover/parked-rows.ts';
import { isDue, waitingTables } from '../handover/postponed.ts';
import { mostRounds, rereadRows } from '../handover/reread.ts';
import type { TableProgress } from '../handover/table-progress.ts';
import { blockTable } from '../handover/table-requests.ts';
import type { MarkUpdate, Reread, TableMark } from '../mark.ts';
import type { Position } from '../position.ts';
import { mendTarget } from '../schema/mend.ts';
import { lookForSwappedNames } from '../schema/swapped-names.ts';
import type { ChangeStream } from '../source.ts';
import { tableName } from '../table.ts';
import { BatchBuilder } from './batch-builder.ts';
import { filterChange, judgeChanges, type Verdicts } from './filter.ts';
import { betweenTriesMs, isMadeNow, mayTryAgain, tellLock } from './lock-patience.ts';
import { isReadLater, tooManyLater, withLater } from './read-later.ts';
import { mayShareKey } from './route.ts';
import { forgetSeen, markUpdate, type RunningJob } from './running-job.ts';
import { noteTouched, partOf, rereadOf } from './table-part.ts';

/** A row of this size is named before it is written, since the job's memory may be too small for it; in bytes. */
const largeRowBytes = 32 * 2 ** 20;
/** How many applied transactions may be unseen by any snapshot before one is taken, and before the stream waits for it. */
const lookAfter = 256;
const waitForLookAfter = 10_000;

/** What is known of a batch before the target has it. */
interface BeforeBatch {
  /** Rows to be reread at some later time, including those that the batch adds. */
  waiting: readonly Reread[];
  /** Rows to be reread at once. */
  rereads: Reread[];
  /** Parked rows of the batch's tables that stay parked. */
  unparked: Map<TableProgress, ParkedRows>;
}

interface Gathered extends BeforeBatch {
  batches: TableBatch[];
  changed: Map<TableProgress, TableMark>;
}

/** What came of a batch at the target. */
interface AfterBatch {
  rereads: readonly Reread[];
  refused: readonly Refused[];
  parked: ReadonlyMap<TableProgress, ParkedRows>;
}

/** The transaction that is being delivered. */
interface OpenTransaction {
  id: string;
  committedAt: number;
  /** Row messages so far, before routing. */
  messages: number;
}

/** Applies the source's changes to the target in commit order until the job ends. */
export class Follower {
  readonly #job: RunningJob;
  readonly #stream: ChangeStream;
  readonly #batch = new BatchBuilder();
  #open: OpenTransaction | undefined;
  /** Verdicts on the rows that were delivered last. */
  #verdicts: Verdicts = new Map();
  /** Refused rows are parked only if the target cannot be mended. */
  #mayPark = false;
  /** Tables of which a large row was named. */
  readonly #toldLarge = new Set<TableProgress>();
  /** Row messages of the first transaction that an earlier process already applied. */
  #skip: number;
  #writtenAt = 0;
  #look: Promise<void> | undefined;
  #idle: Promise<void> | undefined;

  constructor(job: RunningJob, stream: ChangeStream) {
    this.#job = job;
    this.#stream = stream;
    this.#skip = job.slice;
  }

  async run(): Promise<void> {
    const job = this.#job;
    const due = job.rereads.filter((reread) => mayReadNow(job.tables.get(reread.table), reread));
    const ids = [...new Set(due.map(({ table }) => table))];
    if (ids.length > 0) await job.locks.with([...ids, rereadsLock], () => rereadRows(job, due));
    const changes = this.#stream[Symbol.asyncIterator]();
    let next = this.#next(changes);
    for (;;) {
      const asked = job.clock.elapsed();
      const isReady = await Promise.race([next.isReady, this.#pause().then(() => false)]);
      job.observer.waited('source', job.clock.elapsed() - asked);
      job.signal.throwIfAborted();
      if (isReady) {
        const { done, value } = await next.result;
        if (done) throw new EngineError('CONNECTION_LOST', { side: 'source' });
        await this.#takeAll(value);
        next = this.#next(changes);
      }
      if (!isReady || this.#isFull()) await this.#turn();
    }
  }

  /** Asks for what comes next; a failure may surface while a batch is being written, and is reported after it. */
  #next(changes: AsyncIterator<readonly Change[]>) {
    const result = changes.next();
    const isReady = result.then(() => true);
    isReady.catch(() => undefined);
    return { result, isReady };
  }

  /** Waits for more only while there is nothing to write. */
  #pause(): Promise<void> {
    if (this.#isDue()) return this.#job.clock.soon();
    this.#idle ??= this.#job.clock.wait(this.#job.limits.idleMs).finally(() => {
      this.#idle = undefined;
    });
    return this.#idle;
  }

  #isFull(): boolean {
    const { batchRows, batchBytes } = this.#job.limits;
    return this.#batch.steps.length >= batchRows || this.#batch.bytes >= batchBytes;
  }

  /**
   * Writes what there is to write, up to the last complete transaction, and runs pending requests.
   * @returns whether there were requests
   */
  async #turn(): Promise<boolean> {
    if (this.#open) return false;
    await this.#flush();
    const { requests } = this.#job;
    const isAsked = requests.length > 0;
    for (let request = requests.shift(); request; request = requests.shift()) await request();
    return isAsked;
  }

  async #takeAll(changes: readonly Change[]): Promise<void> {
    for (let left = changes; left.length > 0; ) {
      this.#verdicts = await judgeChanges(this.#job, left);
      left = await this.#takeUntilAsked(left);
    }
  }

  /** @returns the transactions after the point where requests were run: their tables may have changed */
  async #takeUntilAsked(changes: readonly Change[]): Promise<readonly Change[]> {
    for (const [place, change] of changes.entries()) {
      // Complete transactions go first, so a slice begins with its own. A log that is behind comes without a pause.
      if (change.kind === 'begin' && this.#isFull() && (await this.#turn())) return changes.slice(place);
      await this.#take(change);
    }
    return [];
  }

  async #take(change: Change): Promise<void> {
    switch (change.kind) {
      case 'begin':
        this.#open = { id: change.transaction, committedAt: change.committedAt, messages: 0 };
        if (this.#batch.transactions.size === 0) this.#job.observer.pending(change.committedAt);
        return;
      case 'row':
      case 'truncate':
        return await this.#takeMessage(change);
      case 'schema':
        // Rows are routed by column name; the catalogue decides what happens to the target.
        this.#job.schemaChanged.resolve();
        return await lookForSwappedNames(this.#job, change.table);
      case 'commit':
        this.#batch.position = change.position;
        this.#batch.committedAt = this.#open?.committedAt ?? null;
        if (this.#open) this.#batch.transactions.add(this.#open.id);
        this.#open = undefined;
        this.#skip = 0;
        return;
      case 'alive':
        if (!this.#open) this.#batch.position = change.position;
    }
  }

  async #takeMessage(change: RowChange | Truncate): Promise<void> {
    const open = this.#open;
    if (!open) throw new EngineError('UNEXPECTED', { side: 'source', subject: 'a change outside a transaction' });
    open.messages++;
    if (open.messages <= this.#skip) return;
    if (change.kind === 'row') await this.#addRow(open.id, change);
    else
      for (const { id } of change.tables) {
        const table = this.#job.tables.get(id);
        table?.noteTruncate(open.id);
        if (table) this.#batch.add(table, open.id, undefined);
      }
    if (this.#batch.bytes >= this.#job.limits.sliceBytes) await this.#flush();
  }

  /** A row that cannot be distinguished from others blocks its table. */
  async #addRow(transaction: string, change: RowChange): Promise<void> {
    const table = this.#job.tables.get(change.table.id);
    if (!table) return;
    const before = this.#batch.bytes;
    try {
      const route = table.routeOf(change.table);
      const isLater = change.after !== null && isReadLater(this.#job, table, route);
      for (const { action, isReread } of filterChange(route, change, this.#verdicts.get(change)))
        this.#batch.add(table, transaction, action, { isReread, isLater });
      this.#tellLarge(table, this.#batch.bytes - before);
      if (change.after && table.noteUntold(route)) this.#batch.marked.add(table);
      if (isLater && table.noteMore(route)) this.#batch.marked.add(table);
      if (mayShareKey(route, change) && table.noteSharedKeys()) this.#batch.marked.add(table);
    } catch (error) {
      if (!isOfTable(error)) throw error;
      await blockTable(this.#job, table, error);
    }
  }

  /** If the memory limit ends the process, the job's events name the table. */
  #tellLarge(table: TableProgress, bytes: number): void {
    if (bytes < largeRowBytes || this.#toldLarge.has(table)) return;
    this.#toldLarge.add(table);
    const size = Math.round(bytes / 2 ** 20);
    this.#job.observer.event(
      'warning',
      `A row of ${size} MB is being written: the job needs about four times as much memory for it, and 110 MB besides. If it reaches its memory limit, choose a larger size for it.`,
      table,
    );
  }

  async #flush(): Promise<void> {
    const { steps } = this.#batch;
    if (steps.length === 0 && !this.#isDue()) return;
    const ids = [...new Set([...steps.map(({ table }) => table.id), ...waitingTables(this.#job)])];
    const begun = this.#job.clock.elapsed();
    this.#mayPark = false;
    await this.#job.locks.with([...ids, rereadsLock], () => this.#applyAndReread());
    this.#job.observer.waited('target', this.#job.clock.elapsed() - begun);
    await this.#lookAtSource();
  }

  /** Whether the mark of an idle source must be written. */
  #isDue(): boolean {
    const { position } = this.#batch;
    if (!position) return false;
    if ([...this.#job.tables.values()].some((table) => table.whenPassed(position))) return true;
    return this.#batch.transactions.size > 0 || this.#job.clock.elapsed() - this.#writtenAt >= this.#job.limits.idleMs;
  }

  async #applyAndReread(): Promise<void> {
    const due = await this.#applyWithoutRefused();
    // The batch is committed, so a failure here repeats none of it.
    if (due.length > 0) await rereadRows(this.#job, due);
  }

  /** A table whose rows the target refuses is blocked; the others continue. @returns rows to be reread at once */
  async #applyWithoutRefused(): Promise<readonly Reread[]> {
    const rounds = new Map<TableProgress, number>();
    for (let tries = 1; ; tries++) {
      try {
        return await this.#apply();
      } catch (error) {
        if (!isOfTable(error) || (error.retry === 'timed' && !mayTryAgain(this.#job, tries))) throw error;
        if (error.retry === 'timed') {
          tellLock(this.#job, error, tries);
          await this.#job.clock.wait(betweenTriesMs);
        } else await this.#mendOrRefuse(error, rounds);
      }
    }
  }

  /** @param rounds how often the target was mended for this batch, by table */
  async #mendOrRefuse(error: EngineError, rounds: Map<TableProgress, number>): Promise<void> {
    const mended = await this.#mend(error, rounds).catch((lock: unknown) => this.#leave(error, lock));
    if (mended === true) return;
    if (isOfRow(mended) && !this.#mayPark) this.#mayPark = true;
    else this.#refuse(mended);
  }

  /**
   * Makes the target accept what it refused: adds a label, type or partition, or frees the unique value of a chunk's
   * row.
   * @returns true if it may accept it now; otherwise the reason why not
   */
  async #mend(error: EngineError, rounds: Map<TableProgress, number>): Promise<true | EngineError> {
    const refused = this.#refusedTable(error);
    if (!refused || refused.isSkipped) return error;
    const round = (rounds.get(refused) ?? 0) + 1;
    rounds.set(refused, round);
    if (round > mostRounds) return error;
    if (!isUniqueRefused(error)) return await mendTarget(this.#job, refused, error);
    if (!refused.mayMakeRoom) return error;
    const rows = this.#batch.steps.flatMap(({ table, action }) =>
      table === refused && action && action.kind !== 'delete' ? [action.row] : [],
    );
    return (await makeRoom(this.#job, refused, rows)).length > 0 || error;
  }

  /**
   * A lock at the target prevents widening a type; no other table waits for it. Changes of this table are dropped until
   * the watch has widened the type, which copies the table again, or until an operator orders a copy.
   */
  async #leave(error: EngineError, lock: unknown): Promise<true> {
    const refused = this.#refusedTable(error);
    if (error.code !== 'VALUE_REFUSED' || !refused || !isOfTable(lock) || lock.retry !== 'timed') throw lock;
    // The job's own index will be finished; too many tries park the row.
    if (isMadeNow(this.#job, refused.route.target)) await this.#job.clock.wait(betweenTriesMs);
    else if (mayCopyAgain(this.#job.spec, refused.mark)) this.#blockUntilAsked(refused, lock);
    else {
      const subject = 'a lock prevented a column from being widened';
      this.#block(refused, new EngineError('TABLE_CHANGED', { ...lock.place, subject }));
    }
    return true;
  }

  #blockUntilAsked(refused: TableProgress, lock: EngineError): void {
    this.#block(refused, lock);
    refused.ask(untoldEnds);
    this.#job.schemaChanged.resolve();
  }

  #refusedTable({ place }: EngineError): TableProgress | undefined {
    return this.#batch.steps.find(({ table }) => tableName(table.route.target) === place.table)?.table;
  }

  #refuse(error: EngineError): void {
    const refused = this.#refusedTable(error);
    if (!refused || refused.isSkipped) throw error;
    this.#block(refused, error);
  }

  #block(refused: TableProgress, error: EngineError): void {
    refused.fault = error;
    refused.generation++;
    refused.mark = { ...refused.mark, state: 'blocked', code: error.code };
    this.#job.observer.blocked(refused, error);
  }

  /**
   * One transaction at the target: the changes, the mark, and the new states of the tables.
   * @returns rows to be reread at once
   */
  async #apply(): Promise<readonly Reread[]> {
    const job = this.#job;
    const position = this.#batch.position ?? job.position;
    // Only a whole transaction moves the position; one that an earlier process began to apply is delivered again.
    const slice = this.#open ? this.#open.messages : this.#skip;
    const { changed, batches, ...before } = this.#gather(position);
    for (const table of this.#batch.marked) changed.set(table, changed.get(table) ?? table.mark);
    for (const [table, mark] of this.#passed()) changed.set(table, mark);
    for (const transaction of this.#batch.transactions) job.unseen.add(transaction);
    const marks = new Map([...changed].map(([table, mark]) => [table.id, mark]));
    const after = await this.#write(batches, before, this.#mark(position, slice, marks));
    job.rereads = [...before.waiting, ...after.rereads];
    // A row that made room while its table is copied waits for the chunks, which may bring it back.
    const targets = new Set(batches.map(({ table }) => table));
    const due = job.rereads.filter((reread) => {
      const table = job.tables.get(reread.table);
      if (before.rereads.includes(reread)) return true;
      if (!table || !mayReadNow(table, reread)) return false;
      if (after.rereads.includes(reread)) return true;
      return job.postponed.has(reread) ? isDue(job, reread, position) : targets.has(table.route.target);
    });
    this.#park(after);
    this.#committed(position, slice, changed);
    return due;
  }

  /** The batch by tables. A table with too many rows to reread later is blocked. */
  #gather(position: Position | null): Gathered {
    const job = this.#job;
    const gathered: Gathered = {
      batches: [],
      changed: new Map(),
      // A skipped table is copied again when it is resumed.
      waiting: withoutSkipped(job),
      rereads: [],
      unparked: new Map(),
    };
    for (const [table, steps] of Map.groupBy(this.#batch.steps, (step) => step.table)) {
      const part = table.isSkipped ? undefined : partOf(table, steps, job.position, this.#mayPark);
      const waiting = part && withLater(gathered.waiting, table, steps);
      if (part && !waiting) this.#block(table, tooManyLater(table));
      if (waiting) {
        if (table.isCopied) noteTouched(table, steps, job.position);
        gathered.waiting = waiting;
        gathered.rereads.push(...part.rereads);
        gathered.unparked.set(table, part.parked);
        gathered.batches.push(...part.batches);
      }
      // A table that this very batch blocked needs its state written too.
      else gathered.changed.set(table, (position && table.whenSkipped(position)) ?? table.mark);
    }
    return gathered;
  }

  /** Tables that become live with this batch. */
  #passed(): [TableProgress, TableMark][] {
    const { position } = this.#batch;
    if (!position) return [];
    return [...this.#job.tables.values()].flatMap((table) => {
      const mark = table.whenPassed(position);
      return mark ? [[table, mark] satisfies [TableProgress, TableMark]] : [];
    });
  }

  #mark(position: Position | null, slice: number, tables: ReadonlyMap<string, TableMark>): MarkUpdate {
    return markUpdate(this.#job, {
      ...(position && { position }),
      slice,
      unseen: [...this.#job.unseen],
      ...(tables.size > 0 && { tables }),
    });
  }

  async #write(batches: readonly TableBatch[], before: BeforeBatch, mark: MarkUpdate): Promise<AfterBatch> {
    let after: AfterBatch = { rereads: [], refused: [], parked: new Map() };
    if (batches.length === 0) {
      const rereads = before.waiting === this.#job.rereads ? {} : { rereads: before.waiting };
      await this.#job.sink.write({ ...mark, ...rereads });
      return after;
    }
    await this.#job.sink.apply(batches, mark, ({ missing, refused }) => {
      const early = this.#early(refused);
      const late = refused.filter((one) => !early.includes(one));
      const rereads = [...before.rereads, ...this.#rereadsOf(missing), ...this.#rereadsOf(early)];
      const parked = this.#parkedAfter(before.unparked, late, mark.position);
      after = { rereads, refused: late, parked };
      return {
        rereads: [...before.waiting, ...rereads],
        parked: [...parked].flatMap(([table, rows]) => parkedUpdate(table, rows)),
      };
    });
    return after;
  }

  /**
   * Rows whose unique value is held by a row that was read ahead of the stream, or, if the source delivers current
   * rows, by a row whose own change comes later. They are not delivered again, so they are reread instead of being
   * parked.
   */
  #early(refused: readonly Refused[]): readonly Refused[] {
    const { tables, position, rereads, source } = this.#job;
    const isAhead = (table: TableProgress) =>
      source.tellsNow ? table.holdsOthers : table.mark.state === 'live' && table.isReadAhead(position);
    const ahead = new Set([...tables.values()].filter(isAhead).map(({ route }) => route.target));
    const early = refused.filter(({ table, error }) => ahead.has(table) && isUniqueRefused(error));
    return rereads.length + early.length > mostRereads ? [] : early;
  }

  /** @throws EngineError TOO_MANY_ROWS_REFUSED */
  #parkedAfter(
    unparked: ReadonlyMap<TableProgress, ParkedRows>,
    refused: readonly Refused[],
    position: Position | undefined,
  ): Map<TableProgress, ParkedRows> {
    const when = { position: position?.resume ?? '', at: this.#job.clock.now() };
    const byTarget = Map.groupBy(refused, ({ table }) => table);
    return new Map(
      [...unparked].map(([table, left]) => [table, park(table, left, byTarget.get(table.route.target) ?? [], when)]),
    );
  }

  /** Records what the target has committed of parked rows. */
  #park({ refused, parked }: AfterBatch): void {
    for (const [table, rows] of parked) {
      if (parkedUpdate(table, rows).length === 0) continue;
      table.parked = rows;
      this.#job.observer.changed(table);
    }
    for (const [target, rows] of Map.groupBy(refused, ({ table }) => table)) {
      const table = [...parked.keys()].find(({ route }) => route.target === target);
      this.#job.observer.event('warning', parkedSentence(rows), table);
    }
  }

  #committed(position: Position | null, slice: number, changed: ReadonlyMap<TableProgress, TableMark>): void {
    const job = this.#job;
    const { steps, transactions, bytes, committedAt } = this.#batch;
    job.position = position;
    job.slice = slice;
    for (const [table, mark] of changed) {
      table.mark = mark;
      job.observer.changed(table);
    }
    this.#writtenAt = job.clock.elapsed();
    const applied = steps.filter(({ table }) => !table.isSkipped).length;
    job.observer.applied(applied, transactions.size, bytes, committedAt);
    if (position) this.#stream.acknowledge(position);
    job.observer.pending(this.#open?.committedAt ?? null);
    if (!this.#open) job.observer.idle();
    this.#batch.clear();
  }

  /**
   * A live table has every source row: one that it lacks is read from the source. In other tables, missing rows are
   * still to come, except those that made room: the chunk that brought them does not come again.
   */
  #rereadsOf(missing: readonly Missing[]): Reread[] {
    const byTarget = Map.groupBy(missing, ({ table }) => table);
    return [...this.#job.tables.values()].flatMap((table) => {
      if (table.isSkipped) return [];
      const ofTable = byTarget.get(table.route.target) ?? [];
      const keys = table.mark.state === 'live' ? ofTable : ofTable.filter(({ madeRoom }) => madeRoom);
      const steps = this.#batch.steps.filter((step) => step.table === table);
      return keys.map(({ key }) => rereadOf(table, key, steps));
    });
  }

  /** Takes a snapshot now and then, so that few transactions are of unknown visibility. */
  async #lookAtSource(): Promise<void> {
    const job = this.#job;
    if (job.unseen.size < lookAfter) return;
    this.#look ??= job.source
      .snapshot()
      .then((snapshot) => forgetSeen(job, snapshot))
      .finally(() => {
        this.#look = undefined;
      });
    // The stream's own failure is reported instead.
    const looked = this.#look.catch(() => undefined);
    if (job.unseen.size >= waitForLookAfter) await looked;
  }
}

/** Whether a row may be reread: its table's chunks are loaded, and every column that the row came with is carried. */
function mayReadNow(table: TableProgress | undefined, { isLater }: Reread): boolean {
  return !table || table.isSkipped || (!table.isCopied && (!isLater || table.more.size === 0));
}

/** Rows to be reread, without those of skipped tables: these are copied again when they are resumed. */
function withoutSkipped({ rereads, tables }: RunningJob): readonly Reread[] {
  const isSkipped = ({ table }: Reread) => tables.get(table)?.isSkipped === true;
  return rereads.some(isSkipped) ? rereads.filter((reread) => !isSkipped(reread)) : rereads;
}
