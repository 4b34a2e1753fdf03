import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { JobProcess } from '../testing/job-process.ts';
import { jobSpec, postgresSide, wholeTables } from '../testing/job-spec.ts';
import { createDatabase, dropSlots } from '../testing/postgres.ts';
import { newJob } from '../testing/postgres-source.ts';
import { Random } from './contract/random.ts';
import type { JobSpec } from './job.ts';
import type { Report } from './protocol.ts';

/** Rounds of kills with everything as shipped; faults.test.ts strikes in every phase. */
const rounds = 3;
const names = ['account', 'entry', 'document'] as const;

let sourceUrl: string;
let targetUrl: string;
let source: pg.Client;
let target: pg.Client;
let running: JobProcess | undefined;
let spec: JobSpec;

beforeEach(async () => {
  const server = inject('postgresUrl');
  [sourceUrl, targetUrl] = [await createDatabase(server), await createDatabase(server)];
  source = await connect(sourceUrl);
  target = await connect(targetUrl);
  await source.query(`
    CREATE TYPE mood AS ENUM ('calm', 'It''s "quoted"');
    CREATE TABLE account (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text UNIQUE, balance numeric,
      feeling mood, doubled numeric GENERATED ALWAYS AS (balance * 2) STORED);
    CREATE TABLE entry (year int, number int, account bigint REFERENCES account ON DELETE SET NULL, note text,
      PRIMARY KEY (year, number));
    CREATE TABLE document (id text PRIMARY KEY, body text, tags text[], title text, CHECK (title <> ''));
    ALTER TABLE document ALTER body SET STORAGE EXTERNAL;
    CREATE INDEX document_title ON document (title);
    INSERT INTO account (name, balance, feeling) SELECT 'account ' || i, i, 'calm' FROM generate_series(1, 5000) i;
    INSERT INTO entry SELECT 2000 + i % 20, i, 1 + i % 5000, 'note' FROM generate_series(1, 20000) i;
    INSERT INTO document SELECT 'd' || i, repeat(i::text, 900), ARRAY['a', NULL, i::text], 'title' FROM generate_series(1, 2000) i;`);
  const [from, to] = [postgresSide(sourceUrl), postgresSide(targetUrl)];
  spec = jobSpec({ source: from, target: to, tables: wholeTables(names), parallel: 3 });
});

afterEach(async () => {
  await running?.kill();
  // The cluster has a limited number of them for all tests.
  await dropSlots(async (sql) => (await source.query(sql)).rows);
  await Promise.all([source.end(), target.end()]);
});

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** User writes, one transaction after the other. */
async function write(random: Random, transactions: number): Promise<void> {
  for (let number = 0; number < transactions; number++) {
    const id = 1 + random.below(5_000);
    const entry = random.below(20_000);
    const statements = [
      `INSERT INTO account (name, balance) VALUES ('new ' || gen_random_uuid(), 1.10)`,
      `UPDATE account SET balance = balance + 0.01, feeling = 'It''s "quoted"' WHERE id = ${id}`,
      `UPDATE document SET title = 'partial ${number}' WHERE id = 'd${1 + (id % 2000)}'`,
      `UPDATE document SET id = 'moved ' || gen_random_uuid() WHERE id = 'd${1 + (entry % 2000)}'`,
      `UPDATE entry SET number = -number WHERE number = ${entry}`,
      `DELETE FROM entry WHERE number = ${entry + 1}`,
      `DELETE FROM document WHERE id = 'd${1 + ((id * 7) % 2000)}'`,
      `WITH swapped AS (SELECT id, name FROM account WHERE id IN (${id}, ${id + 1}))
        UPDATE account SET name = 'tmp ' || gen_random_uuid() WHERE id = ${id}`,
      `DELETE FROM account WHERE id = ${id + 2}`,
      random.chance(0.01) ? `UPDATE entry SET note = 'large ${number}' WHERE number BETWEEN 1 AND 10000` : 'SELECT 1',
      random.chance(0.005) ? 'TRUNCATE document' : 'SELECT 1',
      `INSERT INTO document VALUES ('n' || gen_random_uuid(), repeat('${number}', 3000), '{}', 'new') `,
    ];
    await source.query('BEGIN');
    for (let count = 1 + random.below(3); count > 0; count--) await source.query(random.pick(statements));
    await source.query(random.chance(0.1) ? 'ROLLBACK' : 'COMMIT');
  }
}

