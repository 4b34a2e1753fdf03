import { join } from 'node:path';
import { z } from 'zod';
import { jobCalls } from '../../client/contract/jobs/calls.ts';
import type { TestJobs } from './jobs.ts';

/** A child process whose first table's name says what it does. */
export const standIn = { childScript: join(import.meta.dirname, 'stand-in-job-process.ts') };

const idText = z.string().regex(/^\d+$/).transform(Number);

/** A SQLite data source. */
export async function addSource(jobs: TestJobs, file: string): Promise<number> {
  return idText.parse(
    await jobs.data(jobCalls.addDataSource, { type: 'SQLite', instanceDesc: file, settings: { file } }),
  );
}

/** A request for a one-table job between two data sources. */
export function newJob(srcDsId: number, dstDsId: number, table: string, changes: object = {}) {
  return {
    clusterId: 0,
    srcDsId,
    dstDsId,
    srcHostType: 'PRIVATE',
    dstHostType: 'PRIVATE',
    srcSchema: JSON.stringify([{ db: '', tables: [{ table }] }]),
    dstSchema: '',
    mappingDef: '[]',
    jobType: 'SYNC',
    specId: 0,
    structMigration: true,
    filterDDL: false,
    srcDsCharset: '',
    tarDsCharset: '',
    autoStart: true,
    ...changes,
  };
}

/** A job whose table's name says what it does. @returns its id */
export async function makeJob(jobs: TestJobs, table: string, changes: object = {}): Promise<number> {
  const request = newJob(await addSource(jobs, 'a.sqlite'), await addSource(jobs, 'b.sqlite'), table, changes);
  return idText.parse(await jobs.data(jobCalls.createJob, request));
}
