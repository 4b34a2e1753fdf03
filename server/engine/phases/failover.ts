import { EngineError } from '../errors.ts';
import { markUpdate, type RunningJob } from '../flow/running-job.ts';
import type { Mark, TableMark } from '../mark.ts';
import type { Position } from '../position.ts';
import { againSentence, copyLostAgain } from './lost-reads.ts';

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
  const again = copyLostAgain(job, mark.tables, position, (read) => read.order > end.order);
  // Together with the incarnation, since this is not checked again once that is written.
  await job.sink.write(markUpdate(job, { incarnation, tables: again }));
  tell(job, again);
  return new Map([...mark.tables, ...again]);
}

function tell({ observer }: RunningJob, again: ReadonlyMap<string, TableMark>): void {
  const replaced = 'Another server has replaced the source';
  if (again.size > 0) {
    const now = 'It may lack rows that were read from the previous one, so these tables are copied again';
    observer.event('warning', `${replaced}. ${againSentence(again, now)}`);
  } else observer.event('info', `${replaced} and has everything that the target has; the job continues.`);
}