/** Rows as text, hashed by each server itself. @param conditions on the rows to compare */
async function hashes(client: pg.Client, conditions: Partial<Record<string, string>> = {}): Promise<string[]> {
  const found: string[] = [];
  for (const name of names) {
    const { rows } = await client.query(
      `SELECT count(*) || ' ' || coalesce(md5(string_agg(md5(t::text), '' ORDER BY md5(t::text))), '') AS hash FROM ${name} t WHERE ${conditions[name] ?? 'true'}`,
    );
    found.push(`${name} ${rows[0].hash}`);
  }
  return found;
}

const isLive = () => names.every((name) => running?.states()[`public.${name}`] === 'live');

/** Compares both sides each time the job reports. */
async function expectEqual(job: JobProcess, conditions: Partial<Record<string, string>> = {}): Promise<void> {
  const wanted = await hashes(source, conditions);
  for (let told = 0; ; ) {
    if (JSON.stringify(await hashes(target)) === JSON.stringify(wanted)) return;
    told = job.reports.length;
    await job.until((reports) => reports.length > told);
    if (job.isIdle) expect(await hashes(target)).toEqual(wanted);
  }
}

test(`the target equals the source after ${rounds} kills while users write`, async () => {
  const random = new Random(7);
  for (let round = 0; round < rounds; round++) {
    running = new JobProcess(spec);
    const wantsLive = round % 2 === 1;
    const started = running;
    await Promise.all([
      started.until((reports) => (wantsLive ? isLive() : reports.length > 1 + random.below(3))),
      write(random, 100),
    ]);
    await write(random, 30);
    await started.kill();
  }
  running = new JobProcess(spec);
  await running.until(isLive);
  await write(random, 100);
  await expectEqual(running);
  const { rows } = await target.query(`SELECT indexname FROM pg_indexes WHERE tablename = 'document' ORDER BY 1`);
  expect(rows.map(({ indexname }) => indexname)).toContain('document_pkey');
  running.send({ kind: 'stop' });
  expect(await running.end()).toEqual({ kind: 'ended', complete: false });
});

test('the target keeps exactly the rows that match the filters as users change them, despite kills', async () => {
  const filters: Record<(typeof names)[number], string> = {
    // The log contains neither what the source computes nor an unchanged large value.
    account: 'doubled > 5000',
    entry: 'number % 3 = 0',
    document: "title LIKE 't%' AND length(body) % 2 = 0",
  };
  spec = { ...spec, tables: spec.tables.map((table) => ({ ...table, filter: filters[table.name as 'entry'] })) };
  const random = new Random(11);
  const writeAcross = async () => {
    await write(random, 40);
    for (let number = 0; number < 60; number++) {
      const id = 1 + random.below(2_000);
      await source.query(`UPDATE document SET title = '${random.pick(['title', 'other'])}' WHERE id = 'd${id}'`);
      await source.query(`UPDATE account SET balance = ${random.below(5_000)} WHERE id = ${id}`);
      await source.query(`UPDATE entry SET number = number + 100000 WHERE number = ${id * 7}`);
    }
  };
  for (let round = 0; round < 3; round++) {
    running = new JobProcess(spec);
    const started = running;
    await Promise.all([started.until((reports) => (round > 0 ? isLive() : reports.length > 2)), writeAcross()]);
    await writeAcross();
    await started.kill();
  }
  running = new JobProcess(spec);
  await Promise.all([running.until(isLive), writeAcross()]);
  await writeAcross();
  await expectEqual(running, filters);
  for (const name of names) {
    const { rows } = await target.query(`SELECT count(*)::int AS n FROM ${name}`);
    expect(rows[0].n, name).toBeGreaterThan(100);
  }
});

