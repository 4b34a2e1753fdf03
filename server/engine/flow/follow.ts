import type { Missing, TableBatch } from '../batch.ts';
import { type Change, type Key, keyText, type RowChange, type Truncate } from '../change.ts';
import { EngineError, isOfTable } from '../errors.ts';
import { rereadRows } from '../handover/reread.ts';
import { resyncMark, startCopy, type TableProgress } from '../handover/table-progress.ts';
import { blockTable } from '../handover/table-requests.ts';
import { keyMark, type MarkUpdate, type Reread, type TableMark } from '../mark.ts';
import type { Position } from '../position.ts';
import type { ChangeStream } from '../source.ts';
import { tableName } from '../table.ts';
import { BatchBuilder, type Step } from './batch-builder.ts';
import { compact, type TableChanges } from './compact.ts';
import { filterChange, judgeChanges, type Verdicts } from './filter.ts';
import { keyOfAction } from './route.ts';
import { forgetSeen, markUpdate, type RunningJob, wantCopy } from './running-job.ts';

/** So many applied transactions may be unseen by snapshots before one is taken to look, and before the stream waits for it. */
const lookAfter = 256;
const waitForLookAfter = 10_000;

/** A lock of somebody else is waited for so often, with a pause in between, before the job gives up for a while. */
const mostTries = 10;
const againMs = 1_000;

const takenSentence = 'A row holds a unique value that another one has taken over since: the table is copied again.';

/** The transaction that is being told. */
interface OpenTransaction {
  id: string;
  committedAt: number;
  /** Row messages so far, before routing. */
  messages: number;
}

/** Brings the changes of the source to the target, in the order of its commits, until the job ends. */
export class Follower {
  readonly #job: RunningJob;
  readonly #stream: ChangeStream;
  readonly #batch = new BatchBuilder();
  #open: OpenTransaction | undefined;
  /** Of the rows that the stream told last. */
  #verdicts: Verdicts = new Map();
  /** Row messages of the first transaction that an earlier process applied. */
  #skip: number;
  #writtenAt = 0;
  /** Tables that are copied again from this batch on, which is not applied to them. */
  readonly #copiedAgain = new Set<TableProgress>();
  #look: Promise<void> | undefined;
  #idle: Promise<void> | undefined;

  constructor(job: RunningJob, stream: ChangeStream) {
    this.#job = job;
    this.#stream = stream;
    this.#skip = job.slice;
  }

