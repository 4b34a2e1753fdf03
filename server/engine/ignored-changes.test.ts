import pg from 'pg';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { JobProcess } from '../testing/job-process.ts';
import { jobSpec, postgresSide, wholeTables } from '../testing/job-spec.ts';
import { createDatabase, dropSlots } from '../testing/postgres.ts';
import type { JobSpec } from './job.ts';

/** A job that follows rows and leaves definitions at its target as they are. */

let source: pg.Client;
let target: pg.Client;
let spec: JobSpec;
let running: JobProcess | undefined;

beforeEach(async () => {
  const server = inject('postgresUrl');
  const urls = [await createDatabase(server), await createDatabase(server)] as const;
  [source, target] = [new pg.Client(urls[0]), new pg.Client(urls[1])];
  await Promise.all([source.connect(), target.connect()]);
  await source.query(`CREATE TABLE item (id int PRIMARY KEY, name text) PARTITION BY RANGE (id);
    CREATE TABLE item_1 PARTITION OF item FOR VALUES FROM (0) TO (100);
    INSERT INTO item SELECT i, 'name' FROM generate_series(1, 9) AS i`);
  spec = jobSpec({
    source: postgresSide(urls[0]),
    target: postgresSide(urls[1]),
    tables: wholeTables(['item']),
    ddl: 'ignore',
  });
  await start();
});

afterEach(async () => {
  await running?.kill();
  running = undefined;
  await dropSlots(async (sql) => (await source.query(sql)).rows);
  await Promise.all([source.end(), target.end()]);
});

const isLive = () => running?.states()['public.item'] === 'live';

async function start(): Promise<void> {
  running = new JobProcess(spec);
  await running.until(isLive);
}

const columns = `SELECT string_agg(attname, ' ' ORDER BY attname) AS names FROM pg_attribute
  WHERE attrelid = 'item'::regclass AND attnum > 0 AND NOT attisdropped`;
const columnsOf = async (database: pg.Client) => (await database.query(columns)).rows[0]?.names;

/** Waits until these columns are the same on both sides; checks each time the job reports. */
async function untilSame(names: string): Promise<void> {
  const rows = async (database: pg.Client) => (await database.query(`SELECT ${names} FROM item ORDER BY id`)).rows;
  while (!isLive() || JSON.stringify(await rows(source)) !== JSON.stringify(await rows(target))) {
    if (running?.isIdle) expect(await rows(target)).toEqual(await rows(source));
    const told = running?.reports.length ?? 0;
    await running?.until((reports) => reports.length > told);
  }
}

const added = `ALTER TABLE item ADD more text DEFAULT 'more'; UPDATE item SET more = 'own', name = 'new' WHERE id < 4`;

test('columns and partitions added while no process runs do not reach the target', async () => {
  await running?.kill();
  await source.query(`${added}; CREATE TABLE item_2 PARTITION OF item FOR VALUES FROM (100) TO (200)`);
  for (const change of ['INSERT INTO item VALUES (20)', 'DELETE FROM item WHERE id = 20']) {
    await start();
    await source.query(change);
    await untilSame('id, name');
    await running?.kill();
  }
  expect(await columnsOf(target)).toBe('id name');
  expect((await target.query("SELECT to_regclass('item_2') AS part")).rows).toEqual([{ part: null }]);
});

test.each(['while the job runs', 'while no process runs'])(
  'a column added on both sides %s is carried with all its values',
  async (when) => {
    if (when === 'while no process runs') await running?.kill();
    await source.query("INSERT INTO item VALUES (30, 'before it')");
    await target.query('ALTER TABLE item ADD more text');
    await source.query(added);
    if (when === 'while no process runs') await start();
    await untilSame('id, name, more');
    await source.query("UPDATE item SET more = 'then' WHERE id > 6");
    await untilSame('id, name, more');
  },
);

test('a column added at the target later is carried with all its values from the next start on', async () => {
  await source.query(added);
  await untilSame('id, name');
  await running?.until((reports) =>
    reports.some((report) => report.kind === 'event' && report.sentence.includes('the target keeps its columns')),
  );
  await running?.kill();
  await target.query('ALTER TABLE item ADD more text');
  await start();
  await untilSame('id, name, more');
  const said = (running?.reports ?? []).flatMap((report) => (report.kind === 'event' ? report.sentence : []));
  expect(said.join('\n')).toContain('copied again');
});

test.each(['while the job runs', 'while no process runs'])(
  'a column recreated under its name %s has its new values',
  async (when) => {
    if (when === 'while no process runs') await running?.kill();
    await source.query("INSERT INTO item VALUES (30, 'before it')");
    await source.query("BEGIN; ALTER TABLE item DROP name; ALTER TABLE item ADD name text DEFAULT 'again'; COMMIT");
    if (when === 'while no process runs') await start();
    await untilSame('id, name');
  },
);
