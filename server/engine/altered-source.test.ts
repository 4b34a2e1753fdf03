import pg from 'pg';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { JobProcess } from '../testing/job-process.ts';
import { jobSpec, postgresSide, wholeTables } from '../testing/job-spec.ts';
import { createDatabase, dropSlots } from '../testing/postgres.ts';
import { Random } from './contract/random.ts';
import type { JobSpec } from './job.ts';
import type { Report } from './protocol.ts';

/** Users and administrators of a source at random, while the job runs, is killed and starts again. */

const names = ['item', 'parted'];
const steps = 30;

const structure = `
  CREATE TYPE mood AS ENUM ('a', 'b');
  CREATE TABLE item (id int PRIMARY KEY, u int UNIQUE, a int NOT NULL DEFAULT 0, b text, m mood DEFAULT 'a', big text);
  ALTER TABLE item ALTER big SET STORAGE EXTERNAL;
  CREATE TABLE parted (id int PRIMARY KEY, a int, b text) PARTITION BY RANGE (id);
  CREATE TABLE parted_0 PARTITION OF parted FOR VALUES FROM (0) TO (50);
  CREATE TABLE parted_1 PARTITION OF parted FOR VALUES FROM (50) TO (100) PARTITION BY RANGE (id);
  CREATE TABLE parted_1a PARTITION OF parted_1 FOR VALUES FROM (50) TO (75);
  CREATE TABLE parted_1b PARTITION OF parted_1 FOR VALUES FROM (75) TO (100);
  INSERT INTO item SELECT i, i, i, 'b', 'a', repeat('x', 3000) FROM generate_series(1, 100) AS i;
  INSERT INTO parted SELECT i, i, 'b' FROM generate_series(0, 99) AS i`;

let source: pg.Client;
let target: pg.Client;
let spec: JobSpec;
let running: JobProcess | undefined;

beforeEach(async () => {
  const server = inject('postgresUrl');
  const urls = [await createDatabase(server), await createDatabase(server)] as const;
  [source, target] = [new pg.Client(urls[0]), new pg.Client(urls[1])];
  await Promise.all([source.connect(), target.connect()]);
  await source.query(structure);
  spec = jobSpec({ source: postgresSide(urls[0]), target: postgresSide(urls[1]), tables: wholeTables(names) });
});

afterEach(async () => {
  await running?.kill();
  running = undefined;
  await dropSlots(async (sql) => (await source.query(sql)).rows);
  await Promise.all([source.end(), target.end()]);
});