  async run(): Promise<void> {
    const job = this.#job;
    const ids = [...new Set(job.rereads.map(({ table }) => table))];
    if (ids.length > 0) await job.locks.with(ids, () => rereadRows(job, job.rereads));
    const changes = this.#stream[Symbol.asyncIterator]();
    let next = this.#next(changes);
    for (;;) {
      const asked = job.clock.now();
      const isReady = await Promise.race([next.isReady, this.#pause().then(() => false)]);
      job.observer.waited('source', job.clock.now() - asked);
      job.signal.throwIfAborted();
      if (isReady) {
        const { done, value } = await next.result;
        if (done) throw new EngineError('CONNECTION_LOST', { side: 'source' });
        this.#verdicts = await judgeChanges(job, value);
        for (const change of value) await this.#take(change);
        next = this.#next(changes);
      }
      if (!isReady || this.#isFull()) await this.#turn();
    }
  }

  /** Asks for what comes next; that it fails may be found out while a batch is written, and is told after it. */
  #next(changes: AsyncIterator<readonly Change[]>) {
    const result = changes.next();
    result.catch(() => undefined);
    return { result, isReady: result.then(() => true) };
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

  /** Writes what there is to write, as far as transactions are told whole, and does what was asked for. */
  async #turn(): Promise<void> {
    if (this.#open) return;
    await this.#flush();
    for (let request = this.#job.requests.shift(); request; request = this.#job.requests.shift()) await request();
  }

  async #take(change: Change): Promise<void> {
    switch (change.kind) {
      case 'begin':
        // What is complete goes first, so that a slice begins with its own transaction.
        if (this.#isFull()) await this.#flush();
        this.#open = { id: change.transaction, committedAt: change.committedAt, messages: 0 };
        if (this.#batch.transactions.size === 0) this.#job.observer.pending(change.committedAt);
        return;
      case 'row':
      case 'truncate':
        return await this.#takeMessage(change);
      case 'schema':
        // Rows find their way by the names of their columns; what becomes of the target is decided by the catalogue.
        this.#job.schemaChanged.resolve();
        return;
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
    if (!open) throw new EngineError('UNEXPECTED', { side: 'source', subject: 'a change outside of a transaction' });
    open.messages++;
    if (open.messages <= this.#skip) return;
    if (change.kind === 'row') await this.#addRow(open.id, change);
    else
      for (const { id } of change.tables) {
        const table = this.#job.tables.get(id);
        if (table) this.#batch.add(table, open.id, undefined);
      }
    if (this.#batch.bytes >= this.#job.limits.sliceBytes) await this.#flush();
  }

  /** A row that cannot be told from the others blocks its table. */
  async #addRow(transaction: string, change: RowChange): Promise<void> {
    const table = this.#job.tables.get(change.table.id);
    if (!table) return;
    try {
      for (const { action, isReread } of filterChange(table.routeOf(change.table), change, this.#verdicts.get(change)))
        this.#batch.add(table, transaction, action, isReread);
    } catch (error) {
      if (!isOfTable(error)) throw error;
      await blockTable(this.#job, table, error);
    }
  }

  async #flush(): Promise<void> {
    const { steps } = this.#batch;
    if (steps.length === 0 && !this.#isDue()) return;
    const ids = [...new Set(steps.map(({ table }) => table.id))];
    const begun = this.#job.clock.now();
    await this.#job.locks.with(ids, () => this.#applyWithoutRefused());
    this.#job.observer.waited('target', this.#job.clock.now() - begun);
    await this.#lookAtSource();
  }

  /** Whether the mark of an idle source is to be written. */
  #isDue(): boolean {
    const { position } = this.#batch;
    if (!position) return false;
    if ([...this.#job.tables.values()].some((table) => table.whenPassed(position))) return true;
    return this.#batch.transactions.size > 0 || this.#job.clock.now() - this.#writtenAt >= this.#job.limits.idleMs;
  }

  /** A table whose rows the target refuses is blocked; the others go on. */
  async #applyWithoutRefused(): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#apply();
      } catch (error) {
        if (!isOfTable(error)) throw error;
        if (error.retry !== 'timed') this.#refuse(error);
        else if (tries < mostTries) await this.#job.clock.wait(againMs);
        else throw error;
      }
    }
  }

  #refuse(error: EngineError): void {
    const refused = this.#batch.steps.find(({ table }) => tableName(table.route.target) === error.place.table)?.table;
    if (!refused || refused.isSkipped) throw error;
    refused.generation++;
    // A row that entered the filter was read as it is now, and holds a value that the log has still elsewhere.
    if (error.code === 'UNIQUE_REFUSED' && refused.mark.state === 'live' && refused.route.selection.filter !== null) {
      refused.mark = { ...resyncMark(), shape: refused.mark.shape };
      this.#copiedAgain.add(refused);
      return;
    }
    refused.fault = error;
    refused.mark = { ...refused.mark, state: 'blocked', code: error.code };
    this.#job.observer.blocked(refused, error);
  }

  /** One transaction at the target: the changes, the mark, and what became of the tables. */
  async #apply(): Promise<void> {
    const job = this.#job;
    const position = this.#batch.position ?? job.position;
    // Only a whole transaction moves the position.
    const slice = this.#open ? this.#open.messages : 0;
    const changed = new Map<TableProgress, TableMark>();
    const batches: TableBatch[] = [];
    const untold: Reread[] = [];
    for (const [table, steps] of Map.groupBy(this.#batch.steps, (step) => step.table)) {
      // A table that was blocked by this very batch has its state to write too.
      if (table.isSkipped) changed.set(table, (position && table.whenSkipped(position)) ?? table.mark);
      else if (this.#copiedAgain.has(table)) changed.set(table, table.mark);
      else {
        untold.push(...untoldRows(table, steps));
        batches.push(batchOf(table, steps));
      }
    }
    for (const [table, mark] of this.#passed()) changed.set(table, mark);
    for (const transaction of this.#batch.transactions) job.unseen.add(transaction);
    const marks = new Map([...changed].map(([table, mark]) => [table.id, mark]));
    const rereads = await this.#write(batches, untold, this.#mark(position, slice, marks));
    this.#committed(position, slice, changed);
    if (rereads.length > 0) await rereadRows(job, rereads);
  }

  /** Tables that are live with this batch. */
  #passed(): [TableProgress, TableMark][] {
    const { position } = this.#batch;
    if (!position || this.#open) return [];
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

  async #write(batches: readonly TableBatch[], untold: readonly Reread[], mark: MarkUpdate): Promise<Reread[]> {
    if (batches.length === 0) {
      await this.#job.sink.write(mark);
      return [];
    }
    let rereads: Reread[] = [];
    await this.#job.sink.apply(batches, mark, (missing) => {
      rereads = [...untold, ...this.#rereadsOf(missing)];
      return rereads;
    });
    return rereads;
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
    this.#writtenAt = job.clock.now();
    const applied = steps.filter(({ table }) => !table.isSkipped).length;
    job.observer.applied(applied, transactions.size, bytes, committedAt);
    for (const table of this.#copiedAgain) {
      // Every chunk has to see the changes that were left out.
      startCopy(job, table);
      job.observer.event('warning', takenSentence, table);
    }
    if (this.#copiedAgain.size > 0) wantCopy(job);
    this.#copiedAgain.clear();
    if (position && !this.#open) this.#stream.acknowledge(position);
    job.observer.pending(this.#open?.committedAt ?? null);
    if (!this.#open) job.observer.idle();
    this.#batch.clear();
  }

  /** A live table has every row of the source: one that it lacks is read from there. Of others the rows are still to come. */
  #rereadsOf(missing: readonly Missing[]): Reread[] {
    const byTarget = Map.groupBy(missing, ({ table }) => table);
    return [...this.#job.tables.values()].flatMap((table) => {
      const keys = table.mark.state === 'live' ? byTarget.get(table.route.target) : undefined;
      if (!keys) return [];
      const steps = this.#batch.steps.filter((step) => step.table === table);
      return keys.map(({ key }) => rereadOf(table, key, steps));
    });
  }

  /** Takes a snapshot now and then, so that the transactions whose visibility is not known stay few. */
  async #lookAtSource(): Promise<void> {
    const job = this.#job;
    const table = [...job.tables.values()].find(({ isSkipped }) => !isSkipped);
    if (!table || job.unseen.size < lookAfter) return;
    this.#look ??= job.source
      .read(table.route.source, { keys: [] })
      .then((chunk) => forgetSeen(job, chunk))
      .finally(() => {
        this.#look = undefined;
      });
    // The stream's own failure is told instead.
    const looked = this.#look.catch(() => undefined);
    if (job.unseen.size >= waitForLookAfter) await looked;
  }
}

/** Rows of a batch that are read from the source after it. */
function untoldRows(table: TableProgress, steps: readonly Step[]): Reread[] {
  return steps.flatMap((step) =>
    step.action && isReread(table, step) ? [rereadOf(table, keyOfAction(table.route.target, step.action), steps)] : [],
  );
}

/**
 * Whether a row is read from the source instead of being written as it was told. Of a table that is not live these are:
 * rows that got another key and were not told whole, since what the target has under the old key may be a newer row,
 * which a chunk brought; and rows that were told in part and meet a filter, since a chunk may have left the older row out.
 */
function isReread({ mark, route }: TableProgress, step: Step): boolean {
  if (step.isReread || mark.state === 'live') return step.isReread;
  return step.action?.kind === 'move' || (step.action?.kind === 'update' && route.selection.filter !== null);
}

/** Everything of this batch that touched the row must be visible, so that nothing older comes back. */
function rereadOf(table: TableProgress, key: Key, steps: readonly Step[]): Reread {
  const { target } = table.route;
  const text = keyText(key);
  const touching = steps.filter(({ action }) => {
    // Equal keys may have different texts.
    if (!action || !target.exactKey) return true;
    return keyText(keyOfAction(target, action)) === text || (action.kind === 'move' && keyText(action.from) === text);
  });
  const transactions = [...new Set(touching.map(({ transaction }) => transaction))];
  // Those who touch one row are visible one after the other.
  return { table: table.id, key: keyMark(key), transactions: target.exactKey ? transactions.slice(-1) : transactions };
}

/** Changes of one table as the target takes them; a table that is being copied remembers their keys first. */
function batchOf(table: TableProgress, steps: readonly Step[]): TableBatch {
  if (table.isCopied)
    for (const step of steps) {
      const { transaction, action } = step;
      if (!action) table.touched.mustSee(transaction);
      else if (action.kind === 'update' && isReread(table, step))
        table.touched.note(transaction, { kind: 'upsert', row: action.row });
      else table.touched.note(transaction, action);
    }
  return compact(changesOf(table, steps));
}

/** A truncate takes away what the batch did to the table before. */
function changesOf(table: TableProgress, steps: readonly Step[]): TableChanges {
  const changes: TableChanges = { target: table.route.target, truncate: false, actions: [] };
  for (const step of steps) {
    const { action } = step;
    if (action && isReread(table, step)) {
      if (action.kind === 'move') changes.actions.push({ kind: 'delete', key: action.from });
    } else if (action) changes.actions.push(action);
    else {
      changes.truncate = true;
      changes.actions = [];
    }
  }
  return changes;
}
