import { connect, createServer } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import { JobProcess } from '../testing/job-process.ts';
import { jobSpec, wholeTables } from '../testing/job-spec.ts';
import { onLoopback } from '../testing/on-loopback.ts';
import { createDatabase, logicalCluster, type PostgresServer, startPostgres } from '../testing/postgres.ts';
import { preparePostgres18 } from '../testing/postgres-18.ts';
import { newJob as newJobId, settingsOf, Told } from '../testing/postgres-source.ts';
import { TestDatabase } from '../testing/rig/database.ts';
import { startStandby } from '../testing/standby.ts';
import type { JobSpec } from './job.ts';
import { Sessions } from './systems/postgresql/sessions.ts';
import { PostgresSource } from './systems/postgresql/source.ts';
import { openStream } from './systems/postgresql/stream.ts';

const patient = { timeout: 90_000, interval: 100 };
let installed: ReturnType<typeof preparePostgres18>;
let primary: PostgresServer;
let standby: PostgresServer;
/** The same database on both servers. */
let before: TestDatabase;
let now: TestDatabase;
let running: JobProcess | undefined;
const targets: TestDatabase[] = [];

beforeAll(async () => {
  installed = preparePostgres18();
  const options = { ...logicalCluster, programs: installed.programs, epoch: 0 };
  primary = await startPostgres(options);
  const url = new URL(await createDatabase(primary.url));
  before = new TestDatabase(url.href);
  await before.ask(`CREATE TABLE item (id int PRIMARY KEY, name text);
    INSERT INTO item SELECT i, 'item ' || i FROM generate_series(1, 3000) i`);
  standby = await startStandby(primary.url, options);
  url.port = new URL(standby.url).port;
  now = new TestDatabase(url.href);
});
afterEach(() => running?.kill());
afterAll(async () => {
  await Promise.all([before, now, ...targets].map((database) => database?.close()));
  await standby?.stop();
  await primary?.stop();
  installed?.remove();
});

/** A job into a database of its own that reads from one of the two servers. */
async function newJob(): Promise<{ target: TestDatabase; from(server: TestDatabase): JobSpec }> {
  const target = new TestDatabase(await createDatabase(inject('postgresUrl')));
  targets.push(target);
  const side = ({ url }: TestDatabase) => ({
    family: 'postgresql',
    settings: { ...settingsOf(url), failover: 'yes' as const },
  });
  const spec = jobSpec({ source: side(before), target: side(target), tables: wholeTables(['item']) });
  return { target, from: (server) => ({ ...spec, source: side(server) }) };
}

const rowsOf = async (database: TestDatabase) =>
  (await database.ask('SELECT count(*)::int, md5(string_agg(t::text, chr(10) ORDER BY id)) FROM public.item t'))[0];
const untilEqual = async (source: TestDatabase, target: TestDatabase) =>
  expect.poll(() => rowsOf(target), patient).toEqual(await rowsOf(source));

/** Runs a job until it has what the server has, and stops it. */
async function follow(spec: JobSpec, source: TestDatabase, target: TestDatabase): Promise<JobProcess> {
  const job = new JobProcess(spec);
  running = job;
  await job.until(() => job.states()['public.item'] === 'live');
  await untilEqual(source, target);
  job.send({ kind: 'stop' });
  expect(await job.end()).toEqual({ kind: 'ended', complete: false });
  return job;
}

/** The code of the fault with which a job ends, or the state of its table where it goes on. */
async function faultOf(spec: JobSpec): Promise<string | undefined> {
  const job = new JobProcess(spec);
  running = job;
  const last = () => job.reports.at(-1);
  await job.until(() => last()?.kind === 'failed' || job.states()['public.item'] !== undefined);
  const told = last();
  await job.kill();
  return told?.kind === 'failed' ? told.fault.code : job.states()['public.item'];
}

