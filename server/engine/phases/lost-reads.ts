import { EngineError } from '../errors.ts';
import { markUpdate, type RunningJob } from '../flow/running-job.ts';
import { mayCopyAgain } from '../handover/own-rows.ts';
import { resyncMark } from '../handover/table-progress.ts';
import type { Mark, TableMark } from '../mark.ts';
import type { Position } from '../position.ts';
import { nameOfShape } from '../schema/shape.ts';
import { listed } from '../table.ts';

/** The source positions up to which the target may have rows of a table, ahead of the stream. */
const readAt = ({ liveAfter, aheadUntil }: TableMark) => [liveAfter, aheadUntil].filter((one) => one !== null);

/**
 * Chunks and reread rows are ahead of the stream, so they may hold what the source has lost since: their tables are
 * copied again.
 * @param isLost whether the source lacks something from before a position
 * @returns the new marks of these tables
 * @throws EngineError SOURCE_WENT_BACK if a table may not be copied again automatically
 */
export function copyLostAgain(
  { spec }: RunningJob,
  tables: Mark['tables'],
  position: Position,
  isLost: (read: Position) => boolean,
): Map<string, TableMark> {
  const lost = [...tables].filter(([, table]) => table.state !== 'removed' && readAt(table).some(isLost));
  if (lost.some(([, table]) => !table.resync && !mayCopyAgain(spec, table)))
    throw new EngineError('SOURCE_WENT_BACK', { side: 'source' });
  return new Map(lost.map(([id, table]) => [id, copiedAgain(table, position)]));
}

/** A table that drops its changes stays as it is until it is resumed, and is then copied again. */
function copiedAgain(table: TableMark, position: Position): TableMark {
  const isSkipped = ['paused', 'blocked'].includes(table.state);
  if (isSkipped) return { ...table, skippedFrom: table.skippedFrom ?? position };
  // Its structure is still compared with the earlier one.
  return { ...resyncMark(), shape: table.shape };
}

/** What becomes of these tables. @param now begins the list of those that are copied again at once */
export function againSentence(again: ReadonlyMap<string, TableMark>, now: string): string {
  const names = [...again.values()].flatMap(({ state, shape }) =>
    state === 'waiting' && shape !== null ? [nameOfShape(shape)] : [],
  );
  if (names.length > 0) return `${now}: ${listed(names)}.`;
  return 'Paused or blocked tables may have rows that it lacks, and are copied again when they resume.';
}

/**
 * Looks whether the source still has what was read ahead of the stream: a power cut may have taken its latest commits, or
 * it was restored from a backup.
 * @returns the marks of the tables from then on
 * @throws EngineError SOURCE_WENT_BACK
 */
export async function takeLostReads(job: RunningJob, mark: Mark, position: Position): Promise<Mark['tables']> {
  const { source, sink, observer, spec } = job;
  const ahead = [...mark.tables.values()].flatMap(readAt).filter(({ order }) => order > position.order);
  const lost = new Set(ahead.length > 0 ? await source.lacks?.(spec.id, ahead) : []);
  if (lost.size === 0) return mark.tables;
  const again = copyLostAgain(job, mark.tables, position, (read) => lost.has(read));
  await sink.write(markUpdate(job, { tables: again }));
  const sentence = againSentence(again, 'Tables that may have them are copied again');
  observer.event(
    'warning',
    `The source has lost changes that were read from it, after a power cut or a restore. ${sentence}`,
  );
  return new Map([...mark.tables, ...again]);
}