describe('a full copy', () => {
  const sides = ['left_side', 'right_side'] as const;
  const total = 'SELECT (SELECT sum(v) FROM left_side) + (SELECT sum(v) FROM right_side) AS total';

  beforeEach(async () => {
    for (const client of [source, target])
      await client.query(
        'CREATE TABLE left_side (id int PRIMARY KEY, v int); CREATE TABLE right_side (LIKE left_side INCLUDING ALL)',
      );
    for (const side of sides) await source.query(`INSERT INTO ${side} SELECT i, 100 FROM generate_series(1, 30000) i`);
    spec = { ...spec, type: 'MIGRATION', structure: false, parallel: 1, tables: wholeTables(sides) };
  });

  /** Users move rows from one table to the other while the copy is between the two. */
  async function moveWhileCopied(meanwhile: () => Promise<void>): Promise<JobProcess> {
    const holder = await connect(targetUrl);
    try {
      await holder.query('BEGIN; LOCK TABLE right_side IN ACCESS EXCLUSIVE MODE');
      running = new JobProcess(spec);
      const job = running;
      await job.until(() => job.states()['public.left_side'] === 'done');
      // The last chunk is read when the target accepts the first ones.
      for (let id = 29_000; id < 29_050; id++)
        await source.query(`BEGIN; UPDATE left_side SET v = v - 1 WHERE id = ${id};
          UPDATE right_side SET v = v + 1 WHERE id = ${id}; COMMIT`);
      await meanwhile();
      return job;
    } finally {
      await holder.end();
    }
  }
  const warnings = (job: JobProcess) =>
    job.reports.flatMap((report) => (report.kind === 'event' && report.level === 'warning' ? [report.sentence] : []));

  test('reflects one moment, whatever users write meanwhile', async () => {
    const job = await moveWhileCopied(async () => undefined);
    expect(await job.end()).toEqual({ kind: 'ended', complete: true });
    expect((await target.query(total)).rows).toEqual([{ total: '6000000' }]);
    expect(warnings(job)).toEqual([]);
  });

  test('resumes from its last chunk after a kill, and reports that it reflects two moments', async () => {
    await moveWhileCopied(async () => running?.kill());
    await source.query('DELETE FROM left_side WHERE id <= 10');
    running = new JobProcess(spec);
    expect(await running.end()).toEqual({ kind: 'ended', complete: true });
    expect(warnings(running)).toEqual([expect.stringContaining('two moments; use SYNC')]);
    // Chunks that the target has are not read again.
    expect((await target.query('SELECT count(*)::int AS n FROM left_side')).rows).toEqual([{ n: 30_000 }]);
    expect((await target.query('SELECT sum(v) FROM right_side')).rows).toEqual([{ sum: '3000050' }]);
  });
});

