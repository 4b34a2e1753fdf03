import type { Refused } from '../batch.ts';
import { type Key, keyOf, keyText } from '../change.ts';
import { type EngineError, isOfRow, isOfTable, isUniqueRefused } from '../errors.ts';
import { type Route, routeRow } from '../flow/route.ts';
import { forgetSeen, markUpdate, type RunningJob, wantCopy } from '../flow/running-job.ts';
import { keyMark, type Reread, type TableMark } from '../mark.ts';
import { hasReached } from '../position.ts';
import { mendTarget } from '../schema/mend.ts';
import type { Chunk } from '../source.ts';
import { makeRoom, rereadsLock } from './make-room.ts';
import { park, parkedSentence, parkedUpdate } from './parked.ts';
import { PrintedChunks } from './printed-chunks.ts';
import { rereadRows } from './reread.ts';
import { laterOf, type TableProgress } from './table-progress.ts';
import { blockTable } from './table-requests.ts';

/** How long to wait before a chunk is read again whose snapshot was too old, in milliseconds. */
const againMs = 50;
const idleMs = 1_000;
/** A chunk that the target does not take now is tried so often, with a pause in between, before its table is blocked. */
const mostTries = 10;
const patienceMs = 1_000;

/** Keys of the target that a sweep asks the source for at a time. */
const sweepKeys = 2_000;

/** A range of a table that one copier works on. */
interface Work {
  table: TableProgress;
  generation: number;
  range: number;
  /** A row at the target had a unique value of the next chunk, and the stream has passed the chunk that said so. */
  mayMakeRoom: boolean;
  /** A row was refused, and the target could not be mended. */
  mayPark: boolean;
}

/** Forgetting waits until the chunks that were being read when a snapshot came back are settled. */
interface Forgetting {
  sees: Chunk['sees'];
  readings: Set<object>;
}

/** Loads the rows of every table that waits for it, chunk by chunk, while the stream goes on. */
export class Copier {
  readonly #job: RunningJob;
  readonly #printed: PrintedChunks;
  readonly #taken = new Set<string>();
  readonly #readings = new Map<string, Set<object>>();
  readonly #forgettings = new Map<string, Forgetting[]>();

  constructor(job: RunningJob) {
    this.#job = job;
    this.#printed = new PrintedChunks(job);
  }

