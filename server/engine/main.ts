import { EngineError } from './errors.ts';
import { faultOf } from './fault.ts';
import { systemClock } from './flow/clock.ts';
import type { Route } from './flow/route.ts';
import { defaultLimits, newRunningJob, type RunningJob } from './flow/running-job.ts';
import { requestRetry } from './handover/retry.ts';
import { isTaken } from './handover/table-progress.ts';
import { requestTable } from './handover/table-requests.ts';
import type { JobSpec } from './job.ts';
import { withNamesakes } from './namesakes.ts';
import { copyAll } from './phases/full.ts';
import { JobStructure, nothingUnmade, type Unmade } from './phases/job-structure.ts';
import { retryParked } from './phases/retry.ts';
import { sync } from './phases/sync.ts';
import { noteTaken } from './phases/taken-targets.ts';
import { hasReached } from './position.ts';
import { type Command, commandSchema, type Report, type Retry } from './protocol.ts';
import { findLoop } from './replication-loop.ts';
import { Reporter } from './reporter.ts';
import {
  makeRoutes,
  type RefusedTable,
  type SelectedTable,
  selectTables,
  targetsOf,
  targetTables,
} from './selected-tables.ts';
import type { Sink } from './sink.ts';
import { openSides } from './systems/systems.ts';
import { tableName } from './table.ts';

type TableCommand = Extract<Command, { kind: 'table' | 'retry' }>;

/** The process of one job: takes commands from the supervisor, and exits when the supervisor is gone. */

const tellMs = 1_000;
const logMs = 10_000;
const endMs = 5_000;
/** Work that hangs beyond this is abandoned: the mark at the target says where the next process begins. */
const graceMs = 8_000;

const stopping = new AbortController();
let running: RunningJob | undefined;
/** Requests for tables that arrived before the tables were known. */
const early: TableCommand[] = [];

process.on('message', (message) => {
  const command = commandSchema.safeParse(message);
  if (!command.success)
    return send({ kind: 'failed', fault: faultOf(new EngineError('UNEXPECTED', { subject: 'command' })) });
  if (command.data.kind === 'start') void run(command.data.spec, command.data.retries);
  else if (command.data.kind === 'stop') stop();
  else if (running) request(running, command.data);
  else early.push(command.data);
});
// An unhandled rejection also ends the job and is reported.
process.on('unhandledRejection', (error) => end({ kind: 'failed', fault: faultOf(error) }));
process.on('disconnect', () => process.exit(0));
process.on('SIGTERM', stop);
// The terminal sends it to all processes: the supervisor decides.
process.on('SIGINT', () => undefined);

function request(job: RunningJob, asked: TableCommand): void {
  const { id, order } = asked;
  const carried = () => {
    if (order !== undefined) send({ kind: 'carried', order });
  };
  const restart = () => send({ kind: 'restart', ...(order !== undefined && { order }) });
  if (asked.kind === 'retry') requestRetry(job, id, asked.row, carried);
  else requestTable(job, id, asked.action, { carried, restart });
}

function stop(): void {
  stopping.abort();
  setTimeout(() => process.exit(0), graceMs).unref();
}

function send(report: Report): void {
  // Without a channel the process exits on its own.
  if (process.connected) process.send?.(report, () => undefined);
}

/** Sends the last message and exits once it is sent. */
function end(report: Report): void {
  if (!process.connected || !process.send) process.exit(0);
  process.send(report, () => process.exit(0));
}

async function run(spec: JobSpec, retries: readonly Retry[] | undefined): Promise<void> {
  const failing = new AbortController();
  try {
    const signal = AbortSignal.any([stopping.signal, failing.signal]);
    if (retries) await runRetries(spec, retries, signal);
    else await runPhases(spec, signal);
    end({ kind: 'ended', complete: true });
  } catch (error) {
    failing.abort();
    if (stopping.signal.aborted) end({ kind: 'ended', complete: false });
    else end({ kind: 'failed', fault: faultOf(error) });
  }
}

