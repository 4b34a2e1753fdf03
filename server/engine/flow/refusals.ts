import { EngineError, isOfRow, isOfTable, isUniqueRefused } from '../errors.ts';
import { untoldEnds } from '../handover/command-ends.ts';
import { makeRoom } from '../handover/make-room.ts';
import { mayCopyAgain } from '../handover/own-rows.ts';
import { mostRounds } from '../handover/reread.ts';
import type { TableProgress } from '../handover/table-progress.ts';
import { mendTarget } from '../schema/mend.ts';
import { tableName } from '../table.ts';
import type { BatchBuilder } from './batch-builder.ts';
import { betweenTriesMs, isMadeNow } from './lock-patience.ts';
import type { RunningJob } from './running-job.ts';

/** What is done about rows of one batch that the target refuses. */
export class Refusals {
  readonly #job: RunningJob;
  readonly #batch: BatchBuilder;
  /** How often the target was mended for this batch. */
  readonly #rounds = new Map<TableProgress, number>();
  /** Refused rows are parked only if the target cannot be mended. */
  mayPark = false;

  constructor(job: RunningJob, batch: BatchBuilder) {
    this.#job = job;
    this.#batch = batch;
  }

  /** Mends the target, decides that rows may be parked, or blocks the table: then the batch is tried again. */
  async mendOrRefuse(error: EngineError): Promise<void> {
    const mended = await this.#mend(error).catch((lock: unknown) => this.#leave(error, lock));
    if (mended === true) return;
    if (isOfRow(mended) && !this.mayPark) this.mayPark = true;
    else this.#refuse(mended);
  }

  /**
   * Makes the target accept what it refused: adds a label, type or partition, or frees the unique value of a chunk's
   * row.
   * @returns true if it may accept it now; otherwise the reason why not
   */
  async #mend(error: EngineError): Promise<true | EngineError> {
    const refused = this.#refusedTable(error);
    if (!refused || refused.isSkipped) return error;
    const round = (this.#rounds.get(refused) ?? 0) + 1;
    this.#rounds.set(refused, round);
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
      blockWithBatch(this.#job, refused, new EngineError('TABLE_CHANGED', { ...lock.place, subject }));
    }
    return true;
  }

  #blockUntilAsked(refused: TableProgress, lock: EngineError): void {
    blockWithBatch(this.#job, refused, lock);
    refused.ask(untoldEnds);
    this.#job.schemaChanged.resolve();
  }

  #refusedTable({ place }: EngineError): TableProgress | undefined {
    return this.#batch.steps.find(({ table }) => tableName(table.route.target) === place.table)?.table;
  }

  #refuse(error: EngineError): void {
    const refused = this.#refusedTable(error);
    if (!refused || refused.isSkipped) throw error;
    blockWithBatch(this.#job, refused, error);
  }
}

/** Blocks a table; its new state is written with the batch. */
export function blockWithBatch({ observer }: RunningJob, refused: TableProgress, error: EngineError): void {
  refused.fault = error;
  refused.generation++;
  refused.mark = { ...refused.mark, state: 'blocked', code: error.code };
  observer.blocked(refused, error);
}
