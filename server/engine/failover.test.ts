import { connect, createServer } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, inject, test, vi } from 'vitest';
import { JobProcess } from '../testing/job-process.ts';
import { jobSpec, wholeTables } from '../testing/job-spec.ts';
import { onLoopback } from '../testing/on-loopback.ts';
import { patience } from '../testing/patience.ts';
import { createDatabase, logicalCluster, type PostgresServer, startPostgres } from '../testing/postgres.ts';
import { preparePostgres18 } from '../testing/postgres-18.ts';
import { newJob as newJobId, settingsOf, Told } from '../testing/postgres-source.ts';
import { TestDatabase } from '../testing/rig/database.ts';
import { type Gate, startWire } from '../testing/rig/wire.ts';
import { startStandby } from '../testing/standby.ts';
import type { Finding } from './finding.ts';
import type { JobSpec } from './job.ts';
import { SameServer } from './systems/postgresql/same-server.ts';
import { Sessions } from './systems/postgresql/sessions.ts';
import { openPostgresSink } from './systems/postgresql/sink.ts';
import { PostgresSource } from './systems/postgresql/source.ts';
import { openStream } from './systems/postgresql/stream.ts';

let installed: ReturnType<typeof preparePostgres18>;
let primary: PostgresServer;
let standby: PostgresServer;
/** The same database on both servers. */
let before: TestDatabase;
let now: TestDatabase;
let running: JobProcess | undefined;
const targets: TestDatabase[] = [];
/** Tables that one job reads from the old primary after the other server has taken its place. */
const read = ['other', 'aside'];
/** Targets: the same as both servers; ahead of the new one; with rows read from the old one but not streamed. */
let kept: Job;
let late: Job;
let ahead: Job;
/** How jobs that met the standby before its promotion, as source and as target, ended. */
let early: unknown[];
/** What a job's checks reported about that standby. */
let checked: Finding[];

beforeAll(async () => {
  installed = preparePostgres18();
  const options = { ...logicalCluster, programs: installed.programs, epoch: 0 };
  primary = await startPostgres(options);
  const url = new URL(await createDatabase(primary.url));
  before = new TestDatabase(url.href);
  for (const name of ['item', ...read])
    await before.ask(`CREATE TABLE ${name} (id int PRIMARY KEY, name text);
      INSERT INTO ${name} SELECT i, '${name} ' || i FROM generate_series(1, 3000) i`);
  standby = await startStandby(primary.url, options);
  url.port = new URL(standby.url).port;
  now = new TestDatabase(url.href);
  [kept, late, ahead] = [await newJob(), await newJob(), await newJob(['item', ...read])];
  await promote([kept, late, ahead]);
});
afterEach(() => running?.kill());
afterAll(async () => {
  await Promise.all([before, now, ...targets].map((database) => database?.close()));
  await standby?.stop();
  await primary?.stop();
  installed?.remove();
});

/** A job with a target database of its own. */
interface Job {
  target: TestDatabase;
  tables: readonly string[];
  /** @param server one of the two it reads from; with `port`, reached through the test's own proxy */
  from(server: TestDatabase, port?: number): JobSpec;
}

async function newJob(tables: readonly string[] = ['item']): Promise<Job> {
  const target = new TestDatabase(await createDatabase(inject('postgresUrl')));
  targets.push(target);
  const side = ({ url }: TestDatabase, port?: number) => ({
    family: 'postgresql',
    settings: { ...settingsOf(url), ...(port && { host: '127.0.0.1', port }), failover: 'yes' as const },
  });
  const spec = jobSpec({ source: side(before), target: side(target), tables: wholeTables(tables) });
  return { target, tables, from: (server, port) => ({ ...spec, source: side(server, port) }) };
}

const rowsOf = async (database: TestDatabase, table: string) =>
  (await database.ask(`SELECT count(*)::int, md5(string_agg(t::text, chr(10) ORDER BY id)) FROM public.${table} t`))[0];
const untilEqual = async (source: TestDatabase, target: TestDatabase, table: string) =>
  vi.waitFor(async () => expect(await rowsOf(target, table)).toEqual(await rowsOf(source, table)), patience);