test('a job goes on at a promoted standby that has all that the target has, and nowhere else', async () => {
  const [kept, late] = [await newJob(), await newJob()];
  for (const { target, from } of [kept, late]) await follow(from(before), before, target);
  await before.ask(`UPDATE item SET name = 'before' WHERE id % 3 = 0`);
  for (const { target, from } of [kept, late]) await follow(from(before), before, target);

  // Slots are in step once the standby has stored its copy of both, and it has what the jobs have.
  const [[end] = []] = await before.ask('SELECT pg_current_wal_insert_lsn()::text');
  const isInStep = async () => {
    await before.ask('SELECT pg_log_standby_snapshot()');
    return (
      await now.ask(`SELECT count(*)::int, pg_last_wal_replay_lsn() >= '${String(end)}'
        FROM pg_replication_slots WHERE synced AND NOT temporary`)
    )[0];
  };
  await expect.poll(isInStep, patient).toEqual([2, true]);
  await now.ask('SELECT pg_promote(true)');

  // The old primary lives on, and one job takes over from it what the new one never had.
  await before.ask(`INSERT INTO item VALUES (9001, 'lost')`);
  await follow(late.from(before), before, late.target);
  await now.ask(`INSERT INTO item VALUES (9002, 'new'); UPDATE item SET name = 'after' WHERE id % 5 = 0;
    DELETE FROM item WHERE id % 7 = 0`);
  // The log of the new one is longer than that of the old one by then.
  await now.ask('SELECT pg_switch_wal()');
  await now.ask(`INSERT INTO item VALUES (9003, 'newer')`);
  expect(await faultOf(late.from(now))).toBe('SOURCE_WENT_BACK');

  // What was written ahead of the stream, or is of a transaction that came in part, may be of the old primary alone.
  const mark = 'UPDATE millrace.millrace_mark SET slice';
  await kept.target.ask(`${mark} = '1'`);
  expect(await faultOf(kept.from(now))).toBe('SOURCE_WENT_BACK');
  const ahead = (position: string) =>
    `UPDATE millrace.millrace_table SET content = (content::jsonb || '{"aheadUntil": ${position}}')::text`;
  await kept.target.ask(`${mark} = '0'; ${ahead('{"order": "00ffffffffffffff", "resume": "FFFFFF/FFFFFFFF"}')}`);
  expect(await faultOf(kept.from(now))).toBe('SOURCE_WENT_BACK');
  await kept.target.ask(ahead('null'));

  const { reports } = await follow(kept.from(now), now, kept.target);
  const sentences = reports.flatMap((report) => (report.kind === 'event' ? [report.sentence] : []));
  expect(sentences).toContain(
    'Another server took the place of the source, with all that the target has; the job goes on.',
  );
  // Without a copy.
  const copied = reports.flatMap((report) => (report.kind === 'sample' ? [report.sample.copied] : []));
  expect(Math.max(...copied)).toBe(0);
  // Also where its log is the longer one by then, the old primary is the past.
  for (let segment = 0; segment < 4; segment++)
    await before.ask(`SELECT pg_switch_wal(); UPDATE item SET name = 'of the past' WHERE id = 1`);
  expect(await faultOf(kept.from(before))).toBe('SOURCE_WENT_BACK');
  await follow(kept.from(now), now, kept.target);
});

test('a stream that was let go during a pause does not go on at another server', async () => {
  let server = before;
  const proxy = await onLoopback(
    createServer((client) => {
      const behind = connect(Number(new URL(server.url).port), new URL(server.url).hostname);
      const end = () => {
        client.destroy();
        behind.destroy();
      };
      client.pipe(behind).pipe(client);
      for (const socket of [client, behind]) socket.on('error', end).on('close', end);
    }),
  );
  const { signal } = new AbortController();
  const settings = { ...settingsOf(before.url), host: '127.0.0.1', port: proxy.port };
  const sessions = new Sessions(settings, { side: 'source', signal });
  const source = new PostgresSource(settings, signal);
  const job = newJobId();
  try {
    const tables = await source.catalog(['public']);
    const from = await source.reserve(job, tables);
    const patience = { silence: 300_000, pause: 50, stop: 50 };
    const stream = await openStream({ settings, signal, sessions, job, from, tables, patience });
    await before.ask(`INSERT INTO item SELECT n, repeat('x', 1000) FROM generate_series(20001, 50000) AS n`);
    const told = new Told(stream);
    while (told.changes.length === 0) await told.next();
    const isActive = async () =>
      (await before.ask(`SELECT active FROM pg_replication_slots WHERE slot_name = 'millrace_${job}'`))[0]?.[0];
    await expect.poll(isActive, patient).toBe(false);
    server = now;
    await now.ask('SELECT pg_promote(true) WHERE pg_is_in_recovery()');
    expect(await told.failure()).toMatchObject({ code: 'CONNECTION_LOST' });
    server = before;
    await source.release(job);
  } finally {
    await Promise.all([sessions.close(), source.close()]);
    await proxy.close();
  }
});
