import { EngineError } from '../errors.ts';
import { Follower } from '../flow/follow.ts';
import type { Route } from '../flow/route.ts';
import { markUpdate, type RunningJob, resumeFrom } from '../flow/running-job.ts';
import { Copier } from '../handover/copy.ts';
import { resyncMark, startCopy, TableProgress, untouchedMark } from '../handover/table-progress.ts';
import type { Mark, TableMark } from '../mark.ts';
import type { Position } from '../position.ts';
import { decideSchema } from '../schema/decide.ts';
import { tableOfShape } from '../schema/shape.ts';
import { watchSchema } from '../schema/watch.ts';
import { filtersOf, type RefusedTable } from '../selected-tables.ts';
import { tableName } from '../table.ts';

/**
 * Copies what is there and follows what changes, until the job ends.
 * @throws EngineError when it cannot go on; what was committed at the target is where the next process begins
 */
export async function sync(
  job: RunningJob,
  routes: readonly Route[],
  refused: readonly RefusedTable[] = [],
): Promise<never> {
  const mark = await job.sink.takeOver(job.spec.id);
  resumeFrom(job, mark);
  const from = await startPosition(job, mark, routes);
  for (const route of routes) addTable(job, route, mark.tables.get(route.source.id), from);
  await leaveOut(job, mark, refused, from);
  const stream = await job.source.stream(
    job.spec.id,
    from,
    routes.map(({ source }) => source),
    filtersOf(routes),
  );
  try {
    await Promise.all([new Follower(job, stream).run(), new Copier(job).run({ untilCopied: false }), watchSchema(job)]);
  } finally {
    await stream.close();
  }
  throw new EngineError('UNEXPECTED', { subject: 'the stream ended by itself' });
}

/** Tables that take no part this time lose their changes from here on, so they are copied again when they come back. */
async function leaveOut(job: RunningJob, mark: Mark, refused: readonly RefusedTable[], from: Position): Promise<void> {
  const codes = new Map(refused.flatMap(({ id, error }) => (id === null ? [] : [[id, error.code] as const])));
  const ids = [...new Set([...codes.keys(), ...mark.tables.keys()])].filter((id) => !job.tables.has(id));
  const left = ids.flatMap((id): [string, TableMark][] => {
    const known = mark.tables.get(id) ?? untouchedMark;
    if (known.skippedFrom) return [];
    return [[id, { ...known, state: 'blocked', skippedFrom: from, code: codes.get(id) ?? 'TABLE_MISSING' }]];
  });
  if (left.length > 0) await job.sink.write(markUpdate(job, { tables: new Map(left) }));
}

/** What a table begins with: a change of its columns while no process ran is treated as one that is seen by a process. */
function beginOf(job: RunningJob, route: Route, known: TableMark | undefined, from: Position): TableMark {
  if (!known) return job.spec.initialLoad ? untouchedMark : { ...untouchedMark, state: 'live' };
  // It could not take part at an earlier start, and can now.
  if (known.state === 'blocked' && wasLeftOut(known) && job.spec.initialLoad) return resyncMark();
  if (known.shape === null || known.state === 'blocked') return known;
  const before = { ...route, source: tableOfShape(known.shape, route.source) };
  const blocked = {
    ...known,
    state: 'blocked',
    code: 'TABLE_CHANGED',
    skippedFrom: known.skippedFrom ?? from,
  } as const;
  switch (decideSchema(before, route.source, job.spec.ddl)) {
    case 'add':
      return resyncMark();
    case 'wait':
      return blocked;
    case 'stop':
      throw new EngineError('TABLE_CHANGED', { side: 'source', table: tableName(route.source) });
    default:
      return known;
  }
}

const wasLeftOut = ({ code }: TableMark) =>
  code === 'TABLE_MISSING' ||
  code === 'COLUMN_MISSING' ||
  code === 'TABLE_WITHOUT_KEY' ||
  code === 'TYPE_NOT_SUPPORTED';

function addTable(job: RunningJob, route: Route, known: TableMark | undefined, from: Position): void {
  const table = new TableProgress(route, beginOf(job, route, known, from));
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
    // Tables that were not there, or could not take part, at an earlier start.
    await job.source.include(
      job.spec.id,
      routes.map(({ source }) => source),
    );
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
