import { EngineError } from '../errors.ts';
import { Follower } from '../flow/follow.ts';
import type { Route } from '../flow/route.ts';
import { markUpdate, type RunningJob, resumeFrom } from '../flow/running-job.ts';
import { Copier } from '../handover/copy.ts';
import { startCopy, TableProgress, untouchedMark } from '../handover/table-progress.ts';
import type { Mark, TableMark } from '../mark.ts';
import type { Position } from '../position.ts';
import { watchSchema } from '../schema/watch.ts';

/**
 * Copies what is there and follows what changes, until the job ends.
 * @throws EngineError when it cannot go on; what was committed at the target is where the next process begins
 */
export async function sync(job: RunningJob, routes: readonly Route[]): Promise<never> {
  const mark = await job.sink.takeOver(job.spec.id);
  resumeFrom(job, mark);
  const from = await startPosition(job, mark, routes);
  for (const route of routes) addTable(job, route, mark.tables.get(route.source.id));
  const stream = await job.source.stream(
    job.spec.id,
    from,
    routes.map(({ source }) => source),
  );
  try {
    await Promise.all([new Follower(job, stream).run(), new Copier(job).run({ untilCopied: false }), watchSchema(job)]);
  } finally {
    await stream.close();
  }
  throw new EngineError('UNEXPECTED', { subject: 'the stream ended by itself' });
}

function addTable(job: RunningJob, route: Route, known: TableMark | undefined): void {
  const mark = known ?? (job.spec.initialLoad ? untouchedMark : { ...untouchedMark, state: 'live' });
  const table = new TableProgress(route, mark);
  startCopy(job, table);
  job.tables.set(table.id, table);
  job.observer.changed(table);
}

/** Where the stream begins: at the mark, or at what the source reserves now. */
async function startPosition(job: RunningJob, mark: Mark, routes: readonly Route[]): Promise<Position> {
  const incarnation = await job.source.incarnation();
  if (mark.position) {
    const now = await job.source.now();
    if (mark.incarnation !== incarnation || mark.position.order > now.order)
      throw new EngineError('SOURCE_WENT_BACK', { side: 'source' });
    return mark.position;
  }
  const position = await job.source.reserve(
    job.spec.id,
    routes.map(({ source }) => source),
  );
  await job.sink.write(markUpdate(job, { incarnation, position, slice: 0 }));
  job.position = position;
  return position;
}
