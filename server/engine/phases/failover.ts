import { EngineError } from '../errors.ts';
import { markUpdate, type RunningJob } from '../flow/running-job.ts';
import { mayCopyAgain } from '../handover/own-rows.ts';
import { resyncMark } from '../handover/table-progress.ts';
import type { Mark, TableMark } from '../mark.ts';
import type { Position } from '../position.ts';
import { nameOfShape } from '../schema/shape.ts';
import { listed } from '../table.ts';

/**
 * Continues at another server, if it has everything that the source had up to the mark's position. Chunks and reread
 * rows are ahead of the stream, so they may hold what only the old source had: their tables are copied again. From then
 * on the mark belongs to the new server, so there is no way back.
 * @returns the marks of the tables from then on
 * @throws EngineError SOURCE_WENT_BACK
 */
export async function failOver(
  job: RunningJob,
  mark: Mark,
  position: Position,
  incarnation: string,
): Promise<Mark['tables']> {
  const wentBack = new EngineError('SOURCE_WENT_BACK', { side: 'source' });
  // Where a partly applied transaction committed is unknown.
  if (mark.incarnation === null || mark.slice > 0) throw wentBack;
  const end = await job.source.sharedUntil?.(mark.incarnation);
  if (!end || position.order > end.order) throw wentBack;
  const ahead = [...mark.tables].filter(([, table]) => table.state !== 'removed' && isAhead(table, end));
  if (ahead.some(([, table]) => !table.resync && !mayCopyAgain(job.spec, table))) throw wentBack;
  const again = new Map(ahead.map(([id, table]) => [id, copiedAgain(table, position)]));
  // Together with the incarnation, since this is not checked again once that is written.
  await job.sink.write(markUpdate(job, { incarnation, tables: again }));
  tell(job, [...again.values()]);
  return new Map([...mark.tables, ...again]);
}

/** Whether the target may have rows of a table from after a source position. */
function isAhead({ liveAfter, aheadUntil }: TableMark, end: Position): boolean {
  return [liveAfter, aheadUntil].some((one) => one !== null && one.order > end.order);
}

/** A table that drops its changes stays as it is until it is resumed, and is then copied again. */
function copiedAgain(table: TableMark, position: Position): TableMark {
  const isSkipped = ['paused', 'blocked'].includes(table.state);
  if (isSkipped) return { ...table, skippedFrom: table.skippedFrom ?? position };
  // Its structure is still compared with the earlier one.
  return { ...resyncMark(), shape: table.shape };
}

function tell({ observer }: RunningJob, again: readonly TableMark[]): void {
  const names = again.flatMap(({ state, shape }) =>
    state === 'waiting' && shape !== null ? [nameOfShape(shape)] : [],
  );
  if (names.length > 0)
    observer.event(
      'warning',
      `Another server has replaced the source. It may lack rows that were read from the previous one, so these tables are copied again: ${listed(names)}.`,
    );
  else if (again.length > 0)
    observer.event(
      'warning',
      'Another server has replaced the source. Paused or blocked tables may have rows that it lacks, and are copied again when they resume.',
    );
  else
    observer.event(
      'info',
      'Another server has replaced the source and has everything that the target has; the job continues.',
    );
}