async function columnsOf(table: string): Promise<{ name: string; type: string }[]> {
  const { rows } = await source.query(
    `SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
    [table],
  );
  return rows;
}

/** A statement of a user; `turn` is another number each time. */
function write(random: Random, turn: number): string {
  const id = random.below(110);
  return random.pick([
    `INSERT INTO item (id, u) SELECT i, i + ${turn * 1000} FROM generate_series(${id}, ${id + random.below(10)}) AS i
      ON CONFLICT DO NOTHING`,
    `UPDATE item SET a = ${turn} WHERE id % 7 = ${turn % 7}`,
    `UPDATE item SET u = u + 100000 WHERE id = ${id}`,
    `UPDATE item SET id = ${1000 + turn} WHERE id = ${id}`,
    `DELETE FROM item WHERE id = ${id}`,
    `INSERT INTO parted (id) VALUES (${id % 100}) ON CONFLICT DO NOTHING`,
    `UPDATE parted SET a = ${turn} WHERE id % 5 = ${turn % 5}`,
    `DELETE FROM parted WHERE id = ${id}`,
    `UPDATE parted AS p SET id = 99 - id WHERE id = ${id} AND NOT EXISTS (SELECT FROM parted WHERE id = 99 - p.id)`,
  ]);
}

/** Statements of an administrator, each in its own transaction but for the last. */
async function alter(random: Random, turn: number): Promise<string[]> {
  const table = random.pick(names);
  const own = (await columnsOf(table)).filter(({ name }) => !['id', 'u', 'a'].includes(name));
  const { name, type } = random.pick([...own, { name: 'a', type: 'integer' }]);
  const value = type === 'text' ? `'then ${turn}'` : type === 'integer' || type === 'bigint' ? turn : 'NULL';
  const [part = '', bounds] = random.pick([
    ['parted_0', '(0) TO (50)'],
    ['parted_1', '(50) TO (100)'],
  ]);
  return random.pick([
    [`ALTER TABLE ${table} ADD x${turn} text DEFAULT 'default ${turn}'`],
    [`ALTER TABLE ${table} ADD x${turn} uuid DEFAULT gen_random_uuid()`],
    [`ALTER TABLE ${table} ADD x${turn} text DEFAULT 'd'; UPDATE ${table} SET x${turn} = 'own' WHERE id % 2 = 0`],
    name === 'a' ? [`ALTER TABLE ${table} ALTER a TYPE bigint`] : [`ALTER TABLE ${table} DROP COLUMN ${name}`],
    [
      `ALTER TABLE ${table} RENAME ${name} TO r${turn}`,
      `UPDATE ${table} SET r${turn} = ${value} WHERE id % 4 = 1`,
      `ALTER TABLE ${table} RENAME r${turn} TO ${name}`,
    ],
    [`ALTER TABLE ${table} RENAME ${name} TO y${turn}`, `ALTER TABLE ${table} RENAME y${turn} TO ${name}`],
    [
      `ALTER TABLE parted DETACH PARTITION ${part}`,
      `UPDATE ${part} SET a = ${turn} WHERE id % 3 = 0; DELETE FROM ${part} WHERE id % 11 = ${turn % 11}`,
      `ALTER TABLE parted ATTACH PARTITION ${part} FOR VALUES FROM ${bounds}`,
    ],
    [`TRUNCATE ${random.pick([...names, 'parted_0', 'parted_1', 'parted_1a'])}`],
    [`VACUUM FULL ${table}`],
    [`ALTER TABLE item REPLICA IDENTITY ${random.pick(['FULL', 'DEFAULT'])}`],
    [`ALTER TYPE mood ADD VALUE 'm${turn}'`],
  ]);
}

/** What differs in the columns that the source has; empty where nothing does. */
async function difference(): Promise<string> {
  const found: string[] = [];
  for (const name of names) {
    const columns = (await columnsOf(name)).map((column) => column.name).join(', ');
    const ask = `SELECT coalesce(json_agg(t::text ORDER BY id), '[]')::text AS rows FROM (SELECT ${columns} FROM ${name}) AS t`;
    // A column that the target is to get is not there yet.
    const [one, other] = await Promise.all([source.query(ask), target.query(ask).catch(() => ({ rows: [] }))]);
    if (one.rows[0]?.rows !== other.rows[0]?.rows) found.push(name);
  }
  return found.join(', ');
}

const isLive = (job: JobProcess) => names.every((name) => job.states()[`public.${name}`] === 'live');

/** Tables that wait for a person by these reports are taken back. */
function takeBack(job: JobProcess, reports: readonly Report[]): void {
  const told = reports.flatMap((report) => (report.kind === 'tables' ? report.tables : []));
  for (const { id, state } of told)
    if (state === 'blocked' && id !== null) job.send({ kind: 'table', id, action: 'resync' });
}

async function untilEqual(job: JobProcess): Promise<void> {
  takeBack(job, job.reports);
  for (;;) {
    const differing = await difference();
    if (differing === '' && isLive(job)) return;
    if (job.isIdle) expect(differing).toBe('');
    const told = job.reports.length;
    await job.until((reports) => reports.length > told);
    takeBack(job, job.reports.slice(told));
  }
}

/** Whatever happens in one turn. @returns what it was */
async function happen(random: Random, turn: number): Promise<string[]> {
  const done: string[] = [];
  if (random.chance(0.15)) {
    await running?.kill();
    running = running ? undefined : new JobProcess(spec);
    done.push(running ? '-- start' : '-- kill');
  }
  const statements = random.chance(0.25) ? await alter(random, turn) : [write(random, turn)];
  for (const statement of statements) await source.query(statement);
  const told = running?.reports.length ?? 0;
  if (random.chance(0.3)) await running?.until((reports) => reports.length > told);
  return [...done, ...statements];
}

test.each([1, 4, 14, 44])('whatever a source is altered to, its target has the same rows (seed %i)', async (seed) => {
  const random = new Random(seed);
  const done: string[] = [];
  running = new JobProcess(spec);
  for (let turn = 1; turn <= steps; turn++) done.push(...(await happen(random, turn)));
  running ??= new JobProcess(spec);
  await untilEqual(running).catch((error: unknown) => {
    throw new Error(`Seed ${seed}:\n${done.join(';\n')}`, { cause: error });
  });
});
