import { z } from 'zod';
import type { Queries } from '../storage/database.ts';
import { JobError } from './errors.ts';
import { flag, jsonColumn } from './jobs.ts';
import { readableRows } from './readable-rows.ts';
import type { JobServices } from './services.ts';

/** What a process that can run jobs tells of its machine. */
const workerFacts = z.object({
  ip: z.string(),
  cores: z.number(),
  totalMemoryMb: z.number(),
  freeMemoryMb: z.number(),
  cpuUseRatio: z.number(),
  // Workers of 0.3.0 do not report it.
  totalDiskGb: z.number().default(0),
  freeDiskGb: z.number().default(0),
  system: z.string(),
});
export type WorkerFacts = z.infer<typeof workerFacts>;

/** A process that has not reported for this long is gone. */
export const goneAfterMs = 30_000;

const row = z.object({
  id: z.number(),
  name: z.string(),
  takes_jobs: flag,
  memory_percent: z.number(),
  facts: jsonColumn(workerFacts),
  seen_at: z.number(),
});

const noFacts: WorkerFacts = {
  ip: '',
  cores: 0,
  totalMemoryMb: 0,
  freeMemoryMb: 0,
  cpuUseRatio: 0,
  totalDiskGb: 0,
  freeDiskGb: 0,
  system: '',
};
/** What is shown of a worker whose facts cannot be read; a live one rewrites them in a moment. */
const rest = row.extend({ facts: z.unknown().transform(() => noFacts) });

const countRow = z.object({ n: z.number() });

/** A server process that runs jobs, as open API clients know workers. */
export const workerSchema = z
  .object({
    id: z.int(),
    clusterId: z.int(),
    privateIp: z.string(),
    publicIp: z.string(),
    cloudOrIdcName: z.string(),
    region: z.string(),
    workerName: z.string(),
    workerDesc: z.string(),
    workerSeqNumber: z.string(),
    totalTaskMemMb: z.int(),
    taskHeapSizeMb: z.int(),
    memOverSoldPercent: z.int(),
    physicMemMb: z.int(),
    freeMemMb: z.int(),
    physicCoreNum: z.int(),
    logicalCoreNum: z.int(),
    physicDiskGb: z.int(),
    freeDiskGb: z.int(),
    cpuUseRatio: z.number(),
    memUseRatio: z.number(),
    workerLoad: z.number(),
    workerType: z.literal('VM'),
    workerState: z.enum(['ONLINE', 'OFFLINE', 'ABNORMAL']),
    healthLevel: z.enum(['Health', 'Unhealthy']),
    deployStatus: z.string(),
    installConsoleJobId: z.int(),
    uninstallConsoleJobId: z.int(),
    consoleTaskState: z.string(),
  })
  .meta({ id: 'Worker' });

/** Server processes that run jobs. */
export async function listWorkers(services: JobServices): Promise<z.infer<typeof workerSchema>[]> {
  const { now } = services;
  const rows = await readableRows(
    services,
    { what: 'worker', schema: row, rest },
    'SELECT id, name, takes_jobs, memory_percent, facts, seen_at FROM job_worker ORDER BY id',
    [],
  );
  return rows.map(({ id, name, takes_jobs, memory_percent, facts, seen_at }) => ({
    id,
    clusterId: 1,
    privateIp: facts.ip,
    publicIp: '',
    cloudOrIdcName: '',
    region: '',
    workerName: name,
    workerDesc: facts.system,
    workerSeqNumber: name,
    totalTaskMemMb: Math.round((facts.totalMemoryMb * memory_percent) / 100),
    taskHeapSizeMb: 0,
    memOverSoldPercent: memory_percent,
    physicMemMb: facts.totalMemoryMb,
    freeMemMb: facts.freeMemoryMb,
    physicCoreNum: facts.cores,
    logicalCoreNum: facts.cores,
    physicDiskGb: facts.totalDiskGb,
    freeDiskGb: facts.freeDiskGb,
    cpuUseRatio: facts.cpuUseRatio,
    memUseRatio: Math.round((1 - facts.freeMemoryMb / Math.max(1, facts.totalMemoryMb)) * 100),
    workerLoad: facts.cpuUseRatio,
    workerType: 'VM',
    workerState: now() - seen_at > goneAfterMs ? 'ABNORMAL' : takes_jobs ? 'ONLINE' : 'OFFLINE',
    healthLevel: now() - seen_at > goneAfterMs ? 'Unhealthy' : 'Health',
    deployStatus: 'INSTALLED',
    installConsoleJobId: 0,
    uninstallConsoleJobId: 0,
    consoleTaskState: 'SUCCESS',
  }));
}

const takerRow = z.object({ name: z.string() });

/** Names of the workers that take jobs: those seen recently, and the one that asks. */
export async function workersTaking({ database, now }: JobServices, own: string): Promise<string[]> {
  const takers = await database.all(
    takerRow,
    'SELECT name FROM job_worker WHERE takes_jobs = 1 AND (name = $1 OR seen_at > $2)',
    [own, now() - goneAfterMs],
  );
  return takers.map(({ name }) => name);
}

/** Changes a worker. @throws JobError NO_WORKER */
export async function changeWorker(
  queries: Queries,
  id: number,
  column: 'takes_jobs' | 'memory_percent' | 'alerts',
  value: number | string,
): Promise<void> {
  if ((await queries.run(`UPDATE job_worker SET ${column} = $1 WHERE id = $2`, [value, id])) === 0) {
    throw new JobError('NO_WORKER');
  }
}

/** @throws JobError NOT_POSSIBLE while jobs run or are about to */
export async function requireIdle(queries: Queries): Promise<void> {
  const running = await queries.one(
    countRow,
    "SELECT count(*) AS n FROM data_job WHERE status IN ('WAIT_START', 'RUNNING', 'WAIT_RESTART', 'WAIT_STOP')",
  );
  if ((running?.n ?? 0) > 0) throw new JobError('NOT_POSSIBLE', 'Jobs are running or about to run: stop them first.');
}