  /** Copies until the job ends, or, without a stream, until every table is copied. */
  async run({ untilCopied }: { untilCopied: boolean }): Promise<void> {
    const one = async () => {
      for (;;) {
        this.#job.signal.throwIfAborted();
        const wanted = this.#job.copyWanted.promise;
        if (untilCopied) await this.#answerRequests();
        const work = await this.#take();
        if (work) await this.#copyRange(work);
        else if (untilCopied && this.#taken.size === 0) return;
        else await this.#pause(wanted, untilCopied);
      }
    };
    await Promise.all(Array.from({ length: this.#job.spec.parallel }, one));
  }

  /** Nothing to copy now. A full copy has no stream, so what people ask of its tables is done here. */
  async #pause(wanted: Promise<void>, isAlone: boolean): Promise<void> {
    await Promise.race([wanted, this.#job.clock.wait(idleMs)]);
    // A promise that stays for ever would keep every wait for it.
    if (this.#job.copyWanted.promise === wanted) wantCopy(this.#job);
    if (isAlone) await this.#answerRequests();
  }

  async #answerRequests(): Promise<void> {
    for (let request = this.#job.requests.shift(); request; request = this.#job.requests.shift()) await request();
  }

  async #take(): Promise<Work | undefined> {
    for (const table of this.#job.tables.values()) {
      if (!table.isCopied) continue;
      if (table.mark.ranges.length === 0) await this.#cut(table);
      const range = table.mark.ranges.findIndex(
        (mark, index) => !mark.done && !this.#taken.has(`${table.id} ${index}`),
      );
      if (!table.isCopied) continue;
      if (range === -1) {
        if (!this.#isTaken(table)) await this.#complete(table);
        continue;
      }
      this.#taken.add(`${table.id} ${range}`);
      return { table, generation: table.generation, range, mayMakeRoom: false, mayPark: false };
    }
    return undefined;
  }

  /** What a table lacks once all of its chunks are there. */
  async #complete(table: TableProgress): Promise<void> {
    const { ranges } = table.mark;
    if (!table.isCopied || ranges.length === 0 || ranges.some(({ done }) => !done)) return;
    if (this.#rereadsOf(table).length === 0 && isSweepDue(table)) await this.#sweep(table);
    else await this.#readLeft(table);
  }

  #rereadsOf({ id }: TableProgress): Reread[] {
    return this.#job.rereads.filter((reread) => reread.table === id);
  }

  /** Rows that made room for others, and that no chunk may have brought back. */
  async #readLeft(table: TableProgress): Promise<void> {
    const job = this.#job;
    const name = `${table.id} left`;
    const { generation } = table;
    this.#taken.add(name);
    try {
      await job.locks.with([table.id, rereadsLock], async () => {
        if (table.generation !== generation || !table.isCopied) return;
        await rereadRows(job, this.#rereadsOf(table));
        if (!table.isCopied || isSweepDue(table)) return;
        const mark: TableMark = { ...table.mark, state: 'catching-up' };
        await job.sink.write(markUpdate(job, { tables: new Map([[table.id, mark]]) }));
        table.mark = mark;
        job.observer.changed(table);
      });
    } finally {
      this.#taken.delete(name);
    }
  }

  #isTaken({ id }: TableProgress): boolean {
    return [...this.#taken].some((name) => name.startsWith(`${id} `));
  }

  /**
   * Deletes what the source lacks, where the two sides sort the keys each in its own way: the target's keys are walked in
   * its order and asked for at the source.
   */
  async #sweep(table: TableProgress): Promise<void> {
    const name = `${table.id} sweep`;
    const { generation } = table;
    this.#taken.add(name);
    try {
      let after: Key | null = null;
      do after = await this.#sweepAfter(table, generation, after);
      while (after);
    } catch (error) {
      await this.#refuse(table, error);
    } finally {
      this.#taken.delete(name);
    }
  }

  /** @returns the last key that was looked at; null when there are no more */
  async #sweepAfter(table: TableProgress, generation: number, after: Key | null): Promise<Key | null> {
    const job = this.#job;
    const { route } = table;
    const keys = await job.sink.keys(route.target, after, sweepKeys);
    for (;;) {
      const chunk = await job.source.read(route.source, { keys }, route.selection.filter);
      forgetSeen(job, chunk);
      const isDone = await job.locks.with([table.id], async () => {
        if (table.generation !== generation || !table.isCopied) return true;
        return await this.#deleteAbsent(table, keys, chunk);
      });
      if (isDone) break;
      await job.clock.wait(againMs);
    }
    const isOver = table.generation !== generation || keys.length < sweepKeys;
    return isOver ? null : (keys.at(-1) ?? null);
  }

  /** @returns false when the source must be asked again */
  async #deleteAbsent(table: TableProgress, keys: readonly Key[], chunk: Chunk): Promise<boolean> {
    const settled = table.touched.settle([], chunk.sees);
    if (!settled) return false;
    const absent = await this.#absentKeys(table, keys, chunk, settled.keep);
    const isLast = keys.length < sweepKeys;
    const liveAfter = laterOf(table.mark.liveAfter, chunk.end);
    const mark: TableMark = { ...table.mark, state: isLast ? 'catching-up' : 'copying', liveAfter };
    await this.#job.sink.load(
      {
        table: table.route.target,
        rows: [],
        absent,
        replace: null,
        conflict: 'replace',
      },
      markUpdate(this.#job, { tables: new Map([[table.id, mark]]) }),
    );
    table.mark = mark;
    this.#job.observer.changed(table);
    return true;
  }

  /** Equal keys may have different texts on both sides: then each key is asked for by itself. */
  async #absentKeys(table: TableProgress, keys: readonly Key[], chunk: Chunk, keep: readonly Key[]): Promise<Key[]> {
    const { source, selection } = table.route;
    if (source.exactKey) {
      const there = new Set([...chunk.rows.map((row) => keyOf(source, row)), ...keep].map(keyText));
      return keys.filter((key) => !there.has(keyText(key)));
    }
    if (chunk.rows.length === keys.length) return [];
    const absent: Key[] = [];
    for (const key of keys) {
      const { rows } = await this.#job.source.read(source, { keys: [key] }, selection.filter);
      if (rows.length === 0) absent.push(key);
    }
    return absent;
  }

  /** Cuts a table into ranges once; they are stored with its first chunk. */
  async #cut(table: TableProgress): Promise<void> {
    const name = `${table.id} cut`;
    if (this.#taken.has(name)) return;
    this.#taken.add(name);
    try {
      const ranges = await this.#job.source.ranges(table.route.source, this.#job.limits.ranges);
      // Whoever has the lock writes the mark as it was, and would take them away again.
      await this.#job.locks.with([table.id], async () => {
        if (table.isCopied && table.mark.ranges.length === 0) table.mark = { ...table.mark, state: 'copying', ranges };
      });
      this.#job.observer.changed(table);
    } catch (error) {
      await this.#refuse(table, error);
    } finally {
      this.#taken.delete(name);
      // Others can begin with its further ranges.
      wantCopy(this.#job);
    }
  }