/** Starts a job and waits until it has what the server has. @param but table that is left out */
async function catchUp({ from, target, tables }: Job, source: TestDatabase, but?: string): Promise<JobProcess> {
  const job = new JobProcess(from(source));
  running = job;
  for (const table of tables.filter((one) => one !== but)) {
    await job.until(() => job.states()[`public.${table}`] === 'live');
    await untilEqual(source, target, table);
  }
  return job;
}

async function stop(job: JobProcess): Promise<void> {
  job.send({ kind: 'stop' });
  expect(await job.end()).toEqual({ kind: 'ended', complete: false });
}

/** The same, then stops it. */
async function follow(job: Job, source: TestDatabase, but?: string): Promise<JobProcess> {
  const process = await catchUp(job, source, but);
  await stop(process);
  return process;
}

/** Brings jobs to live tables, then promotes the standby once it has what they have; the primary stays up. */
async function promote(jobs: readonly Job[]): Promise<void> {
  const processes: JobProcess[] = [];
  for (const job of jobs) processes.push(await catchUp(job, before));
  await before.ask(`UPDATE item SET name = 'before' WHERE id % 3 = 0`);
  for (const { target } of jobs) await untilEqual(before, target, 'item');
  // The standby persists its copy of a slot once that has advanced, which happens while the slot's job runs.
  const slotsInStep = async () => {
    await before.ask('SELECT pg_log_standby_snapshot()');
    return (await now.ask('SELECT count(*)::int FROM pg_replication_slots WHERE synced AND NOT temporary'))[0];
  };
  await vi.waitFor(async () => expect(await slotsInStep()).toEqual([jobs.length]), patience);
  await Promise.all(processes.map(stop));
  const [[end] = []] = await before.ask('SELECT pg_current_wal_insert_lsn()::text');
  const hasAll = async () => (await now.ask(`SELECT pg_last_wal_replay_lsn() >= '${String(end)}'`))[0];
  // What has been inserted is not sent on its own.
  await before.ask('SELECT pg_log_standby_snapshot()');
  await vi.waitFor(async () => expect(await hasAll()).toEqual([true]), patience);
  const [{ from } = kept] = jobs;
  early = [await lastOf(from(now)), await lastOf({ ...from(before), target: from(now).source })];
  const source = new PostgresSource(settingsOf(now.url), new AbortController().signal);
  checked = await source.check(await source.catalog(['public']));
  await source.close();
  await now.ask('SELECT pg_promote(true)');
}

/** The last report of a job that ends on its own. */
async function lastOf(spec: JobSpec) {
  const job = new JobProcess(spec);
  running = job;
  return await job.end();
}

const sentencesOf = ({ reports }: JobProcess) =>
  reports.flatMap((report) => (report.kind === 'event' ? [report.sentence] : []));

/** Loses everything that replication streams send; all else passes. */
function muteStreams(): Gate {
  const streams = new WeakSet<object>();
  return ({ from, connection, message }) => {
    if (message.kind === '' && message.body.includes('replication\0')) streams.add(connection);
    return from === 'server' && message.kind === 'd' && streams.has(connection) ? 'lose' : 'pass';
  };
}

/** The code of the fault that ends a job, or the state of its table if it continues. */
async function faultOf(spec: JobSpec): Promise<string | undefined> {
  const job = new JobProcess(spec);
  running = job;
  const last = () => job.reports.at(-1);
  await job.until(() => last()?.kind === 'failed' || job.states()['public.item'] !== undefined);
  const told = last();
  await job.kill();
  return told?.kind === 'failed' ? told.fault.code : job.states()['public.item'];
}

test('a job waits for a standby that is not promoted yet, on either side', () => {
  const fault = { code: 'SERVER_SHUTTING_DOWN', retry: 'timed' };
  for (const told of early) expect(told).toMatchObject({ kind: 'failed', fault });
  const sentence = expect.stringContaining('The server is a standby');
  expect(checked).toContainEqual(expect.objectContaining({ side: 'source', result: 'fault', sentence }));
});

