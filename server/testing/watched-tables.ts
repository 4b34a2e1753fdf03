import { test as base, inject } from 'vitest';
import type { JobSpec } from '../engine/job.ts';
import { PairJob, pairSpec, type Users } from './pair-job.ts';
import { newJob, openSourceDatabase, type SourceDatabase } from './postgres-source.ts';

/** The tables of both databases; the target's are not partitioned. */
export const structure = `
  CREATE TYPE public.mood AS ENUM ('a', 'c');
  CREATE TABLE public.item (id int PRIMARY KEY, v int NOT NULL, code text UNIQUE, feeling public.mood);
  CREATE TABLE public.other (id int PRIMARY KEY, v text);
  CREATE TABLE public.parted (id int PRIMARY KEY, v text) PARTITION BY RANGE (id);
  CREATE TABLE public.parted_1 PARTITION OF public.parted FOR VALUES FROM (0) TO (100);
  CREATE TABLE public.parted_2 PARTITION OF public.parted FOR VALUES FROM (100) TO (200)`;

/** The statement that partitions the target's table like the source's. */
export const divided = `DROP TABLE public.parted; ${structure.slice(structure.indexOf('CREATE TABLE public.parted'))}`;

/** Widens a column and adds rows that need it, in one transaction. */
export const widen = `BEGIN; ALTER TABLE public.item ALTER v TYPE bigint;
  INSERT INTO public.item SELECT i, 10000000000 + i, 'c' || i, 'a' FROM generate_series(1001, 1020) AS i; COMMIT`;
/** Another partition at the source. */
export const third = 'CREATE TABLE public.parted_3 PARTITION OF public.parted FOR VALUES FROM (200) TO (300)';

/**
 * A test with two databases of its own and a job that follows tables from one into the other, so it can run in
 * parallel.
 */
export const test = base
  .extend('source', async ({ task: _ }, { onCleanup }): Promise<SourceDatabase> => {
    const source = await openSourceDatabase(inject('postgresUrl'));
    onCleanup(() => source.close());
    await source.sql(`${structure};
      INSERT INTO public.item SELECT i, i, 'c' || i, 'a' FROM generate_series(1, 120) AS i;
      INSERT INTO public.other SELECT i, 'v' FROM generate_series(1, 10) AS i;
      INSERT INTO public.parted SELECT i, 'v' FROM generate_series(1, 199) AS i`);
    return source;
  })
  .extend('target', async ({ task: _ }, { onCleanup }): Promise<SourceDatabase> => {
    const target = await openSourceDatabase(inject('postgresUrl'));
    onCleanup(() => target.close());
    await target.sql(structure.replace(/PARTITION BY.*$/s, ''));
    return target;
  })
  .extend('id', ({ task: _ }) => newJob())
  // Starts the job, or resumes it.
  .extend('begin', async ({ source, target, id }, { onCleanup }) => {
    let running: PairJob | undefined;
    onCleanup(() => running?.stop());
    return async (names: string[], changes: Partial<JobSpec> = {}, users: Users = {}): Promise<PairJob> => {
      running = await PairJob.start(source, target, pairSpec(id, names, changes), users);
      return running;
    };
  })
  // The same, until each table is live.
  .extend('start', ({ begin }) => async (names = ['item', 'other', 'parted'], changes: Partial<JobSpec> = {}) => {
    const job = await begin(names, changes);
    for (const name of names) await job.untilState(`public.${name}`, 'live');
    return job;
  })
  // Both sides have the same rows, now or once the job has finished its current work.
  .extend('untilEqual', ({ source, target }) => async (job: PairJob, name: string, columns?: string) => {
    const wanted = await rows(source, name, columns);
    await job.until(async () => (await rows(target, name, columns)) === wanted);
  });

/** All rows of a table, ordered by key. */
export async function rows(db: SourceDatabase, name: string, columns = '*'): Promise<string> {
  return JSON.stringify(await db.sql(`SELECT ${columns} FROM public.${name} ORDER BY 1`));
}

/** What a job said about a table. */
export function saidOf(job: PairJob, name: string): string[] {
  return job.events.filter((event) => event.startsWith(`public.${name}:`));
}