  async #copyRange(work: Work): Promise<void> {
    const { table, range } = work;
    try {
      while (table.isCopied && table.generation === work.generation && table.mark.ranges[range]?.done === false)
        await this.#copyPatiently(work);
    } catch (error) {
      await this.#refuse(table, error);
    } finally {
      this.#taken.delete(`${table.id} ${range}`);
      // Without a stream, who has nothing left to copy waits for the last one to end.
      if (this.#job.spec.type === 'MIGRATION') wantCopy(this.#job);
    }
  }

  async #copyPatiently(work: Work): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        await this.#copyChunk(work);
        work.mayMakeRoom = false;
        return;
      } catch (error) {
        if (!isOfTable(error) || !(await this.#mayTryAgain(work, error, tries))) throw error;
      }
    }
  }

  /** A lock of somebody else ends; the target learns what the source has new; the stream frees a unique value. */
  async #mayTryAgain(work: Work, error: EngineError, tries: number): Promise<boolean> {
    if (isUniqueRefused(error)) {
      const isReplaced = work.table.mark.resync || this.#job.spec.conflict === 'replace';
      if (work.mayMakeRoom || (!isReplaced && tries >= mostTries)) return false;
      await this.#untilPassed(work);
      // Rows that were there before the job stay where they are kept.
      work.mayMakeRoom = isReplaced;
      return true;
    }
    if (error.retry === 'timed' && tries < mostTries) {
      await this.#job.clock.wait(patienceMs);
      return true;
    }
    if (await mendTarget(this.#job, work.table, error)) return true;
    if (!isOfRow(error) || work.mayPark) return false;
    work.mayPark = true;
    return true;
  }

  /** Waits until the stream has told what a chunk of this moment holds; a full copy has no stream. */
  async #untilPassed({ table, generation }: Work): Promise<void> {
    const job = this.#job;
    const end = await job.source.now();
    while (table.isCopied && table.generation === generation && job.position && !hasReached(job.position, end))
      await job.clock.wait(againMs);
  }

  async #refuse(table: TableProgress, error: unknown): Promise<void> {
    if (!isOfTable(error)) throw error;
    await blockTable(this.#job, table, error);
  }

  async #copyChunk({ table, generation, range: index, mayMakeRoom, mayPark }: Work): Promise<void> {
    const range = table.mark.ranges[index];
    if (!range) return;
    const reading = {};
    const readings = this.#readings.get(table.id) ?? new Set();
    this.#readings.set(table.id, readings.add(reading));
    try {
      const { route } = table;
      const mayBeBinary = this.#printed.mayBeBinary(table);
      const part = { range, limit: this.#job.limits.chunkRows, mayBeBinary };
      const chunk = await this.#job.source.read(route.source, part, route.selection.filter);
      forgetSeen(this.#job, chunk);
      const isStale = () => table.generation !== generation || !table.isCopied;
      // Whoever makes room or parks looks at each row.
      const isPrinted =
        !mayMakeRoom &&
        !mayPark &&
        (await this.#job.locks.share(table.id, async () => {
          const now = table.mark.ranges[index];
          if (isStale() || !now) return true;
          const next = () => afterChunk(table, index, chunk, this.#rereadsOf(table).length > 0);
          return await this.#printed.load(table, now, chunk, next);
        }));
      const load = () => this.#load(table, route, index, chunk, mayPark);
      const loaded =
        isPrinted ||
        (!chunk.printed?.isBinary &&
          (await this.#job.locks.with(mayMakeRoom ? [table.id, rereadsLock] : [table.id], async () => {
            if (isStale()) return true;
            return mayMakeRoom ? await this.#loadWithRoom(table, route, chunk, load) : await load();
          })));
      if (!loaded) return await this.#job.clock.wait(againMs);
      this.#forget(table, chunk, readings, reading);
    } finally {
      readings.delete(reading);
      this.#settleForgettings(table, reading);
    }
  }

  /** @returns false when the chunk must be read again */
  async #load(table: TableProgress, route: Route, index: number, chunk: Chunk, mayPark: boolean): Promise<boolean> {
    const range = table.mark.ranges[index];
    if (!range) return true;
    const rows = chunk.rows.map((row) => routeRow(route, row));
    const settled = table.touched.settle(rows, chunk.sees);
    if (!settled) return false;
    const mark = afterChunk(table, index, chunk, this.#rereadsOf(table).length > 0);
    let parked = table.parked;
    let refused: readonly Refused[] = [];
    await this.#job.sink.load(
      {
        table: route.target,
        rows: settled.rows,
        absent: [],
        replace: table.mark.resync && route.target.ordered ? { range, upTo: chunk.last, keep: settled.keep } : null,
        // What a resync finds is the job's own, and may be old.
        conflict: table.mark.resync ? 'replace' : this.#job.spec.conflict,
        ...(mayPark && table.parks),
      },
      markUpdate(this.#job, { tables: new Map([[table.id, mark]]) }),
      (met) => {
        refused = met;
        const when = { position: chunk.end.resume, at: this.#job.clock.now() };
        parked = park(table, table.parked, met, when, mark.rows);
        return parkedUpdate(table, parked);
      },
    );
    table.mark = mark;
    table.parked = parked;
    this.#job.observer.copied(table, chunk.rows.length);
    this.#job.observer.changed(table);
    if (refused.length > 0) this.#job.observer.event('warning', parkedSentence(refused), table);
    return true;
  }

  /** Rows that are in the way leave the target. */
  async #loadWithRoom(
    table: TableProgress,
    route: Route,
    chunk: Chunk,
    load: () => Promise<boolean>,
  ): Promise<boolean> {
    try {
      return await load();
    } catch (error) {
      if (!isUniqueRefused(error)) throw error;
      const settled = table.touched.settle(
        chunk.rows.map((row) => routeRow(route, row)),
        chunk.sees,
      );
      // Those that other chunks bring come back with them; the others are read again once all chunks are there.
      if ((await makeRoom(this.#job, table, settled?.rows ?? [])).length === 0) throw error;
      return await load();
    }
  }

  /** A chunk that began to be read before this snapshot came back may be older than it, and still needs what it sees. */
  #forget(table: TableProgress, { sees }: Chunk, readings: Set<object>, own: object): void {
    const others = new Set(readings);
    others.delete(own);
    if (others.size === 0) {
      table.touched.forget(sees);
      return;
    }
    const waiting = this.#forgettings.get(table.id) ?? [];
    this.#forgettings.set(table.id, [...waiting, { sees, readings: others }]);
  }

  #settleForgettings(table: TableProgress, reading: object): void {
    const waiting = this.#forgettings.get(table.id);
    if (!waiting) return;
    for (const { readings } of waiting) readings.delete(reading);
    for (const { sees } of waiting.filter(({ readings }) => readings.size === 0)) table.touched.forget(sees);
    const left = waiting.filter(({ readings }) => readings.size > 0);
    if (left.length > 0) this.#forgettings.set(table.id, left);
    else this.#forgettings.delete(table.id);
  }
}

/** Whether a resync has every row, and only has to delete what the source lacks. */
function isSweepDue({ mark, route }: TableProgress): boolean {
  return mark.resync && !route.target.ordered && mark.ranges.length > 0 && mark.ranges.every(({ done }) => done);
}

/** @param isLacking whether rows are still to be read again */
function afterChunk({ mark, route }: TableProgress, index: number, chunk: Chunk, isLacking: boolean): TableMark {
  const ranges = mark.ranges.map((range, place) => {
    if (place !== index) return range;
    return { ...range, after: chunk.last ? keyMark(chunk.last) : range.after, done: chunk.last === null };
  });
  const liveAfter = laterOf(mark.liveAfter, chunk.end);
  const copied = ranges.every(({ done }) => done) && !(mark.resync && !route.target.ordered) && !isLacking;
  return { ...mark, state: copied ? 'catching-up' : 'copying', ranges, liveAfter, rows: mark.rows + countOf(chunk) };
}

/** Printed rows are not made cells to be counted. */
function countOf(chunk: Chunk): number {
  return (chunk.printed ?? chunk.rows).length;
}