describe('a full copy that cannot finish a table', () => {
  const nothingLost = async () => {
    expect(await running?.end()).toEqual({ kind: 'ended', complete: true });
    const count = 'SELECT count(*)::int AS n FROM pile';
    expect((await target.query(count)).rows).toEqual((await source.query(count)).rows);
  };

  beforeEach(() => {
    spec = { ...spec, type: 'MIGRATION', structure: false, tables: wholeTables(['pile']) };
  });

  test.each([
    ['with a key', 'id int PRIMARY KEY', 'TOO_MANY_ROWS_REFUSED'],
    ['without a key', 'id int', 'CONSTRAINT_REFUSED'],
  ])('%s is incomplete at every start until the target accepts it', async (_, columns, code) => {
    for (const client of [source, target]) await client.query(`CREATE TABLE pile (${columns})`);
    await source.query('INSERT INTO pile SELECT generate_series(1, 1000)');
    await target.query('ALTER TABLE pile ADD CONSTRAINT few CHECK (id < 10)');
    for (let start = 0; start < 2; start++) {
      running = new JobProcess(spec);
      expect(await running.end()).toMatchObject({ kind: 'failed', fault: { code } });
    }
    await target.query('ALTER TABLE pile DROP CONSTRAINT few');
    running = new JobProcess(spec);
    await nothingLost();
  });

  test('is refused after a hundred rows, however many follow', async () => {
    for (const client of [source, target]) await client.query('CREATE TABLE pile (id int PRIMARY KEY)');
    await source.query('INSERT INTO pile SELECT generate_series(1, 5000)');
    // A sequence counts what is rolled back, too.
    await target.query("CREATE SEQUENCE tried; ALTER TABLE pile ADD CHECK (nextval('tried') < 0)");
    running = new JobProcess({ ...spec, parallel: 1 });
    expect(await running.end()).toMatchObject({ kind: 'failed', fault: { code: 'TOO_MANY_ROWS_REFUSED' } });
    const { rows } = await target.query('SELECT last_value::int AS tries FROM tried');
    expect(rows[0].tries).toBeLessThan(500);
  });

  test('because the target lacks it is incomplete, and copies the others', async () => {
    for (const client of [source, target]) await client.query('CREATE TABLE other (id int PRIMARY KEY)');
    await source.query(
      'CREATE TABLE pile (id int PRIMARY KEY); INSERT INTO pile VALUES (1); INSERT INTO other VALUES (1)',
    );
    spec = { ...spec, tables: wholeTables(['pile', 'other']) };
    running = new JobProcess(spec);
    expect(await running.end()).toMatchObject({ kind: 'failed', fault: { code: 'TABLE_MISSING' } });
    expect((await target.query('SELECT id FROM other')).rows).toEqual([{ id: 1 }]);
    await target.query('CREATE TABLE pile (id int PRIMARY KEY)');
    running = new JobProcess(spec);
    await nothingLost();
  });

  test.each([
    ['round', 'numeric(10,1)', 'ALTER TABLE pile ALTER v TYPE numeric'],
    ['compute', 'numeric GENERATED ALWAYS AS (id) STORED', 'ALTER TABLE pile ALTER v DROP EXPRESSION'],
  ])('because the target would %s its values is incomplete until it no longer would', async (_, type, mended) => {
    await source.query('CREATE TABLE pile (id int PRIMARY KEY, v numeric); INSERT INTO pile VALUES (1, 1.25)');
    await target.query(`CREATE TABLE pile (id int PRIMARY KEY, v ${type})`);
    running = new JobProcess(spec);
    expect(await running.end()).toMatchObject({ kind: 'failed', fault: { code: 'TYPE_NARROWER' } });
    expect(running.states()).toEqual({ 'public.pile': 'blocked' });
    await target.query(mended);
    running = new JobProcess(spec);
    await nothingLost();
    expect((await target.query('SELECT v FROM pile')).rows).toEqual([{ v: '1.25' }]);
  });

  test('because the target lost it copies it again from the first row', async () => {
    for (const client of [source, target]) await client.query('CREATE TABLE pile (id int PRIMARY KEY)');
    await source.query('INSERT INTO pile SELECT generate_series(1, 3000)');
    await target.query('ALTER TABLE pile ADD CHECK (id < 2000)');
    spec = { ...spec, parallel: 1 };
    running = new JobProcess(spec);
    expect(await running.end()).toMatchObject({ kind: 'failed', fault: { code: 'TOO_MANY_ROWS_REFUSED' } });
    expect((await target.query('SELECT FROM pile LIMIT 1')).rowCount).toBe(1);
    await target.query('DROP TABLE pile');
    running = new JobProcess(spec);
    expect(await running.end()).toMatchObject({ kind: 'failed', fault: { code: 'TABLE_MISSING' } });
    await target.query('CREATE TABLE pile (id int PRIMARY KEY)');
    running = new JobProcess(spec);
    await nothingLost();
  });

  test('because its rows conflict has all of them once they no longer do', async () => {
    for (const client of [source, target]) await client.query('CREATE TABLE pile (id int PRIMARY KEY, code int)');
    await source.query('INSERT INTO pile SELECT i, i % 99999 FROM generate_series(1, 100000) i');
    await target.query('CREATE UNIQUE INDEX one_of_each ON pile (code)');
    running = new JobProcess(spec);
    expect(await running.end()).toMatchObject({ kind: 'failed' });
    await target.query('DROP INDEX one_of_each');
    running = new JobProcess(spec);
    await nothingLost();
  });

  test('because it is paused waits until it is resumed', async () => {
    for (const client of [source, target]) await client.query('CREATE TABLE pile (id int PRIMARY KEY)');
    await source.query('INSERT INTO pile SELECT generate_series(1, 100000)');
    const holder = await connect(targetUrl);
    await holder.query('BEGIN; LOCK TABLE pile');
    running = new JobProcess(spec);
    const job = running;
    const pile = () => job.tables().at(-1);
    await job.until(() => pile() !== undefined);
    job.send({ kind: 'table', id: pile()?.id ?? '', action: 'pause' });
    // It reports once a second: by then it has the order.
    const sent = job.reports.length;
    await job.until((reports) => reports.length > sent + 1);
    await holder.end();
    await job.until((reports) => pile()?.state === 'paused' || reports.at(-1)?.kind === 'ended');
    // The same goes for one that ends.
    const told = job.reports.length;
    await job.until((reports) => reports.length > told + 2 || reports.at(-1)?.kind === 'ended');
    expect(pile()?.rows).toBeLessThan(100_000);
    job.send({ kind: 'table', id: pile()?.id ?? '', action: 'resume' });
    await nothingLost();
  });
});

