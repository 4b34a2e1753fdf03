import { afterEach, beforeEach, expect, inject, onTestFinished, test } from 'vitest';
import { JobProcess } from '../../../../testing/job-process.ts';
import { jobSpec, postgresSide, wholeTables } from '../../../../testing/job-spec.ts';
import { PairJob, pairSpec } from '../../../../testing/pair-job.ts';
import { startPostgres } from '../../../../testing/postgres.ts';
import { newJob, openSourceDatabase, type SourceDatabase } from '../../../../testing/postgres-source.ts';
import { openPostgresSink } from '../sink.ts';

let source: SourceDatabase;
let target: SourceDatabase;
let running: PairJob | undefined;

beforeEach(async ({ skip }) => {
  const server = inject('postgresUrl');
  [source, target] = [await openSourceDatabase(server), await openSourceDatabase(server)];
  if (!(await isNew(source))) skip('The server is older than 18.');
});
afterEach(async () => {
  await running?.stop();
  running = undefined;
  await Promise.all([source.close(), target.close()]);
});

async function isNew({ sql }: SourceDatabase): Promise<boolean> {
  const [[version] = []] = await sql('SHOW server_version_num');
  return Number(version) >= 180_000;
}

/** A database on the installed server. */
async function openOlder(skip: (note: string) => never): Promise<SourceDatabase> {
  const server = await startPostgres();
  const older = await openSourceDatabase(server.url);
  onTestFinished(async () => {
    await older.close();
    await server.stop();
  });
  if (await isNew(older)) skip('It is not older than 18.');
  return older;
}

const rowsOf = ({ sql }: SourceDatabase, table: string) => sql(`SELECT t.* FROM public.${table} AS t ORDER BY t`);
const definitions = `SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = 'public'::regnamespace ORDER BY 1, 2`;

test('structure that only PostgreSQL 18 understands is carried to 18, and reported for others', async () => {
  await source.sql(`
    CREATE TABLE a (id uuid DEFAULT uuidv7() PRIMARY KEY, n int NOT NULL, v int GENERATED ALWAYS AS (n * 2) VIRTUAL);
    CREATE TABLE b (id int PRIMARY KEY, n int, CONSTRAINT loose CHECK (n > 0) NOT ENFORCED, a uuid REFERENCES a NOT ENFORCED);
    CREATE TABLE c (id int4range, during int4range, PRIMARY KEY (id, during WITHOUT OVERLAPS));
    CREATE TABLE d (id int PRIMARY KEY);
    CREATE TABLE e (id int PRIMARY KEY, c int4range, during int4range, FOREIGN KEY (c, PERIOD during) REFERENCES c (id, PERIOD during));
  `);
  const sink = openPostgresSink(target.settings, target.abort.signal);
  const tables = await source.source.catalog([]);
  const statements = await source.source.structure(tables, tables, []);
  const told = statements
    .filter(({ note }) => note?.includes('Needs PostgreSQL 18'))
    .map(({ kind, table }) => `${kind} ${table}`);
  expect(told.sort()).toEqual([
    'check public.b',
    'foreign-key public.b',
    'foreign-key public.e',
    'index public.c',
    'table public.a',
  ]);
  for (const statement of statements) await sink.run(statement);
  expect(await target.sql(definitions)).toEqual(await source.sql(definitions));
  expect(await target.sql("SELECT attname FROM pg_attribute WHERE attgenerated = 'v'")).toEqual([['v']]);
  await sink.close();
});

test('a table that an older target cannot have is left out until created by hand; others continue', async ({
  skip,
}) => {
  const older = await openOlder(skip);
  await source.sql(`
    CREATE TABLE a (id serial PRIMARY KEY, v int GENERATED ALWAYS AS (id * 2) VIRTUAL);
    INSERT INTO a VALUES (1);
    CREATE TABLE b (id int PRIMARY KEY);
  `);
  const spec = pairSpec(newJob(), ['a', 'b'], { structure: true });
  running = await PairJob.start(source, older, spec);
  await running.untilState('public.b', 'live');
  expect(running.state('public.a')).toBeUndefined();
  await running.stop();
  await older.sql('CREATE TABLE a (id int PRIMARY KEY, v int GENERATED ALWAYS AS (id * 2) STORED)');
  running = await PairJob.start(source, older, spec);
  await running.untilState('public.a', 'live');
  expect(await rowsOf(older, 'a')).toEqual(await rowsOf(source, 'a'));
  await running.stop();
});

