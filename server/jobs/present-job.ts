import { z } from 'zod';
import type { Job, JobFault, JobSide, JobTask, TableCounts } from '../../client/contract/jobs/jobs.ts';
import { accountOf } from '../console/account/accounts.ts';
import { addressOf, databaseOf } from './data-source-address.ts';
import { type DataSourceRow, dataSourcesToShow } from './data-sources.ts';
import { stateOf } from './jobs.ts';
import { openDate } from './open-date.ts';
import { sharesPlaces, waitsForPlace } from './pool.ts';
import { isDamaged, type ShownJob } from './readable-jobs.ts';
import { readableRows } from './readable-rows.ts';
import { lagByMinute } from './samples.ts';
import type { JobServices } from './services.ts';
import { possibleActions } from './state.ts';
import { supervisorLock } from './supervisor-lock.ts';
import { noTables, tableCounts } from './tables.ts';

const consoleJobRow = z.object({
  id: z.number(),
  job_id: z.number(),
  state: z.enum(['WAIT_START', 'EXECUTE', 'SUCCESS', 'FAILED', 'CANCELED', 'SKIP']),
});

/** The parts of a request that are returned unchanged. */
const texts = z.object({
  srcSchema: z.unknown().optional(),
  dstSchema: z.unknown().optional(),
  mappingDef: z.unknown().optional(),
  filterDDL: z.unknown().optional(),
  structMigration: z.unknown().optional(),
  initialSync: z.unknown().optional(),
  ddl: z.enum(['safe', 'ignore', 'stop']).optional(),
  keyConflictStrategy: z.unknown().optional(),
  addNewTables: z.unknown().optional(),
});

const fewJobs = 10;

/** Jobs of an account as its console and other clients see them. */
export async function presentJobs(services: JobServices, uid: string, rows: readonly ShownJob[]): Promise<Job[]> {
  if (rows.length === 0) return [];
  const { database } = services;
  const account = await accountOf(database, uid);
  const sources = new Map((await dataSourcesToShow(services, 'uid = $1', [uid])).map((one) => [one.id, one]));
  const counts = await tableCounts(services, uid);
  const lags = await lagsOf(services, uid, rows);
  const waits = rows.some(sharesPlaces) ? await waitsForPlace(services) : new Map<number, string>();
  const made = await readableRows(
    services,
    { what: 'console job', schema: consoleJobRow },
    'SELECT c.id, c.job_id, c.state FROM console_job c JOIN data_job j ON j.id = c.job_id WHERE j.uid = $1',
    [uid],
  );
  const consoleJobs = new Map(made.map((one) => [one.job_id, one]));
  return (await withoutLost(services, rows)).map((row) => {
    const making = consoleJobs.get(row.id);
    const request = texts.parse(row.request.given);
    const side = (id: number) => presentSide(services, sources.get(id));
    return {
      dataJobId: row.id,
      dataJobName: row.name,
      dataJobDesc: row.description,
      userName: account?.username ?? '',
      dataJobType: row.type,
      dataTaskState: row.phase,
      currTaskStatus: row.status,
      lifeCycleState: row.life_cycle,
      haveException: row.fault !== null || making?.state === 'FAILED',
      sourceDsVO: side(row.source_id),
      targetDsVO: side(row.target_id),
      sourceSchema: asText(request.srcSchema),
      targetSchema: asText(request.dstSchema),
      mappingConfig: asText(request.mappingDef),
      consoleJobId: making?.id ?? 0,
      consoleTaskState: making?.state ?? 'SUCCESS',
      dataTasks: tasksOf(row),
      gmtCreated: openDate(row.created_at),
      filterDdl: isTrue(request.filterDDL),
      ddl: request.ddl ?? (isTrue(request.filterDDL) ? 'ignore' : 'safe'),
      keyConflictStrategy: request.keyConflictStrategy === 'REPLACE' ? 'REPLACE' : 'IGNORE',
      addNewTables: isTrue(request.addNewTables),
      structMigration: isTrue(request.structMigration),
      initialSync: isTrue(request.initialSync ?? true),
      fsmActive: row.status !== 'INIT',
      possible: isDamaged(row) ? [] : possibleActions(stateOf(row)),
      waitsFor: waits.get(row.id) ?? null,
      fault: faultOf(row),
      lagMs: lagNow(row),
      lagByMinute: lags.get(row.id) ?? Array.from({ length: 60 }, () => null),
      tables: counts.get(row.id) ?? beforeTheFirstReport(row),
      seenAt: row.sampled_at,
      practice: row.practice,
      // Events alone do not change a job's revision.
      version: row.revision + row.last_event,
    };
  });
}

