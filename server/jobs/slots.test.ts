import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { jobCalls } from '../../client/contract/jobs/calls.ts';
import type { Job } from '../../client/contract/jobs/jobs.ts';
import { newJob } from '../testing/job-fixtures.ts';
import { openTestJobs } from '../testing/jobs.ts';
import { createDatabase, logicalCluster, startPostgres } from '../testing/postgres.ts';
import { preparePostgres18 } from '../testing/postgres-18.ts';
import { settingsOf } from '../testing/postgres-source.ts';
import { TestDatabase } from '../testing/rig/database.ts';

/** Longer than a job waits before it tries again. */
const waitMs = 61_000;

/** Two databases of a server with these settings, and jobs from one to the other. */
async function openServer(version: 15 | 18, settings: Record<string, string>) {
  const installed = version === 18 ? preparePostgres18() : undefined;
  const server = await startPostgres({
    ...logicalCluster,
    settings: { ...logicalCluster.settings, ...settings },
    ...(installed && { programs: installed.programs, epoch: 0 }),
  });
  const jobs = await openTestJobs();
  const [source, target] = [
    new TestDatabase(await createDatabase(server.url)),
    new TestDatabase(await createDatabase(server.url)),
  ];
  onTestFinished(async () => {
    await jobs.close();
    await Promise.all([source.close(), target.close()]);
    await server.stop();
    installed?.remove();
  });
  const add = async ({ url }: TestDatabase) =>
    Number(
      await jobs.data(jobCalls.addDataSource, { type: 'PostgreSQL', instanceDesc: 'a', settings: settingsOf(url) }),
    );
  const sides = [await add(source), await add(target)] as const;
  const databaseOf = ({ url }: TestDatabase) => settingsOf(url).database;

  /** Creates a table at the source, and a job that carries it. */
  async function carry(table: string) {
    await source.ask(`CREATE TABLE ${table} (id int PRIMARY KEY, name text);
      INSERT INTO ${table} SELECT n, 'item ' || n FROM generate_series(1, 1000) n`);
    const request = newJob(...sides, '', {
      srcSchema: JSON.stringify([{ db: databaseOf(source), schemas: [{ schema: 'public', tables: [{ table }] }] }]),
      dstSchema: JSON.stringify([{ db: databaseOf(target) }]),
    });
    const jobId = Number(await jobs.data(jobCalls.createJob, request));
    const state = async (): Promise<Job> => (await jobs.open(jobCalls.queryJob, { jobId })).body.data;
    const rows = `SELECT md5(string_agg(t::text, chr(10) ORDER BY id)) FROM public.${table} t`;
    return {
      jobId,
      state,
      /** Waits until it follows, and until both sides are equal. @param beforeLook runs before each look */
      async untilEqual(beforeLook?: () => void) {
        const wanted = await source.ask(rows);
        await expect
          .poll(async () => {
            beforeLook?.();
            return [(await state()).tables.live, await target.ask(rows)];
          })
          .toEqual([1, wanted]);
      },
      untilFault: (code: string) =>
        expect
          .poll(async () => {
            tryAgain();
            return (await state()).fault?.code;
          })
          .toBe(code),
      async stop() {
        await jobs.data(jobCalls.stopJob, { jobId });
        await expect.poll(async () => (await state()).currTaskStatus).toBe('STOP');
      },
    };
  }

  /** Makes whatever waits for its next try do it now. */
  function tryAgain(): void {
    jobs.backend.pass(waitMs);
    jobs.supervisor.look();
  }
  return { jobs, source, carry, tryAgain };
}

test.each([
  [15, 'max_slot_wal_keep_size', { max_slot_wal_keep_size: '1MB', max_wal_size: '32MB', wal_keep_size: '0' }],
  [18, 'idle_replication_slot_timeout', { idle_replication_slot_timeout: '1s' }],
] as const)(
  'on PostgreSQL %i a job reports that %s invalidated its slot, and a replay makes both sides equal',
  async (version, setting, settings) => {
    const { jobs, source, carry } = await openServer(version, settings);
    const job = await carry('item');
    await job.untilEqual();
    await job.stop();
    await source.ask(`DELETE FROM item WHERE id % 3 = 0; UPDATE item SET name = 'changed' WHERE id % 5 = 0`);
    await expect
      .poll(async () => {
        await source.ask('INSERT INTO item SELECT max(id) + 1 FROM item');
        await source.ask('SELECT pg_switch_wal()');
        await source.ask('CHECKPOINT');
        return await source.ask('SELECT wal_status FROM pg_replication_slots');
      })
      .toEqual([['lost']]);
    await jobs.data(jobCalls.startJob, { jobId: job.jobId });
    await job.untilFault('SLOT_MISSING');
    expect((await job.state()).fault).toMatchObject({
      sentence: expect.stringMatching(/code (wal_removed|idle_timeout)/),
      hint: expect.stringContaining(setting),
    });
    await jobs.data(jobCalls.replayJob, { jobId: job.jobId });
    await job.untilEqual();
    await source.ask('DELETE FROM item WHERE id % 2 = 0');
    await job.untilEqual();
  },
);

test.each([15, 18] as const)(
  'on PostgreSQL %i jobs wait for a free slot or WAL sender, and then continue on their own',
  async (version) => {
    const { jobs, source, carry, tryAgain } = await openServer(version, {
      max_replication_slots: '1',
      max_wal_senders: '1',
    });
    const first = await carry('item');
    await first.untilEqual();
    const second = await carry('later');
    await second.untilFault('SLOT_LIMIT');
    expect((await second.state()).fault).toMatchObject({
      retry: 'timed',
      hint: expect.stringContaining('automatically'),
    });

    // The sender slot of the first one is taken while its connection is cut.
    const other = await takeSender(source);
    await first.untilFault('TOO_MANY_CONNECTIONS');
    expect((await first.state()).fault?.sentence).toContain('max_wal_senders');
    await source.ask('DELETE FROM item WHERE id % 2 = 0');
    await other.end();
    // A server process that ends late leaves no room at the first try.
    await first.untilEqual(tryAgain);

    await first.stop();
    await jobs.data(jobCalls.deleteJob, { jobId: first.jobId });
    // It may take the slot as soon as that is free.
    await second.untilEqual(tryAgain);
  },
);

/** Ends the session that reads the slot, and connects in its place. */
async function takeSender(database: TestDatabase): Promise<pg.Client> {
  for (;;) {
    await database.ask('SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots WHERE active');
    const settings: pg.ClientConfig & { replication: string } = {
      connectionString: database.url,
      replication: 'database',
    };
    const client = new pg.Client(settings);
    client.on('error', () => undefined);
    try {
      await client.connect();
      return client;
    } catch {
      // Its session has not ended yet.
    }
  }
}