test('a column added at the source reaches the target with its default values; a rename waits', async () => {
  running = new JobProcess(spec);
  await running.until(isLive);
  await source.query(`ALTER TABLE account ADD COLUMN region text DEFAULT 'north'`);
  await source.query(`INSERT INTO account (name, region) VALUES ('with region', 'south')`);
  const isResynced = () => running?.reports.some((report) => report.kind === 'event' && /added/.test(report.sentence));
  await running.until(() => isResynced() === true);
  await running.until(isLive);
  await expectEqual(running);
  await source.query('ALTER TABLE entry RENAME COLUMN note TO remark');
  await source.query(`INSERT INTO entry VALUES (1, 1, NULL, 'renamed')`);
  await running.until(() => running?.states()['public.entry'] === 'blocked');
  await source.query(`INSERT INTO account (name) VALUES ('others go on')`);
  await running.until((reports) => reports.at(-1)?.kind === 'sample');
  const other = `SELECT count(*)::int AS n FROM account WHERE name = 'others go on'`;
  while ((await target.query(other)).rows[0].n === 0) {
    const told = running.reports.length;
    await running.until((reports) => reports.length > told);
  }
});

test('the lag grows while the source holds back log, and ends once it has sent it', async () => {
  running = new JobProcess(spec);
  await running.until(isLive);
  const lags = (reports: readonly Report[]) =>
    reports.flatMap((report) => (report.kind === 'sample' ? [report.sample.lagMs] : []));
  const [sender] = (
    await source.query('SELECT active_pid AS pid FROM pg_replication_slots WHERE database = current_database()')
  ).rows;
  process.kill(sender.pid, 'SIGSTOP');
  try {
    await source.query(`INSERT INTO account (name) VALUES ('not told')`);
    await running.until((reports) => (lags(reports).at(-1) ?? 0) > 6_000);
  } finally {
    process.kill(sender.pid, 'SIGCONT');
  }
  await expectEqual(running);
  await running.until((reports) => lags(reports).at(-1) === 0);
});

const parkedOf = () => {
  const tables = running?.tables() ?? [];
  return tables.findLast(({ source }) => source === 'public.document');
};
const sentences = () =>
  (running?.reports ?? []).flatMap((report) => (report.kind === 'event' ? [`${report.table} ${report.sentence}`] : []));