async function runPhases(spec: JobSpec, signal: AbortSignal): Promise<void> {
  send({ kind: 'phase', phase: 'INIT' });
  const { source, sink } = await openSides(spec, signal);
  const loop = await findLoop(spec, source, sink);
  if (loop) throw loop;
  // Before anything is created there: tables that another job writes into are left alone.
  const taken = await sink.claim(spec.id, targetsOf(spec));
  const tables = spec.tables.filter(({ target }) => !taken.has(tableName(target)));
  const structure = new JobStructure({ ...spec, tables }, { source, sink }, (level, sentence, table) =>
    send({ kind: 'event', at: Date.now(), level, table, sentence }),
  );
  if (spec.type === 'STRUCT_MIGRATION') {
    await structure.make('before');
    return await structure.make('after');
  }
  const isCopyOnly = spec.type === 'MIGRATION';
  if (isCopyOnly && spec.structure) await structure.make('before');
  const { late, ...unmade } = isCopyOnly ? nothingUnmade : await begin(structure, spec, sink);
  const { selected, refused } = await selectTables(source, spec);
  const made = makeRoutes(spec, selected, await targetTables(sink, spec), { late, taken, unmade: unmade.tables });
  const reporter = new Reporter(send, estimates(selected), isCopyOnly);
  const allRefused = await withNamesakes({ source, sink }, [...refused, ...made.refused]);
  reporter.refused(allRefused);
  await noteTaken(spec, sink, allRefused);
  const [first] = allRefused;
  // A full copy first records the state of its tables.
  if (made.routes.length === 0 && first && !isCopyOnly) throw unmade.type ?? first.error;
  const job = newJob(spec, { source, sink }, reporter, signal);
  running = job;
  for (const command of early.splice(0)) request(job, command);
  const telling = setInterval(() => reporter.tell(job.position?.resume ?? null), tellMs);
  try {
    if (isCopyOnly) await copyWhole(job, structure, made.routes, allRefused);
    else
      await Promise.all([
        sync(job, made.routes, allRefused, late),
        spec.structure ? structure.finish(job) : undefined,
        watchLog(job, reporter),
        watchEnd(job, reporter),
      ]);
  } finally {
    clearInterval(telling);
    reporter.tell(job.position?.resume ?? null);
  }
  reporter.phase('COMPLETE');
}

/** Creates the initial structure of a job that follows, if the job creates structure. */
async function begin(structure: JobStructure, spec: JobSpec, sink: Sink): Promise<Unmade> {
  return spec.structure ? await structure.begin(await settledTables(sink, spec)) : nothingUnmade;
}

/** Tables that an earlier process carried: a job that ignores changes leaves them as they are at the target. */
async function settledTables(sink: Sink, { id, ddl }: JobSpec): Promise<ReadonlySet<string>> {
  if (ddl !== 'ignore') return new Set();
  const { tables } = await sink.takeOver(id);
  return new Set([...tables].flatMap(([table, mark]) => (isTaken(mark) ? [] : [table])));
}

/** Tables that are missing fail a full copy at the end, when everything else is copied. */
async function copyWhole(
  job: RunningJob,
  structure: JobStructure,
  routes: readonly Route[],
  refused: readonly RefusedTable[],
): Promise<void> {
  await copyAll(job, routes, refused);
  if (job.spec.structure && routes.length > 0) await structure.make('after');
  for (const { error } of refused) throw error;
  // It writes no more, so other jobs may.
  await job.sink.claim(job.spec.id, []);
}

/** A completed full copy retries rows that its target may accept by now; nothing else of it is repeated. */
async function runRetries(spec: JobSpec, retries: readonly Retry[], signal: AbortSignal): Promise<void> {
  const { source, sink } = await openSides(spec, signal);
  const { selected, refused } = await selectTables(source, spec);
  const made = makeRoutes(spec, selected, await targetTables(sink, spec));
  const reporter = new Reporter(send, estimates(selected), true);
  const job = newJob(spec, { source, sink }, reporter, signal);
  try {
    await retryParked(job, made.routes, [...refused, ...made.refused], retries);
  } finally {
    reporter.tell(null);
  }
}

function newJob(
  spec: JobSpec,
  sides: Pick<RunningJob, 'source' | 'sink'>,
  observer: Reporter,
  signal: AbortSignal,
): RunningJob {
  return newRunningJob({ spec, ...sides, clock: systemClock(signal), limits: defaultLimits, observer, signal });
}

/** The source keeps its log until the target holds it; a warning comes before the source's disk is full. */
async function watchLog(job: RunningJob, reporter: Reporter): Promise<never> {
  for (;;) {
    await job.clock.wait(logMs);
    const room = await job.source.logRoom?.(job.spec.id);
    reporter.retained(await job.source.retained(job.spec.id), room ?? null);
  }
}

/** The stream shows how old its changes are; for changes it has not reached, the end of the log does. */
async function watchEnd(job: RunningJob, reporter: Reporter): Promise<never> {
  for (;;) {
    const end = await job.source.now();
    const since = performance.now();
    while (!hasReached(job.position, end)) {
      // A job without a position does not follow anything yet.
      reporter.behind(job.position && since);
      await job.clock.wait(tellMs);
    }
    reporter.behind(null);
    await job.clock.wait(endMs);
  }
}

function estimates(selected: readonly SelectedTable[]): Map<string, number> {
  return new Map(selected.map(({ source: { id, size } }) => [id, size.rows]));
}
