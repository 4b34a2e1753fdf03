import { isOfTable } from '../errors.ts';
import { type Route, routeRow } from '../flow/route.ts';
import { forgetSeen, markUpdate, type RunningJob, wantCopy } from '../flow/running-job.ts';
import { keyMark, type RangeMark, type TableMark } from '../mark.ts';
import { hasReached } from '../position.ts';
import type { Chunk } from '../source.ts';
import type { TableProgress } from './table-progress.ts';
import { blockTable } from './table-requests.ts';

/** How long to wait before a chunk is read again whose snapshot was too old, in milliseconds. */
const againMs = 50;
const idleMs = 1_000;
/** A chunk that the target does not take now is tried so often, with a pause in between, before its table is blocked. */
const mostTries = 10;
const patienceMs = 1_000;

/** A range of a table that one copier works on. */
interface Work {
  table: TableProgress;
  generation: number;
  range: number;
}

/** Forgetting waits until the chunks that were being read when a snapshot came back are settled. */
interface Forgetting {
  sees: Chunk['sees'];
  readings: Set<object>;
}

/** Loads the rows of every table that waits for it, chunk by chunk, while the stream goes on. */
export class Copier {
  readonly #job: RunningJob;
  readonly #taken = new Set<string>();
  readonly #readings = new Map<string, Set<object>>();
  readonly #forgettings = new Map<string, Forgetting[]>();

  constructor(job: RunningJob) {
    this.#job = job;
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
      if (range === -1 || !table.isCopied) continue;
      this.#taken.add(`${table.id} ${range}`);
      return { table, generation: table.generation, range };
    }
    return undefined;
  }

  /** Cuts a table into ranges once; they are stored with its first chunk. */
  async #cut(table: TableProgress): Promise<void> {
    const name = `${table.id} cut`;
    if (this.#taken.has(name)) return;
    this.#taken.add(name);
    try {
      const ranges = await this.#job.source.ranges(table.route.source, this.#job.limits.ranges);
      if (table.isCopied && table.mark.ranges.length === 0) table.mark = { ...table.mark, state: 'copying', ranges };
      this.#job.observer.changed(table);
    } catch (error) {
      await this.#refuse(table, error);
    } finally {
      this.#taken.delete(name);
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
    }
  }

  /** A lock of somebody else ends; a unique value that the chunk's row has taken over is free once the stream has passed. */
  async #copyPatiently(work: Work): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#copyChunk(work);
      } catch (error) {
        const ends = isOfTable(error) && (error.retry === 'timed' || error.code === 'UNIQUE_REFUSED');
        if (!ends || tries >= mostTries) throw error;
        await this.#job.clock.wait(patienceMs);
      }
    }
  }

  async #refuse(table: TableProgress, error: unknown): Promise<void> {
    if (!isOfTable(error)) throw error;
    await blockTable(this.#job, table, error);
  }

  async #copyChunk({ table, generation, range: index }: Work): Promise<void> {
    const range = table.mark.ranges[index];
    if (!range) return;
    const reading = {};
    const readings = this.#readings.get(table.id) ?? new Set();
    this.#readings.set(table.id, readings.add(reading));
    try {
      const { route } = table;
      const chunk = await this.#job.source.read(route.source, { range, limit: this.#job.limits.chunkRows });
      forgetSeen(this.#job, chunk);
      const loaded = await this.#job.locks.with([table.id], async () => {
        if (table.generation !== generation || !table.isCopied) return true;
        return await this.#load(table, route, index, range, chunk);
      });
      if (!loaded) return await this.#job.clock.wait(againMs);
      this.#forget(table, chunk, readings, reading);
    } finally {
      readings.delete(reading);
      this.#settleForgettings(table, reading);
    }
  }

  /** @returns false when the chunk must be read again */
  async #load(table: TableProgress, route: Route, index: number, range: RangeMark, chunk: Chunk): Promise<boolean> {
    const rows = chunk.rows.map((row) => routeRow(route, row));
    const settled = table.touched.settle(rows, chunk.sees);
    if (!settled) return false;
    const mark = afterChunk(table.mark, index, chunk);
    await this.#job.sink.load(
      {
        table: route.target,
        rows: settled.rows,
        absent: [],
        replace: table.mark.resync ? { range, upTo: chunk.last, keep: settled.keep } : null,
        conflict: this.#job.spec.conflict,
      },
      markUpdate(this.#job, { tables: new Map([[table.id, mark]]) }),
    );
    table.mark = mark;
    this.#job.observer.copied(table, chunk.rows.length);
    this.#job.observer.changed(table);
    return true;
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

function afterChunk(mark: TableMark, index: number, chunk: Chunk): TableMark {
  const ranges = mark.ranges.map((range, place) => {
    if (place !== index) return range;
    return { ...range, after: chunk.last ? keyMark(chunk.last) : range.after, done: chunk.last === null };
  });
  const liveAfter = mark.liveAfter && hasReached(mark.liveAfter, chunk.end) ? mark.liveAfter : chunk.end;
  const copied = ranges.every(({ done }) => done);
  return { ...mark, state: copied ? 'catching-up' : 'copying', ranges, liveAfter, rows: mark.rows + chunk.rows.length };
}
