import type { Change, RowChange, Truncate, Unreadable } from '../change.ts';
import { EngineError, isOfTable } from '../errors.ts';
import { rereadsLock } from '../handover/make-room.ts';
import { waitingTables } from '../handover/postponed.ts';
import { rereadRows } from '../handover/reread.ts';
import type { TableProgress } from '../handover/table-progress.ts';
import { blockTable } from '../handover/table-requests.ts';
import type { Reread, TableMark } from '../mark.ts';
import type { Position } from '../position.ts';
import { lookForSwappedNames } from '../schema/swapped-names.ts';
import type { ChangeStream } from '../source.ts';
import { applyBatch, mayReadNow } from './apply-batch.ts';
import { BatchBuilder } from './batch-builder.ts';
import { filterChange, judgeChanges, type Verdicts } from './filter.ts';
import { betweenTriesMs, mayTryAgain, tellLock } from './lock-patience.ts';
import { isReadLater } from './read-later.ts';
import { Refusals } from './refusals.ts';
import { mayShareKey } from './route.ts';
import { forgetSeen, type RunningJob } from './running-job.ts';

/** A row of this size is named before it is written, since the job's memory may be too small for it; in bytes. */
const largeRowBytes = 32 * 2 ** 20;
/** How many applied transactions may be unseen by any snapshot before one is taken, and before the stream waits for it. */
const lookAfter = 256;
const waitForLookAfter = 10_000;

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
      // Complete transactions go first, so a slice begins with its own. A log that is behind comes without a pause, so
      // requests are not left until one.
      const isDue = change.kind === 'begin' && (this.#isFull() || this.#job.requests.length > 0);
      if (isDue && (await this.#turn())) return changes.slice(place);
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
      case 'unreadable':
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

  async #takeMessage(change: RowChange | Unreadable | Truncate): Promise<void> {
    const open = this.#open;
    if (!open) throw new EngineError('UNEXPECTED', { side: 'source', subject: 'a change outside a transaction' });
    open.messages++;
    if (open.messages <= this.#skip) return;
    if (change.kind !== 'truncate') await this.#addRow(open.id, change);
    else
      for (const { id } of change.tables) {
        const table = this.#job.tables.get(id);
        table?.noteTruncate(open.id);
        if (table && !table.isHeld) this.#batch.add(table, open.id, undefined);
      }
    if (this.#batch.bytes >= this.#job.limits.sliceBytes) await this.#flush();
  }

  /** A row that cannot be read, or not be distinguished from others, blocks its table. */
  async #addRow(transaction: string, change: RowChange | Unreadable): Promise<void> {
    const table = this.#job.tables.get(change.table.id);
    if (!table || table.isHeld) return;
    const before = this.#batch.bytes;
    try {
      if (change.kind === 'unreadable') throw change.error;
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
      // A table that was paused or blocked before must record too that a change was dropped.
      this.#batch.add(table, transaction, undefined);
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
    const refusals = new Refusals(this.#job, this.#batch);
    for (let tries = 1; ; tries++) {
      try {
        return await this.#apply(refusals.mayPark);
      } catch (error) {
        if (!isOfTable(error) || (error.retry === 'timed' && !mayTryAgain(this.#job, tries))) throw error;
        if (error.retry === 'timed') {
          tellLock(this.#job, error, tries);
          await this.#job.clock.wait(betweenTriesMs);
        } else await refusals.mendOrRefuse(error);
      }
    }
  }

  /** @returns rows to be reread at once */
  async #apply(mayPark: boolean): Promise<readonly Reread[]> {
    // Only a whole transaction moves the position; one that an earlier process began to apply is delivered again.
    const slice = this.#open ? this.#open.messages : this.#skip;
    const { position, changed, due } = await applyBatch(this.#job, this.#batch, { slice, mayPark });
    this.#committed(position, slice, changed);
    return due;
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