test('a finished full copy retries parked rows on request, and leaves rows of others alone', async () => {
  const copy: JobSpec = { ...spec, type: 'MIGRATION' };
  await target.query(`CREATE TABLE document (id text PRIMARY KEY, body text, tags text[],
    title text, CONSTRAINT no_secret CHECK (title <> 'secret'));
    CREATE UNIQUE INDEX one_body ON document (body) WHERE length(body) < 9`);
  await source.query(`UPDATE document SET title = 'secret', body = id WHERE id IN ('d1', 'd2', 'd3', 'd4')`);
  running = new JobProcess(copy);
  expect(await running.end()).toEqual({ kind: 'ended', complete: true });
  expect(parkedOf()).toMatchObject({ state: 'done', parked: 4 });
  const id = parkedOf()?.id ?? '';
  await target.query(`ALTER TABLE document DROP CONSTRAINT no_secret`);
  // By now another user has written a unique value and a key.
  await target.query(`INSERT INTO document VALUES ('theirs', 'd1', NULL, 'theirs'), ('d2', NULL, NULL, 'theirs')`);
  await source.query(`UPDATE document SET title = 'mended' WHERE id = 'd3'; DELETE FROM document WHERE id = 'd4';
    UPDATE document SET title = 'newer' WHERE id = 'd5'`);
  running = new JobProcess({ ...copy, conflict: 'ignore' }, { retries: [{ id, row: null }] });
  expect(await running.end()).toEqual({ kind: 'ended', complete: true });
  expect(parkedOf()).toMatchObject({ state: 'done', parked: 1 });
  expect(sentences().filter((one) => one.startsWith('public.document'))).toEqual([
    'public.document The target refused a row, which is parked (UNIQUE_REFUSED, one_body).',
    'public.document Parked rows were written to the target: 3 of 4.',
  ]);
  const rows = async () =>
    (
      await target.query(
        `SELECT id, title FROM document WHERE id IN ('d1', 'd2', 'd3', 'd4', 'd5', 'theirs') ORDER BY id`,
      )
    ).rows;
  const kept = [
    { id: 'd3', title: 'mended' },
    { id: 'd5', title: 'title' },
    { id: 'theirs', title: 'theirs' },
  ];
  expect(await rows()).toEqual([{ id: 'd2', title: 'theirs' }, ...kept]);
  // Nothing else is repeated.
  expect(running.reports.some(({ kind }) => kind === 'phase')).toBe(false);

  await source.query('ALTER TABLE document RENAME TO papers');
  running = new JobProcess(copy, { retries: [{ id, row: 1 }] });
  expect(await running.end()).toEqual({ kind: 'ended', complete: true });
  expect(sentences()).toEqual([expect.stringMatching(/^null Parked rows could not be retried, .+ public\.document/)]);
});

