import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { JobProcess } from '../testing/job-process.ts';
import { jobSpec, postgresSide, wholeTables } from '../testing/job-spec.ts';
import {
  createDatabase,
  dropSlots,
  logicalCluster,
  type PostgresServer,
  postgresVersion,
  startPostgres,
} from '../testing/postgres.ts';
import { preparePostgres18 } from '../testing/postgres-18.ts';
import { sqliteVersion } from '../testing/sqlite-version.ts';
import type { ProvedSystem } from './contract/proof.ts';
import type { JobSpec } from './job.ts';
import { cards } from './systems/cards.ts';

/** Every pair that the cards offer creates structure, copies 3,000 rows and follows, with a kill in both. */
const rows = 3_000;

interface Side {
  system: ProvedSystem;
  schema: string;
  spec: JobSpec['source'];
  /** Runs statements as a user. */
  run(sql: string): Promise<unknown>;
  /** All rows of the table as one text, read with the system's own SQL. */
  rows(): Promise<string>;
  close(): Promise<void>;
}

const sides: Side[] = [];
let running: JobProcess | undefined;
let newest: PostgresServer;
let installed: ReturnType<typeof preparePostgres18>;

beforeAll(async () => {
  installed = preparePostgres18();
  newest = await startPostgres({ ...logicalCluster, programs: installed.programs, epoch: 0 });
});

afterAll(async () => {
  await newest?.stop();
  installed?.remove();
});

afterEach(async () => {
  await running?.kill();
  for (const side of sides.splice(0)) await side.close();
});

const fresh: Record<string, Record<string, () => Promise<Side>>> = {
  postgresql: { 15: () => openPostgres(inject('postgresUrl')), 18: () => openPostgres(newest.url) },
  sqlite: { 3: sqliteSide },
};

async function openPostgres(server: string): Promise<Side> {
  const url = await createDatabase(server);
  const user = new pg.Client({ connectionString: url });
  user.on('error', () => undefined);
  await user.connect();
  const first = async (sql: string) => String(Object.values((await user.query(sql)).rows[0] ?? {})[0]);
  return {
    system: postgresVersion(await first("SELECT current_setting('server_version')")),
    schema: 'public',
    spec: postgresSide(url),
    run: (sql) => user.query(sql),
    rows: () => first("SELECT coalesce(string_agg(t::text, E'\\n' ORDER BY t.id), '') FROM goods t"),
    close: async () => {
      await dropSlots(async (sql) => (await user.query(sql)).rows);
      await user.end();
    },
  };
}

async function sqliteSide(): Promise<Side> {
  const folder = mkdtempSync(join(tmpdir(), 'pairs-'));
  const user = new DatabaseSync(join(folder, 'goods.db'), { timeout: 60_000 });
  user.exec('PRAGMA journal_mode=WAL');
  return {
    system: sqliteVersion,
    schema: 'main',
    spec: { family: 'sqlite', settings: { folder, file: 'goods.db' } },
    run: async (sql) => user.exec(sql),
    rows: async () => {
      const hasTable = user.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'goods'").get() !== undefined;
      return hasTable ? JSON.stringify(user.prepare('SELECT * FROM goods ORDER BY id').all()) : '';
    },
    close: async () => {
      user.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const numbers = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows})`;
const before = [
  'CREATE TABLE goods (id integer PRIMARY KEY, name text NOT NULL UNIQUE, price numeric)',
  `${numbers} INSERT INTO goods SELECT i, 'name ' || i, i * 1.1 FROM n`,
];
/** Every kind of change, on copied and on uncopied keys. */
const changes = (step: number) => [
  `UPDATE goods SET price = price + ${step} WHERE id % 7 = ${step}`,
  `DELETE FROM goods WHERE id % 11 = ${step}`,
  `UPDATE goods SET id = id + ${step * 10_000} WHERE id BETWEEN ${step * 100} AND ${step * 100 + 20}`,
  `INSERT INTO goods (id, name, price) VALUES (${-step}, 'new ${step}', NULL)`,
];

const offered = cards
  .filter(({ source, target }) => source && target)
  .flatMap(({ family }) => {
    const releases = Object.keys(fresh[family] ?? {});
    return releases.flatMap((from) => releases.map((to) => ({ family, from, to })));
  });

test('every family of the cards has a pair here', () => {
  expect([...new Set(offered.map(({ family }) => family))]).toEqual(cards.map(({ family }) => family));
});

describe.each(offered)('$family $from to $family $to', ({ family, from, to }) => {
  test('structure, copy and changes arrive despite one kill while copying and one while streaming', async ({
    task,
  }) => {
    const source = await open(family, from);
    const target = await open(family, to);
    for (const sql of before) await source.run(sql);
    const tables = wholeTables(['goods'], source.schema, target.schema);
    const spec = jobSpec({ source: source.spec, target: target.spec, tables });
    const isLive = () => running?.states()[`${source.schema}.goods`] === 'live';
    for (const [step, isReached] of [() => (running?.reports.length ?? 0) > 1, isLive].entries()) {
      running = new JobProcess(spec);
      await running.until(isReached);
      for (const sql of changes(step + 1)) await source.run(sql);
      await running.kill();
    }
    running = new JobProcess(spec);
    await running.until(isLive);
    for (const sql of changes(3)) await source.run(sql);
    const wanted = await source.rows();
    expect(wanted.split(/\n|\},/).length).toBeGreaterThan(rows / 2);
    while ((await target.rows()) !== wanted) {
      const told = running.reports.length;
      await running.until((reports) => reports.length > told);
    }
    running.send({ kind: 'stop' });
    expect(await running.end()).toEqual({ kind: 'ended', complete: false });
    task.meta.proves = {
      kind: 'pair',
      source: source.system,
      target: target.system,
      functions: ['schema', 'full', 'incremental'],
      rows,
    };
  });
});

async function open(family: string, release: string): Promise<Side> {
  const side = await fresh[family]?.[release]?.();
  if (!side) throw new Error(`There is no ${family} ${release} here.`);
  sides.push(side);
  return side;
}