test('a job continues on a promoted standby only if it has everything that the target has', async () => {
  // One job applies changes from the old primary that the new one never had.
  await before.ask(`INSERT INTO item VALUES (9001, 'lost')`);
  await follow(late, before);
  await now.ask(`INSERT INTO item VALUES (9002, 'new'); UPDATE item SET name = 'after' WHERE id % 5 = 0;
    DELETE FROM item WHERE id % 7 = 0`);
  // The new primary's log is longer than the old one's by then.
  await now.ask('SELECT pg_switch_wal()');
  await now.ask(`INSERT INTO item VALUES (9003, 'newer')`);
  expect(await faultOf(late.from(now))).toBe('SOURCE_WENT_BACK');

  // A partly applied transaction may exist on the old primary only.
  const slice = (count: number) => kept.target.ask(`UPDATE millrace.millrace_mark SET slice = '${count}'`);
  await slice(1);
  expect(await faultOf(kept.from(now))).toBe('SOURCE_WENT_BACK');
  await slice(0);
  // Rows read ahead of the stream are copied again, unless the job copies nothing: others may have filled the target.
  const readAhead = (position: string) =>
    kept.target.ask(`UPDATE millrace.millrace_table
      SET content = (content::jsonb || '{"aheadUntil": ${position}}')::text`);
  await readAhead('{"order": "00ffffffffffffff", "resume": "FFFFFF/FFFFFFFF"}');
  expect(await faultOf({ ...kept.from(now), initialLoad: false })).toBe('SOURCE_WENT_BACK');
  await readAhead('null');

  const job = await follow(kept, now);
  expect(sentencesOf(job)).toContain(
    'Another server has replaced the source and has everything that the target has; the job continues.',
  );
  // Nothing was copied.
  const copied = job.reports.flatMap((report) => (report.kind === 'sample' ? [report.sample.copied] : []));
  expect(Math.max(...copied)).toBe(0);
  // Even if its log is longer by then, the old primary is the past.
  for (let segment = 0; segment < 4; segment++)
    await before.ask(`SELECT pg_switch_wal(); UPDATE item SET name = 'of the past' WHERE id = 1`);
  expect(await faultOf(kept.from(before))).toBe('SOURCE_WENT_BACK');
  await follow(kept, now);
});

test('only tables read from the old primary past the promotion are copied again from the new one', async () => {
  const { from, target } = ahead;
  const { hostname, port } = new URL(before.url);
  const wire = await startWire({ host: hostname, port: Number(port) }, muteStreams());
  const old = new JobProcess(from(before, wire.port));
  running = old;
  for (const table of ['item', ...read]) await old.until(() => old.states()[`public.${table}`] === 'live');
  const idOf = (table: string) => old.tables().find(({ source }) => source === `public.${table}`)?.id ?? '';
  for (const table of read) {
    await before.ask(`INSERT INTO ${table} VALUES (9001, 'lost'); DELETE FROM ${table} WHERE id = 1;
      UPDATE ${table} SET name = 'lost' WHERE id % 10 = 0`);
    old.send({ kind: 'table', id: idOf(table), action: 'resync' });
    await old.until(() => old.states()[`public.${table}`] === 'catching-up');
    expect(await rowsOf(target, table)).toEqual(await rowsOf(before, table));
  }
  old.send({ kind: 'table', id: idOf('aside'), action: 'pause' });
  await old.until(() => old.states()['public.aside'] === 'paused');
  await old.kill();
  await wire.close();

  const job = await follow(ahead, now, 'aside');
  expect(sentencesOf(job)).toContain(
    'Another server has replaced the source. It may lack rows that were read from the previous one, so these tables are copied again: public.other.',
  );
  const statesOf = (table: string) =>
    job.tables().flatMap(({ source, state, skipped }) => (source === `public.${table}` ? [{ state, skipped }] : []));
  expect(new Set(statesOf('item').map(({ state }) => state))).toEqual(new Set(['live']));
  // An operator who resumes it sees that it is copied again, though no change of it was dropped.
  expect(statesOf('aside').at(-1)).toEqual({ state: 'paused', skipped: true });
  const next = new JobProcess(from(now));
  running = next;
  await next.until(() => next.states()['public.aside'] === 'paused');
  next.send({ kind: 'table', id: idOf('aside'), action: 'resume' });
  await next.until(() => next.states()['public.aside'] === 'live');
  await untilEqual(now, target, 'aside');
});

