import { type EngineError, isOfRow, isOfTable, isUniqueRefused } from '../errors.ts';
import { betweenTriesMs, mayTryAgain, mostTries } from '../flow/lock-patience.ts';
import type { Route } from '../flow/route.ts';
import { forgetSeen, markUpdate, type RunningJob, wantCopy } from '../flow/running-job.ts';
import type { TableMark } from '../mark.ts';
import { hasReached } from '../position.ts';
import { mendTarget } from '../schema/mend.ts';
import type { Chunk } from '../source.ts';
import { isInTheWay } from './held-moment.ts';
import { afterChunk, loadChunk } from './load-chunk.ts';
import { rereadsLock } from './make-room.ts';
import { PrintedChunks } from './printed-chunks.ts';
import { againMs, heldAfter, Readings } from './readings.ts';
import { rereadRows, rereadsOf } from './reread.ts';
import { isSweepDue, sweep } from './sweep.ts';
import type { TableProgress } from './table-progress.ts';
import { blockTable } from './table-requests.ts';

const idleMs = 1_000;
/** How long a table is left alone while another session has it locked. */
const leftAloneMs = 10_000;

/** A range of a table that one copier works on. */
interface Work {
  table: TableProgress;
  generation: number;
  range: number;
  /** A target row held a unique value of the next chunk, and the stream has passed that chunk's position. */
  mayMakeRoom: boolean;
  /** A row was refused, and the target could not be mended. */
  mayPark: boolean;
  /** How many times in a row the next chunk was too old when it arrived. */
  misses: number;
}