test('no part of a partitioned table is tried if an older target cannot have it', async ({ skip }) => {
  const older = await openOlder(skip);
  await source.sql(`
    CREATE TABLE parted (id int PRIMARY KEY, v int GENERATED ALWAYS AS (id * 2) VIRTUAL) PARTITION BY RANGE (id);
    CREATE TABLE part PARTITION OF parted FOR VALUES FROM (0) TO (9) PARTITION BY RANGE (id);
    CREATE TABLE leaf PARTITION OF part FOR VALUES FROM (0) TO (5);
    CREATE TABLE other (id int PRIMARY KEY);
  `);
  const sides = { source: postgresSide(source.url), target: postgresSide(older.url) };
  const job = new JobProcess(jobSpec({ ...sides, tables: wholeTables(['parted', 'other']) }));
  onTestFinished(() => job.kill());
  await job.until(() => job.states()['public.other'] === 'live');
  const told = job.reports.flatMap((report) =>
    report.kind === 'event' && report.level !== 'info' ? [report.table] : [],
  );
  expect(told).toEqual(['public.parted']);
});

test('a column that an older target cannot have keeps out only its table at the next start', async ({ skip }) => {
  const older = await openOlder(skip);
  await source.sql('CREATE TABLE a (id int PRIMARY KEY); CREATE TABLE b (id int PRIMARY KEY)');
  const spec = pairSpec(newJob(), ['a', 'b'], { structure: true });
  running = await PairJob.start(source, older, spec);
  await running.untilState('public.a', 'live');
  await running.stop();
  await source.sql('ALTER TABLE a ADD v uuid DEFAULT uuidv7(); INSERT INTO b VALUES (1)');
  running = await PairJob.start(source, older, spec);
  await running.until(async () => (await rowsOf(older, 'b')).length === 1);
  expect(running.state('public.a')).toBeUndefined();
  await running.stop();
});

test('a WITHOUT OVERLAPS key is refused with a statement that makes its table replicable', async () => {
  await source.sql(`
    CREATE TABLE room (id int4range, during int4range, name text, PRIMARY KEY (id, during WITHOUT OVERLAPS));
    INSERT INTO room SELECT int4range(n % 7, n % 7, '[]'), int4range(n, n, '[]'), 'room ' || n FROM generate_series(1, 300) n;
    CREATE TABLE other (id int PRIMARY KEY, name text);
    INSERT INTO other VALUES (1, 'one');
  `);
  const spec = pairSpec(newJob(), ['room', 'other'], { structure: true });
  running = await PairJob.start(source, target, spec);
  await running.untilState('public.other', 'live');
  await running.stop();

  const findings = await source.source.check(await source.source.catalog(['public']));
  const faults = findings.filter(({ table, result }) => table && result === 'fault');
  expect(faults).toEqual([expect.objectContaining({ sentence: expect.stringContaining('is WITHOUT OVERLAPS') })]);
  await source.sql(faults[0]?.sql ?? '');
  running = await PairJob.start(source, target, spec);
  await running.untilState('public.room', 'live');
  await source.sql(`
    UPDATE room SET name = 'other' WHERE lower(during) % 3 = 0;
    DELETE FROM room WHERE lower(during) % 5 = 0;
    UPDATE room SET during = int4range(lower(during) + 1000, upper(during) + 1000) WHERE lower(during) % 7 = 0;
  `);
  const rows = await rowsOf(source, 'room');
  await running.until(async () => JSON.stringify(await rowsOf(target, 'room')) === JSON.stringify(rows));
});

test('a NOT NULL that source rows violate keeps none of them from the target', async () => {
  await source.sql(`
    CREATE TABLE item (id int PRIMARY KEY, name text);
    INSERT INTO item VALUES (1, NULL), (2, 'two');
    ALTER TABLE item ADD CONSTRAINT named NOT NULL name NOT VALID;
  `);
  running = await PairJob.start(source, target, pairSpec(newJob(), ['item'], { structure: true }));
  await running.untilState('public.item', 'live');
  expect(await rowsOf(target, 'item')).toEqual(await rowsOf(source, 'item'));
});
