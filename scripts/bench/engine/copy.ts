import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { JobSpec } from '../../../server/engine/job.ts';
import { type Figure, median } from './figure.ts';
import { ordered, startJob, stopJob } from './job.ts';
import { startLoad } from './load.ts';
import { type Pair, program, release, type Side, specOf } from './pair.ts';

type Sides = Awaited<ReturnType<Pair['databases']>>;

const table = `CREATE TABLE event (id bigint PRIMARY KEY, account int NOT NULL, kind varchar(20) NOT NULL,
  amount numeric(12, 2) NOT NULL, note text, at timestamptz NOT NULL)`;
const changesASecond = 1_000;

/** Seconds of each way to copy the same table. */
interface Turn {
  psql: number;
  full: number;
  quiet: number;
}

/** A full copy, and SYNC's resumable copy, against COPY from one psql to another. */
export async function copy(pair: Pair, { rows, turns }: { rows: number; turns: number }): Promise<Figure[]> {
  const sides = await pair.databases();
  await fill(sides.source, rows);
  const taken: Turn[] = [];
  for (let turn = 0; turn < turns; turn++) {
    const psql = await byPsql(sides);
    const full = await byMigration(sides);
    const quiet = await bySync(sides);
    taken.push({ psql, full, quiet });
    await expectRows(sides.target, rows);
  }
  const busy = await underChanges(sides, rows);
  await expectRows(sides.target, rows);
  const middle = (name: keyof Turn) => median(taken.map((turn) => turn[name]));
  const speed = (seconds: number) => `${Math.round(rows / seconds).toLocaleString('en')} rows/s`;
  const figure = (measure: string, seconds: number, least: number): Figure => ({
    measure,
    ours: speed(seconds),
    other: `psql COPY | psql COPY: ${speed(middle('psql'))}`,
    value: middle('psql') / seconds,
    unit: 'ratio',
    aim: { least },
  });
  return [
    figure('full copy (MIGRATION)', middle('full'), 1.2),
    figure('resumable copy (SYNC), quiet source', middle('quiet'), 0.9),
    figure(`resumable copy (SYNC), ${Math.round(busy.changes)} changes/s`, busy.seconds, 0.4),
  ];
}

async function fill({ sql }: Side, rows: number): Promise<void> {
  await sql(table);
  await sql(`INSERT INTO event SELECT i, i % 50000, 'kind ' || i % 20, (i % 100000) / 100.0,
    md5(i::text) || repeat('.', i % 40), timestamptz '2026-01-01' + i * interval '1.5 s' FROM generate_series(1, ${rows}) i`);
  await sql('VACUUM ANALYZE event');
}

/** An empty target, with all disk writes of the previous turn finished. */
async function prepare({ source, target }: Sides): Promise<void> {
  await target.sql('DROP TABLE IF EXISTS event');
  await target.sql(table);
  await source.sql('CHECKPOINT');
  await target.sql('CHECKPOINT');
}

async function byPsql(sides: Sides): Promise<number> {
  await prepare(sides);
  const psql = (command: string, { url }: Side) => `'${program('psql')}' -X -q -c '${command}' '${url}'`;
  const line = `${psql('COPY event TO STDOUT', sides.source)} | ${psql('COPY event FROM STDIN', sides.target)}`;
  const begun = performance.now();
  const [code] = await once(spawn('sh', ['-c', line], { stdio: 'inherit' }), 'exit');
  if (code !== 0) throw new Error('psql could not copy the table: its message is above.');
  return (performance.now() - begun) / 1000;
}

/** From the order to the end of the process, including loading the driver and connecting. */
async function byMigration(sides: Sides): Promise<number> {
  await prepare(sides);
  const job = startJob(specOf(sides, 'MIGRATION', ['event'], true));
  const begun = await ordered(job);
  const last = await job.end();
  if (last?.kind !== 'ended' || !last.complete) throw new Error(`The job ended with ${JSON.stringify(last)}.`);
  return (performance.now() - begun) / 1000;
}

/** From the order until every chunk is on the target. */
async function bySync(sides: Sides): Promise<number> {
  await prepare(sides);
  const spec = specOf(sides, 'SYNC', ['event'], true);
  const job = startJob(spec);
  const begun = await ordered(job);
  await copied(sides.target, spec);
  const seconds = (performance.now() - begun) / 1000;
  await stopJob(job);
  await release(sides, spec);
  return seconds;
}

async function underChanges(sides: Sides, rows: number): Promise<{ seconds: number; changes: number }> {
  const script = `\\set id random(1, ${rows})\nUPDATE event SET amount = amount + 0.01 WHERE id = :id;`;
  const load = await startLoad(sides.source, script, changesASecond, 600);
  load.over.catch(() => undefined); // it is ended here
  const seconds = await bySync(sides);
  return { seconds, changes: await load.stop() };
}

async function copied({ until }: Side, { id }: JobSpec): Promise<void> {
  await until(`to_regclass('millrace.millrace_table') IS NOT NULL`);
  await until(
    `EXISTS (SELECT FROM millrace.millrace_table WHERE job = $1 AND content::jsonb ->> 'state' IN ('catching-up', 'live'))`,
    [id],
  );
}

async function expectRows({ sql }: Side, rows: number): Promise<void> {
  const [[count] = []] = await sql('SELECT count(*) FROM event');
  if (Number(count) !== rows) throw new Error(`The target has ${count} rows instead of ${rows}.`);
}