/** An address that leads to the old primary until it is moved; open connections stay where they are. */
async function startAddress() {
  const address = { leadsTo: before };
  const proxy = await onLoopback(
    createServer((client) => {
      const { port, hostname } = new URL(address.leadsTo.url);
      const behind = connect(Number(port), hostname);
      const end = () => {
        client.destroy();
        behind.destroy();
      };
      client.pipe(behind).pipe(client);
      for (const socket of [client, behind]) socket.on('error', end).on('close', end);
    }),
  );
  return Object.assign(address, proxy);
}

test('a stream that was released during a pause does not resume on another server', async () => {
  const address = await startAddress();
  const { signal } = new AbortController();
  const settings = { ...settingsOf(before.url), host: '127.0.0.1', port: address.port };
  const own = { signal, server: new SameServer() };
  const sessions = new Sessions(settings, { side: 'source', ...own });
  const source = new PostgresSource(settings, signal);
  const job = newJobId();
  try {
    const tables = await source.catalog(['public']);
    const from = await source.reserve(job, tables);
    const patience = { silence: 300_000, pause: 50, stop: 50 };
    const stream = await openStream({ settings, own, sessions, job, from, tables, patience });
    await before.ask(`INSERT INTO item SELECT n, repeat('x', 1000) FROM generate_series(20001, 50000) AS n`);
    const told = new Told(stream);
    while (told.changes.length === 0) await told.next();
    const isActive = async () =>
      (await before.ask(`SELECT active FROM pg_replication_slots WHERE slot_name = 'millrace_${job}'`))[0]?.[0];
    await expect.poll(isActive).toBe(false);
    address.leadsTo = now;
    expect(await told.failure()).toMatchObject({ code: 'CONNECTION_LOST' });
    address.leadsTo = before;
    await source.release(job);
  } finally {
    await Promise.all([sessions.close(), source.close()]);
    await address.close();
  }
});

test('a job reads nothing from a new server behind its address while its stream is on the old one', async () => {
  const address = await startAddress();
  const { from, target } = await newJob();
  const job = new JobProcess(from(before, address.port));
  running = job;
  try {
    await job.until(() => job.states()['public.item'] === 'live');
    await before.ask(`UPDATE item SET name = 'only here' WHERE id % 10 = 3`);
    await untilEqual(before, target, 'item');
    // Both servers use the same transaction IDs, and the new one has more of them and the longer log.
    await now.ask('DO $$ BEGIN FOR i IN 1..200 LOOP PERFORM txid_current(); COMMIT; END LOOP; END $$');
    await now.ask('SELECT pg_switch_wal()');
    await now.ask(`INSERT INTO item VALUES (9100, 'only there') ON CONFLICT DO NOTHING`);
    address.leadsTo = now;
    await before.ask(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'millrace'`);
    const id = job.tables().at(-1)?.id ?? '';
    job.send({ kind: 'table', id, action: 'resync' });
    const last = () => job.reports.at(-1);
    await job.until(() => last()?.kind === 'failed' || job.states()['public.item'] === 'catching-up');
    expect(await rowsOf(target, 'item')).toEqual(await rowsOf(before, 'item'));
    expect(last()).toMatchObject({ kind: 'failed', fault: { code: 'CONNECTION_LOST' } });
  } finally {
    await job.kill();
    await address.close();
  }
});

test('sessions of a side are refused once its address leads to another server', async () => {
  const address = await startAddress();
  const { signal } = new AbortController();
  const settings = { ...settingsOf(before.url), host: '127.0.0.1', port: address.port };
  const source = new PostgresSource(settings, signal);
  const sink = openPostgresSink(settings, signal);
  const job = newJobId();
  try {
    const tables = await source.catalog(['public']);
    const { epoch } = await sink.takeOver(job);
    address.leadsTo = now;
    const lost = {
      code: 'CONNECTION_LOST',
      place: { subject: 'it was restarted, or another server has replaced it' },
    };
    await expect(source.stream(job, await source.now(), tables)).rejects.toMatchObject(lost);
    await expect(source.include(job, tables)).rejects.toMatchObject(lost);
    await expect(sink.write({ job, epoch })).rejects.toMatchObject(lost);
    address.leadsTo = before;
    await sink.forget(job);
  } finally {
    await Promise.all([source.close(), sink.close()]);
    await address.close();
  }
});
