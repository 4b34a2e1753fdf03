import { isOfTable } from '../errors.ts';
import { routePrinted, routeRow } from '../flow/route.ts';
import { markUpdate, type RunningJob } from '../flow/running-job.ts';
import type { MarkUpdate, RangeMark, TableMark } from '../mark.ts';
import type { PrintedLoad } from '../sink.ts';
import type { Chunk } from '../source.ts';
import { TableLocks } from './locks.ts';
import type { TableProgress } from './table-progress.ts';

/** Loads chunks as the source printed them, several of a table side by side. */
export class PrintedChunks {
  readonly #job: RunningJob;
  readonly #marking = new TableLocks();
  /** Tables of which the target refused a binary chunk: their rows are checked one by one. */
  readonly #plain = new Set<string>();

  constructor(job: RunningJob) {
    this.#job = job;
  }

  /** Binary only if nothing but the copy writes, so that no row must be checked, and if each value keeps its type. */
  mayBeBinary({ id, route }: TableProgress): boolean {
    const isSame = route.places.every(
      (place, column) => route.source.columns[place]?.type === route.target.columns[column]?.type,
    );
    return this.#job.spec.type === 'MIGRATION' && isSame && !this.#plain.has(id);
  }

  /**
   * Loads a chunk while no batch of its table is applied.
   * @param nextMark returns the table's mark after this chunk, based on the current mark
   * @returns whether it is done; false if the print does not fit, or the target refuses a row
   */
  async load(table: TableProgress, range: RangeMark, chunk: Chunk, nextMark: () => TableMark): Promise<boolean> {
    const load = this.#fit(table, range, chunk);
    const isLoaded = load !== undefined && (await this.#write(table, load, chunk, nextMark));
    if (!isLoaded && chunk.printed?.isBinary) this.#plain.add(table.id);
    return isLoaded;
  }

  /** Rows that were touched meanwhile are taken out of the print and settled. */
  #fit(table: TableProgress, range: RangeMark, chunk: Chunk): PrintedLoad | undefined {
    const { route, touched, mark } = table;
    const unseen = touched.unseenKeys(chunk.sees);
    const taken = unseen && chunk.printed?.without(unseen);
    const printed = taken && routePrinted(route, taken.rest);
    if (!printed) return undefined;
    const settled = touched.settle(
      taken.rows.map((row) => routeRow(route, row)),
      chunk.sees,
    );
    return (
      settled && {
        table: route.target,
        printed,
        rows: settled.rows,
        absent: [],
        replace: mark.resync && route.target.ordered ? { range, upTo: chunk.last, keep: settled.keep } : null,
        // Rows that a resync finds are the job's own, and may be old.
        conflict: mark.resync ? 'replace' : this.#job.spec.conflict,
      }
    );
  }

  async #write(table: TableProgress, load: PrintedLoad, chunk: Chunk, nextMark: () => TableMark): Promise<boolean> {
    const { sink, observer } = this.#job;
    if (!sink.loadPrinted) return false;
    const committed = Promise.withResolvers<void>();
    let mark: TableMark | undefined;
    // A mark covers all ranges, so chunks create and write their marks, and commit, one after the other.
    const askMark = () =>
      new Promise<MarkUpdate>((resolve) => {
        void this.#marking.with([table.id], async () => {
          mark = nextMark();
          resolve(markUpdate(this.#job, { tables: new Map([[table.id, mark]]) }));
          await committed.promise;
        });
      });
    try {
      await sink.loadPrinted(load, askMark);
      if (mark) table.mark = mark;
    } catch (error) {
      if (!isOfTable(error) || error.retry === 'timed') throw error;
      return false;
    } finally {
      committed.resolve();
    }
    observer.copied(table, chunk.printed?.length ?? 0);
    observer.changed(table);
    return true;
  }
}
