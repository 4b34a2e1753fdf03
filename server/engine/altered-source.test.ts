import pg from 'pg';
import { afterEach, beforeEach, inject, test } from 'vitest';
import { AlteredJob } from '../testing/altered-job.ts';
import { jobSpec, postgresSide, wholeTables } from '../testing/job-spec.ts';
import { createDatabase, dropSlots } from '../testing/postgres.ts';
import type { Random } from './contract/random.ts';
import { carriesColumn, type JobSpec, type TableSelection, targetColumn } from './job.ts';

/** Users and administrators of a source at random, while the job runs, is killed and starts again. */

const names = ['item', 'parted'];
/** What a job does with the tables, by what the target has then. */
const kinds: Record<string, { table?: Partial<TableSelection>; job?: Partial<JobSpec>; replays?: boolean }> = {
  'has the same rows': {},
  'has the same rows, also by replays': { replays: true },
  'has those rows that meet a condition': { table: { filter: 'a % 3 <> 1 AND length(id::text) < 4' } },
  'has the rows under other names, without a column': {
    table: { renamed: { a: 'alpha', b: 'beta' }, letters: 'upper', without: ['big'] },
  },
  'has the rows in the columns of its own': { job: { ddl: 'ignore' } },
};

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
let running: AlteredJob | undefined;
let urls: readonly [string, string];

beforeEach(async () => {
  const server = inject('postgresUrl');
  urls = [await createDatabase(server), await createDatabase(server)];
  [source, target] = [new pg.Client(urls[0]), new pg.Client(urls[1])];
  await Promise.all([source.connect(), target.connect()]);
  await source.query(structure);
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
  const isFollowed = spec.ddl === 'safe';
  const table = random.pick(names);
  const own = (await columnsOf(table)).filter(({ name }) => !['id', 'u', 'a'].includes(name));
  const { name, type } = random.pick([...own, { name: 'a', type: 'integer' }]);
  const value = type === 'text' ? `'then ${turn}'` : type === 'integer' || type === 'bigint' ? turn : 'NULL';
  const [part = '', bounds] = random.pick([
    ['parted_0', '(0) TO (50)'],
    ['parted_1', '(50) TO (100)'],
  ]);
  const dropped = [`ALTER TABLE ${table} DROP COLUMN ${name}`];
  return random.pick([
    [`ALTER TABLE ${table} ADD x${turn} text DEFAULT 'default ${turn}'`],
    [`ALTER TABLE ${table} ADD x${turn} uuid DEFAULT gen_random_uuid()`],
    [`ALTER TABLE ${table} ADD x${turn} text DEFAULT 'd'; UPDATE ${table} SET x${turn} = 'own' WHERE id % 2 = 0`],
    // The target's column stays as it is where definitions are not followed.
    ...(isFollowed
      ? [
          name === 'a' ? [`ALTER TABLE ${table} ALTER a TYPE bigint`] : dropped,
          [
            `ALTER TABLE ${table} RENAME ${name} TO r${turn}`,
            `UPDATE ${table} SET r${turn} = ${value} WHERE id % 4 = 1`,
            `ALTER TABLE ${table} RENAME r${turn} TO ${name}`,
          ],
          [`ALTER TABLE ${table} RENAME ${name} TO y${turn}`, `ALTER TABLE ${table} RENAME y${turn} TO ${name}`],
        ]
      : [name === 'a' ? [`UPDATE ${table} SET a = a + 1`] : dropped]),
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
  for (const selection of spec.tables) {
    const carried = (await columnsOf(selection.name)).map(({ name }) => name).filter((name) => isKept(selection, name));
    const rows = (
      columns: readonly string[],
      table: string,
    ) => `SELECT coalesce(json_agg(t.row ORDER BY t.row), '[]')::text
      AS rows FROM (SELECT ROW(${columns.map((name) => `"${name}"`).join(', ')})::text AS row FROM ${table}) AS t`;
    const met = selection.filter ? `${selection.name} WHERE ${selection.filter}` : selection.name;
    const columns = carried.map((name) => targetColumn(selection, name));
    const [one, other] = await Promise.all([
      source.query(rows(carried, met)),
      // A column that the target is to get is not there yet.
      target.query(rows(columns, selection.target.name)).catch(() => ({ rows: [] })),
    ]);
    if (one.rows[0]?.rows !== other.rows[0]?.rows) found.push(selection.name);
  }
  return found.join(', ');
}

/** Columns that came later are not the target's where definitions are not followed. */
const isKept = (selection: TableSelection, name: string) =>
  carriesColumn(selection, name) && (spec.ddl === 'safe' || structure.includes(` ${name} `));

const histories: [kind: string, seeds: number[]][] = [
  ['has the same rows', [1, 4, 14, 44]],
  ['has those rows that meet a condition', [4]],
  ['has the rows under other names, without a column', [7]],
  ['has the rows in the columns of its own', [4, 49]],
  ['has the same rows, also by replays', [203]],
];
const each = histories.flatMap(([kind, seeds]) => seeds.map((seed): [string, number] => [kind, seed]));

test.each(each)('whatever a source is altered to, its target %s (seed %i)', async (kind, seed) => {
  const { table, job, replays = false } = kinds[kind] ?? {};
  const tables = wholeTables(names).map((selection) => ({ ...selection, ...table }));
  spec = jobSpec({ source: postgresSide(urls[0]), target: postgresSide(urls[1]), tables, ...job });
  const perform = async (statement: string) => void (await source.query(statement));
  running = new AlteredJob(spec, { write, alter, perform, difference, replays });
  await running.run(seed);
});