test('rows the target refuses are parked while others continue, retried on request, and block when many', async () => {
  running = new JobProcess(spec);
  await running.until(isLive);
  await target.query(`ALTER TABLE document ADD CONSTRAINT no_secret CHECK (title <> 'secret') NOT VALID`);
  await source.query(`UPDATE document SET title = 'secret' WHERE id IN ('d1001', 'd1002', 'd1003', 'd1004');
    UPDATE document SET title = 'taken' WHERE id IN ('d1005', 'd1006')`);
  await running.until(() => parkedOf()?.parked === 4);
  await source.query(`UPDATE document SET body = 'absorbed' WHERE id = 'd1001'`);
  await source.query(`DELETE FROM document WHERE id = 'd1002'`);
  await source.query(`UPDATE document SET id = 'moved', title = 'fine again' WHERE id = 'd1003'`);
  await running.until(() => parkedOf()?.parked === 2);
  const five = `SELECT id, title FROM document WHERE id IN ('d1001', 'd1002', 'd1003', 'd1005', 'moved') ORDER BY id`;
  // A reread row comes after the batch that unparked it.
  await expect
    .poll(async () => (await target.query(five)).rows)
    .toEqual([
      { id: 'd1001', title: 'title' },
      { id: 'd1005', title: 'taken' },
      { id: 'moved', title: 'fine again' },
    ]);
  expect(parkedOf()).toMatchObject({ state: 'live', fault: null });
  const parked = await target.query('SELECT number, op, code FROM millrace.millrace_parked ORDER BY number');
  expect(parked.rows).toEqual([
    { number: '1', op: 'update', code: 'CONSTRAINT_REFUSED' },
    { number: '4', op: 'update', code: 'CONSTRAINT_REFUSED' },
  ]);

  await running.kill();
  running = new JobProcess(spec);
  await running.until(isLive);
  expect(parkedOf()?.parked).toBe(2);
  const id = parkedOf()?.id ?? '';
  running.send({ kind: 'retry', id, row: 1 });
  await running.until(() => sentences().some((one) => /^public\.document The target refused a row/.test(one)));
  expect(parkedOf()?.parked).toBe(2);
  await target.query('ALTER TABLE document DROP CONSTRAINT no_secret');
  running.send({ kind: 'retry', id, row: null });
  await running.until(() => parkedOf()?.parked === 0);
  await expectEqual(running);

  await target.query(`ALTER TABLE document ADD CONSTRAINT no_secret CHECK (title <> 'secret') NOT VALID`);
  await source.query(`UPDATE document SET title = 'secret' WHERE id LIKE 'd9%'`);
  await running.until(() => parkedOf()?.state === 'blocked');
  expect(parkedOf()?.fault).toMatchObject({
    code: 'TOO_MANY_ROWS_REFUSED',
    sentence: expect.stringContaining('no_secret'),
  });
  await source.query(`INSERT INTO account (name) VALUES ('others go on')`);
  await target.query('ALTER TABLE document DROP CONSTRAINT no_secret');
  running.send({ kind: 'table', id, action: 'resume' });
  await running.until(isLive);
  await expectEqual(running);
  expect(JSON.stringify(running.reports)).not.toMatch(/"d\d+"|moved|secret'|absorbed/);
});

test('a followed table is blocked after a hundred refused rows, however many follow', async () => {
  running = new JobProcess(spec);
  await running.until(isLive);
  // A sequence counts what is rolled back, too.
  await target.query(`CREATE SEQUENCE tried;
    ALTER TABLE document ADD CHECK (title <> 'secret' OR nextval('tried') < 0) NOT VALID`);
  await source.query(`UPDATE document SET title = 'secret'`);
  await running.until(() => parkedOf()?.state === 'blocked');
  expect(parkedOf()?.fault).toMatchObject({ code: 'TOO_MANY_ROWS_REFUSED' });
  const { rows } = await target.query('SELECT last_value::int AS tries FROM tried');
  expect(rows[0].tries).toBeLessThan(500);
});

test('rows refused and deleted in one batch block nothing, however many they are', async () => {
  running = new JobProcess(spec);
  await running.until(isLive);
  await target.query(`ALTER TABLE document ADD CONSTRAINT no_secret CHECK (title <> 'secret') NOT VALID`);
  // A table with a moved row is applied in the order of the log.
  await source.query(`BEGIN; UPDATE document SET id = 'moved', title = 'other' WHERE id = 'd1500';
    INSERT INTO document SELECT 'new ' || i, '', '{}', 'secret' FROM generate_series(1, 300) i;
    DELETE FROM document WHERE title = 'secret'; COMMIT`);
  await expectEqual(running);
  expect(parkedOf()).toMatchObject({ state: 'live', parked: 0 });
});

test('a job may write to another database of its server, but not to its source or another job’s target', async () => {
  const circle = { ...spec, target: postgresSide(sourceUrl) };
  running = new JobProcess(circle);
  expect(await running.end()).toMatchObject({ kind: 'failed', fault: { code: 'TARGET_IS_SOURCE' } });
  expect((await source.query('SELECT FROM pg_replication_slots WHERE database = current_database()')).rowCount).toBe(0);
  const checking = fork(join(import.meta.dirname, 'answer.ts'));
  const answered = once(checking, 'message');
  checking.send({ kind: 'check', spec: circle });
  const sentence = expect.stringContaining('that it reads (at the target, table public.account)');
  expect((await answered)[0]).toMatchObject({
    ok: true,
    data: expect.arrayContaining([expect.objectContaining({ side: 'target', result: 'fault', sentence })]),
  });
  running = new JobProcess(spec);
  await running.until(isLive);
  const second = new JobProcess({ ...spec, id: newJob() });
  const told = expect.stringContaining(`(at the target, table public.account, job ${spec.id})`);
  expect(await second.end()).toMatchObject({ kind: 'failed', fault: { code: 'TARGET_TAKEN', sentence: told } });
});

test('a job that leads back to another job’s source is refused while that job exists; a chain is not', async () => {
  running = new JobProcess(spec);
  await running.until(isLive);
  const back = { ...spec, id: newJob(), source: spec.target, target: spec.source, tables: wholeTables(['account']) };
  const second = new JobProcess(back);
  const sentence = expect.stringContaining(`(at the target, table public.account, job ${spec.id})`);
  expect(await second.end()).toMatchObject({ kind: 'failed', fault: { code: 'JOBS_IN_CIRCLE', sentence } });
  const [table] = back.tables;
  if (!table) throw new Error('The job has a table.');
  const on = { ...back, tables: [{ ...table, target: { schema: 'public', name: 'account_again' } }] };
  const third = new JobProcess(on);
  await third.until(() => third.states()['public.account'] === 'live');
  await third.kill();
  await running.kill();
  await source.query(`DROP PUBLICATION millrace_${spec.id}`);
  const fourth = new JobProcess({ ...back, initialLoad: false });
  await fourth.until(() => fourth.states()['public.account'] === 'live');
  await fourth.kill();
});

test('a table left out for a while, and one altered while no process runs, are copied again', async () => {
  const whole = spec;
  const only = { ...whole, tables: whole.tables.filter(({ name }) => name !== 'entry') };
  running = new JobProcess(only);
  await running.until(() => running?.states()['public.account'] === 'live');
  await running.kill();
  await source.query(`DELETE FROM entry WHERE number < 50; UPDATE account SET balance = 7 WHERE id < 100`);

  running = new JobProcess(whole);
  await running.until(isLive);
  await source.query(`INSERT INTO entry VALUES (1, -1, NULL, 'of a table that joined')`);
  await expectEqual(running);
  await running.kill();

  running = new JobProcess(only);
  await running.until(() => running?.states()['public.account'] === 'live');
  await source.query(
    `UPDATE entry SET note = 'nobody looks' WHERE number % 3 = 0; DELETE FROM entry WHERE number = 77`,
  );
  await source.query(`INSERT INTO account (name) VALUES ('a change that moves the position')`);
  const moved = `SELECT count(*)::int AS n FROM account WHERE name = 'a change that moves the position'`;
  while ((await target.query(moved)).rows[0].n === 0) {
    const told = running.reports.length;
    await running.until((reports) => reports.length > told);
  }
  await running.kill();
  const { rows: found } = await source.query(`SELECT 'document'::regclass::oid AS id`);
  await target.query(
    `INSERT INTO millrace.millrace_parked SELECT job, $1, 1, '["d1"]', 'update', '0/1', 'VALUE_REFUSED', 0
      FROM millrace.millrace_mark`,
    [String(found[0].id)],
  );
  await source.query(`ALTER TABLE document ADD COLUMN rank int DEFAULT 3`);

  running = new JobProcess(whole);
  await running.until(isLive);
  await expectEqual(running);
  // A table that is copied again parks rows anew.
  expect((await target.query('SELECT FROM millrace.millrace_parked')).rowCount).toBe(0);
});