/** One job of an account. */
export async function presentJob(services: JobServices, uid: string, row: ShownJob): Promise<Job> {
  const [job] = await presentJobs(services, uid, [row]);
  if (!job) throw new Error('A stored job could not be shown.');
  return job;
}

/** A few jobs are queried one by one, since an hour of all of an account's jobs is many samples. */
async function lagsOf(services: JobServices, uid: string, rows: readonly ShownJob[]) {
  const now = services.now();
  if (rows.length > fewJobs) return lagByMinute(services, { uid }, now);
  const lags = new Map<number, (number | null)[]>();
  for (const { id } of rows) {
    for (const [job, hour] of await lagByMinute(services, { jobId: id }, now)) lags.set(job, hour);
  }
  return lags;
}

/** The stored state of a job that ran under a process that is gone is out of date: the next process starts it again. */
async function withoutLost({ database }: JobServices, rows: readonly ShownJob[]): Promise<readonly ShownJob[]> {
  if (rows.every(({ status }) => status !== 'RUNNING') || (await database.isHeld(supervisorLock))) return rows;
  return rows.map((row) => (row.status === 'RUNNING' ? { ...row, status: 'WAIT_RESTART' } : row));
}

function presentSide({ jobs }: JobServices, source: DataSourceRow | undefined): JobSide {
  if (!source) throw new Error('A job has a data source that is not stored.');
  return {
    id: source.id,
    instanceId: source.instance_id,
    instanceDesc: source.description,
    dataSourceType: jobs.cards.find(({ family }) => family === source.family)?.name ?? source.family,
    hostType: source.labels.hostType,
    deployType: source.labels.deployType,
    region: source.labels.region,
    lifeCycleState: 'CREATED',
    family: source.family,
    address: addressOf(source.settings),
    database: databaseOf(source.settings),
  };
}

/** The tasks by which clients know a job; their numbers are derived from the job's. */
function tasksOf(row: ShownJob): JobTask[] {
  const types: JobTask['dataTaskType'][] =
    row.type === 'SYNC' ? ['FULL', 'INCREMENT'] : row.type === 'MIGRATION' ? ['FULL'] : ['BUILD_STRUCT'];
  return types.map((dataTaskType, index) => ({
    dataTaskId: row.id * 10 + index,
    dataTaskType,
    dataTaskName: `${row.name}_${dataTaskType}`,
    dataTaskStatus: row.status,
    workerIp: '',
  }));
}

/** The job that a task belongs to. */
export function jobIdOfTask(taskId: number): number {
  return Math.floor(taskId / 10);
}

/** Only a running job has a lag: an old figure would look current. */
function lagNow(row: ShownJob): number | null {
  if (row.status !== 'RUNNING' || row.sample === null) return null;
  return row.sample.lagMs;
}

function faultOf({ fault, status, next_try_at }: ShownJob): JobFault | null {
  return fault && { ...fault, nextTryAt: status === 'WAIT_RESTART' || status === 'DELETE' ? next_try_at : null };
}

function beforeTheFirstReport({ tables }: ShownJob): TableCounts {
  const total = tables?.length ?? 0;
  return { ...noTables, total, waiting: total };
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);
}

function isTrue(value: unknown): boolean {
  return value === true || value === 'true';
}