/** Loads the rows of every table that is waiting to be copied, chunk by chunk, while the stream continues. */
export class Copier {
  readonly #job: RunningJob;
  readonly #printed: PrintedChunks;
  readonly #taken = new Set<string>();
  readonly #readings = new Readings();
  /** Until when to leave tables alone that another session has locked. */
  readonly #leftAlone = new Map<TableProgress, number>();

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
        else if (untilCopied && this.#isOver()) return;
        else await this.#pause(wanted, untilCopied);
      }
    };
    await Promise.all(Array.from({ length: this.#job.spec.parallel }, one));
  }

  /** Whether a full copy has nothing left to do: a table that is locked or paused is not copied yet. */
  #isOver(): boolean {
    const tables = [...this.#job.tables.values()];
    return this.#taken.size === 0 && !tables.some(({ isCopied, mark }) => isCopied || mark.state === 'paused');
  }

  #isLeftAlone(table: TableProgress): boolean {
    return this.#job.clock.elapsed() < (this.#leftAlone.get(table) ?? 0);
  }

  /** Nothing to copy now. A full copy has no stream, so requests about its tables are served here. */
  async #pause(wanted: Promise<void>, isAlone: boolean): Promise<void> {
    await Promise.race([wanted, this.#job.clock.wait(idleMs)]);
    // A promise that stays pending forever would keep every wait on it alive.
    if (this.#job.copyWanted.promise === wanted) wantCopy(this.#job);
    if (isAlone) await this.#answerRequests();
  }

  async #answerRequests(): Promise<void> {
    for (let request = this.#job.requests.shift(); request; request = this.#job.requests.shift()) await request();
  }

  async #take(): Promise<Work | undefined> {
    for (const table of this.#job.tables.values()) {
      if (!table.isCopied || table.isHeld || this.#isLeftAlone(table)) continue;
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
      return { table, generation: table.generation, range, mayMakeRoom: false, mayPark: false, misses: 0 };
    }
    return undefined;
  }

  /** Finishes a table once all of its chunks are loaded. */
  async #complete(table: TableProgress): Promise<void> {
    const { ranges } = table.mark;
    if (!table.isCopied || ranges.length === 0 || ranges.some(({ done }) => !done)) return;
    const name = `${table.id} complete`;
    const { generation } = table;
    this.#taken.add(name);
    try {
      const isSwept = isSweepDue(table) && rereadsOf(this.#job, table).length === 0;
      if (isSwept) await sweep(this.#job, table);
      await this.#readLeft(table, generation, isSwept);
    } catch (error) {
      await this.#refuse(table, error);
    } finally {
      this.#taken.delete(name);
    }
  }

  /** Rereads rows that made room for others and that no chunk may have brought back, also while the table was swept. */
  async #readLeft(table: TableProgress, generation: number, isSwept: boolean): Promise<void> {
    const job = this.#job;
    await job.locks.with([table.id, rereadsLock], async () => {
      if (table.generation !== generation || !table.isCopied) return;
      // The stream waits meanwhile.
      await rereadRows(job, rereadsOf(job, table), 1);
      if (!table.isCopied || (isSweepDue(table) && !isSwept)) return;
      const mark: TableMark = { ...table.mark, state: 'catching-up' };
      await job.sink.write(markUpdate(job, { tables: new Map([[table.id, mark]]) }));
      table.mark = mark;
      job.observer.changed(table);
    });
  }

  #isTaken({ id }: TableProgress): boolean {
    return [...this.#taken].some((name) => name.startsWith(`${id} `));
  }

  /** Cuts a table into ranges once; they are stored with its first chunk. */
  async #cut(table: TableProgress): Promise<void> {
    const name = `${table.id} cut`;
    if (this.#taken.has(name)) return;
    this.#taken.add(name);
    try {
      const ranges = await this.#job.source.ranges(table.route.source, this.#job.limits.ranges);
      // A holder of the lock writes the mark as it was, and would overwrite the ranges.
      await this.#job.locks.with([table.id], async () => {
        if (table.isCopied && table.mark.ranges.length === 0) table.mark = { ...table.mark, state: 'copying', ranges };
      });
      this.#job.observer.changed(table);
    } catch (error) {
      await this.#refuse(table, error);
    } finally {
      this.#taken.delete(name);
      // Other copiers can begin with its further ranges.
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
      // Without a stream, copiers with nothing left to copy wait for the last one to end.
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

  /** Another session's lock ends; the target gets what is new at the source; the stream frees a unique value. */
  async #mayTryAgain(work: Work, error: EngineError, tries: number): Promise<boolean> {
    if (isInTheWay(this.#job.spec, error)) return false;
    if (isUniqueRefused(error)) {
      const isReplaced = work.table.mark.resync || this.#job.spec.conflict === 'replace';
      if (work.mayMakeRoom || (!isReplaced && tries >= mostTries)) return false;
      await this.#untilPassed(work);
      // Where the job keeps existing target rows, they stay.
      work.mayMakeRoom = isReplaced;
      return true;
    }
    if (error.retry === 'timed' && mayTryAgain(this.#job, tries)) {
      await this.#job.clock.wait(betweenTriesMs);
      return true;
    }
    const mended = await mendTarget(this.#job, work.table, error);
    if (mended === true) return true;
    if (mended !== error) throw mended;
    if (!isOfRow(error) || work.mayPark) return false;
    work.mayPark = true;
    return true;
  }

  /** Waits until the stream has delivered what a chunk read now holds; a full copy has no stream. */
  async #untilPassed({ table, generation }: Work): Promise<void> {
    const job = this.#job;
    const end = await job.source.now();
    while (table.isCopied && table.generation === generation && job.position && !hasReached(job.position, end))
      await job.clock.wait(againMs);
  }

  /** An error that passes on its own is retried, while the other tables continue. */
  async #refuse(table: TableProgress, error: unknown): Promise<void> {
    if (!isOfTable(error) || isInTheWay(this.#job.spec, error)) throw error;
    if (error.retry !== 'timed') return await blockTable(this.#job, table, error);
    this.#leftAlone.set(table, this.#job.clock.elapsed() + leftAloneMs);
    this.#job.observer.event('warning', `${error.message} ${error.hint}`, table);
  }

  async #copyChunk(work: Work): Promise<void> {
    const { table, range } = work;
    const job = this.#job;
    const asked = table.mark.ranges[range];
    if (!asked) return;
    const reading = this.#readings.begin(table);
    try {
      const { route } = table;
      const read = async (mayBeBinary: boolean) => {
        const part = { range: asked, limit: job.limits.chunkRows, mayBeBinary };
        const chunk = await job.source.read(route.source, part, route.selection.filter);
        forgetSeen(job, chunk);
        return chunk;
      };
      const { chunk, isLoaded } =
        work.misses < heldAfter ? await this.#load(work, route, read) : await this.#loadHeld(work, route, read);
      work.misses = isLoaded ? 0 : work.misses + 1;
      if (!isLoaded) return await job.clock.wait(againMs);
      reading.settle(chunk);
    } finally {
      reading.end();
    }
  }

  /** Reads a chunk while changes of its table are applied, and loads the rows of which the target has no newer form. */
  async #load(work: Work, route: Route, read: Read): Promise<Loaded> {
    const job = this.#job;
    const { table, range, mayMakeRoom, mayPark } = work;
    const chunk = await read(this.#printed.mayBeBinary(table));
    // Making room or parking needs a look at each row.
    const isPrinted =
      !mayMakeRoom &&
      !mayPark &&
      (await job.locks.share(table.id, async () => {
        const now = table.mark.ranges[range];
        if (isStale(work) || !now) return true;
        return await this.#printed.load(table, now, chunk, () => afterChunk(job, table, range, chunk));
      }));
    const isLoaded =
      isPrinted ||
      (!chunk.printed?.isBinary &&
        (await job.locks.with(
          locksOf(work),
          async () => isStale(work) || (await loadChunk(job, { ...work, route, chunk })),
        )));
    return { chunk, isLoaded };
  }

  /** The same while no change is applied, so none is newer than the chunk. */
  #loadHeld(work: Work, route: Route, read: Read): Promise<Loaded> {
    return this.#job.locks.with(locksOf(work), async () => {
      const chunk = await read(false);
      return { chunk, isLoaded: isStale(work) || (await loadChunk(this.#job, { ...work, route, chunk })) };
    });
  }
}

type Read = (mayBeBinary: boolean) => Promise<Chunk>;

interface Loaded {
  chunk: Chunk;
  isLoaded: boolean;
}

const isStale = ({ table, generation }: Work) => table.generation !== generation || !table.isCopied;
const locksOf = ({ table, mayMakeRoom }: Work) => (mayMakeRoom ? [table.id, rereadsLock] : [table.id]);
