import pg from 'pg';
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest';
import { PairJob, pairSpec } from '../../../testing/pair-job.ts';
import { newJob, openSourceDatabase, type SourceDatabase } from '../../../testing/postgres-source.ts';

/** Temporary alterations at a source, so that its log leaves out changes that cannot be seen afterwards. */

let source: SourceDatabase;
let target: SourceDatabase;
let running: PairJob | undefined;
let id: string;

const structure = `
  CREATE TABLE public.item (id int PRIMARY KEY, u int NOT NULL UNIQUE, v text, w text);
  CREATE TABLE public.other (id int PRIMARY KEY, v text);
  CREATE TABLE public.parted (id int PRIMARY KEY, v text) PARTITION BY RANGE (id);
  CREATE TABLE public.parted_1 PARTITION OF public.parted FOR VALUES FROM (0) TO (100) PARTITION BY RANGE (id);
  CREATE TABLE public.parted_1a PARTITION OF public.parted_1 FOR VALUES FROM (0) TO (50);
  CREATE TABLE public.parted_2 PARTITION OF public.parted FOR VALUES FROM (100) TO (200)`;

beforeEach(async () => {
  const server = inject('postgresUrl');
  [source, target] = [await openSourceDatabase(server), await openSourceDatabase(server)];
  id = newJob();
  await source.sql(`${structure};
    INSERT INTO public.item SELECT i, i, 'v', 'w' FROM generate_series(1, 9) AS i;
    INSERT INTO public.other SELECT i, 'v' FROM generate_series(1, 9) AS i;
    INSERT INTO public.parted VALUES (1, 'v'), (2, 'v'), (101, 'v')`);
  await target.sql(structure);
});

afterEach(async () => {
  await running?.stop();
  running = undefined;
  await Promise.all([source.close(), target.close()]);
});

async function start(...names: string[]): Promise<PairJob> {
  running = await PairJob.start(source, target, pairSpec(id, names));
  return running;
}

async function live(...names: string[]): Promise<PairJob> {
  const job = await start(...names);
  for (const name of names) await job.untilState(`public.${name}`, 'live');
  return job;
}

const rows = async (db: SourceDatabase, name: string) =>
  JSON.stringify(await db.sql(`SELECT * FROM public.${name} ORDER BY 1`));

async function untilEqual(job: PairJob, name: string): Promise<void> {
  const wanted = await rows(source, name);
  await job.until(async () => (await rows(target, name)) === wanted && job.state(`public.${name}`) === 'live');
}

/**
 * Runs statements while the job runs, or while no process does.
 * @returns the job, and what it then says about the table
 */
async function alter(when: 'while it runs' | 'over a start', name: string, statements: string[]): Promise<PairJob> {
  const before = await live(name);
  if (when === 'over a start') await before.stop();
  // In one transaction, no one sees the state in between.
  for (const statement of when === 'while it runs' ? [statements.join('; ')] : statements) await source.sql(statement);
  return when === 'over a start' ? await start(name) : before;
}

const saidOf = (job: PairJob, name: string) =>
  job.events.filter((event) => event.startsWith(`public.${name}:`)).join('\n');

test.each(['while it runs', 'over a start'] as const)(
  'changes to a partition that is detached for a while are not lost, %s',
  async (when) => {
    const job = await alter(when, 'parted', [
      'ALTER TABLE public.parted DETACH PARTITION public.parted_1',
      `UPDATE public.parted_1 SET v = 'apart' WHERE id = 1`,
      'DELETE FROM public.parted_1 WHERE id = 2',
      'ALTER TABLE public.parted ATTACH PARTITION public.parted_1 FOR VALUES FROM (0) TO (100)',
    ]);
    await untilEqual(job, 'parted');
    expect(saidOf(job, 'parted')).toContain('a partition was detached and attached again');
  },
);

test('a row written before a column is added is not lost while no process runs', async () => {
  const before = await live('item');
  await before.stop();
  await source.sql(`INSERT INTO public.item VALUES (100, 100, 'v', 'w')`);
  for (const { sql } of [source, target]) await sql(`ALTER TABLE public.item ADD x text DEFAULT 'default'`);
  await source.sql(`INSERT INTO public.item VALUES (101, 101, 'v', 'w', 'own')`);
  const job = await start('item');
  await job.untilState('public.item', 'live');
  await untilEqual(job, 'item');
});

test.each(['while it runs', 'over a start'] as const)(
  'changes to a column that has another name for a while are not lost, %s',
  async (when) => {
    const job = await alter(when, 'item', [
      'ALTER TABLE public.item RENAME v TO renamed',
      `UPDATE public.item SET renamed = 'of then' WHERE id = 1`,
      `INSERT INTO public.item VALUES (100, 100, 'of then', 'w')`,
      'ALTER TABLE public.item RENAME renamed TO v',
    ]);
    await untilEqual(job, 'item');
  },
);

test('a table waits if another index identifies its rows for a while', async () => {
  const job = await alter('over a start', 'item', [
    'ALTER TABLE public.item REPLICA IDENTITY USING INDEX item_u_key',
    'UPDATE public.item SET id = id + 1000 WHERE id = 1',
    'ALTER TABLE public.item REPLICA IDENTITY DEFAULT',
  ]);
  await job.untilState('public.item', 'blocked');
  expect(saidOf(job, 'item')).toContain('the log identifies its rows by a different key');
  job.request('public.item', 'resume');
  await untilEqual(job, 'item');
});

test('what happens to a paused table while another index identifies its rows is copied when it resumes', async () => {
  const job = await live('item', 'other');
  job.request('public.item', 'pause');
  await job.untilState('public.item', 'paused');
  await source.sql('ALTER TABLE public.item REPLICA IDENTITY USING INDEX item_u_key');
  await source.sql(`UPDATE public.item SET v = 'new' WHERE id = 1`);
  await source.sql('DELETE FROM public.item WHERE id = 2');
  await source.sql('ALTER TABLE public.item REPLICA IDENTITY DEFAULT');
  await source.sql(`UPDATE public.other SET v = 'after it' WHERE id = 1`);
  await untilEqual(job, 'other');
  job.request('public.item', 'resume');
  await untilEqual(job, 'item');
});

test('changes to columns that swap names for a while are not lost', async () => {
  const job = await alter('while it runs', 'item', [
    'ALTER TABLE public.item RENAME v TO x; ALTER TABLE public.item RENAME w TO v; ALTER TABLE public.item RENAME x TO w',
    `INSERT INTO public.item (id, u, v, w) VALUES (100, 100, 'is w', 'is v')`,
    'ALTER TABLE public.item RENAME v TO x; ALTER TABLE public.item RENAME w TO v; ALTER TABLE public.item RENAME x TO w',
  ]);
  await untilEqual(job, 'item');
});

test('an unlogged partition makes its table wait until it is logged', async () => {
  const job = await live('parted');
  await source.sql(`CREATE UNLOGGED TABLE public.parted_3 PARTITION OF public.parted FOR VALUES FROM (200) TO (300)`);
  await job.untilState('public.parted', 'blocked');
  expect(saidOf(job, 'parted')).toContain('unlogged tables are not in the log: public.parted_3');
  await source.sql('ALTER TABLE public.parted_3 SET LOGGED');
  job.request('public.parted', 'resume');
  await untilEqual(job, 'parted');
});

const publication = () => `millrace_${id}`;

test('a partly published table waits, and resuming it repairs the publication', async () => {
  const job = await live('item', 'other');
  await source.sql(`ALTER PUBLICATION ${publication()} SET TABLE public.item (id, v), public.other WHERE (id > 5)`);
  for (const name of ['item', 'other']) await job.untilState(`public.${name}`, 'blocked');
  await source.sql(`UPDATE public.item SET w = 'untold'; UPDATE public.other SET v = 'untold' WHERE id = 1`);
  for (const name of ['item', 'other']) job.request(`public.${name}`, 'resume');
  for (const name of ['item', 'other']) await untilEqual(job, name);
  await source.sql(`UPDATE public.item SET w = 'told'; UPDATE public.other SET v = 'told' WHERE id = 1`);
  for (const name of ['item', 'other']) await untilEqual(job, name);
});

test.each([
  ['a table is taken out', 'DROP TABLE public.item', 'ADD TABLE public.item'],
  ['a kind of change is left out', "SET (publish = 'insert')", "SET (publish = 'insert, update, delete, truncate')"],
])('no change is lost if %s of a publication for a while', async (_what, away, back) => {
  const job = await alter('over a start', 'item', [
    `ALTER PUBLICATION ${publication()} ${away}`,
    'DELETE FROM public.item WHERE id = 1',
    `ALTER PUBLICATION ${publication()} ${back}`,
  ]);
  await untilEqual(job, 'item');
  expect(saidOf(job, 'item')).toContain('not all of its changes were logged for a while');
});

test('a publication that leaves out a kind of change is repaired at the next start', async () => {
  const job = await alter('over a start', 'item', [
    `ALTER PUBLICATION ${publication()} SET (publish = 'insert')`,
    'DELETE FROM public.item WHERE id = 1',
  ]);
  await untilEqual(job, 'item');
  await source.sql('DELETE FROM public.item WHERE id = 2');
  await untilEqual(job, 'item');
});

test('a table waits if its key gets another collation', async () => {
  for (const { sql } of [source, target]) await sql('CREATE TABLE public.word (id text COLLATE "C" PRIMARY KEY)');
  const job = await live('word');
  await source.sql('ALTER TABLE public.word ALTER id TYPE text COLLATE "en-x-icu"');
  await job.untilState('public.word', 'blocked');
  expect(saidOf(job, 'word')).toContain('its key has a different collation');
  job.request('public.word', 'resume');
  await untilEqual(job, 'word');
});

/** So many transactions come first that a table could be copied before the log reaches it. */
async function fillLog(): Promise<void> {
  await source.sql('SET synchronous_commit = off');
  await source.sql(
    'DO $$ BEGIN FOR id IN 1001..9000 LOOP INSERT INTO public.other VALUES (id); COMMIT; END LOOP; END $$',
  );
}

/** Rows change once in the log, and then while it leaves out their partition. */
async function changeAndDetach(): Promise<void> {
  await source.sql(`UPDATE public.parted SET v = 'told' WHERE id = 1`);
  await source.sql('INSERT INTO public.parted VALUES (3)');
  await source.sql('DELETE FROM public.parted WHERE id = 2');
  await source.sql('ALTER TABLE public.parted DETACH PARTITION public.parted_1');
  await source.sql(`UPDATE public.parted_1 SET v = 'apart' WHERE id = 1`);
  await source.sql('DELETE FROM public.parted_1 WHERE id = 3');
  await source.sql('INSERT INTO public.parted_1 VALUES (2)');
  await source.sql('ALTER TABLE public.parted ATTACH PARTITION public.parted_1 FOR VALUES FROM (0) TO (100)');
}

const saidOfCopies = (job: PairJob) => job.events.filter((event) => event.includes('copied again'));

test('a log that is older than the first start does not undo what it leaves out', async () => {
  const tables = [await source.table('other'), await source.table('parted')];
  await source.source.reserve(id, tables);
  await fillLog();
  await changeAndDetach();
  const job = await live('other', 'parted');
  for (const name of ['other', 'parted']) await untilEqual(job, name);
  expect(saidOfCopies(job)).toEqual([]);
});

test.each([
  ['that joins the log', false],
  ['that joins the log at a start which ends while it waits', true],
])('an older log does not undo what it leaves out of a table %s', async (_, isEnded) => {
  const before = await live('other');
  await before.stop();
  await fillLog();
  const writer = new pg.Client({ connectionString: source.url });
  await writer.connect();
  await writer.query('BEGIN; SELECT pg_current_xact_id()');
  // It waits for all who may have written to the table before.
  const waiting = await start('other', 'parted');
  const isJoined = () => source.sql(`SELECT FROM pg_publication_rel WHERE prrelid = 'public.parted'::regclass`);
  await expect.poll(isJoined).toHaveLength(1);
  await changeAndDetach();
  if (isEnded) {
    await source.sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name LIKE 'millrace %'`);
    await waiting.fault();
    await waiting.stop();
  }
  await writer.end();
  const job = isEnded ? await start('other', 'parted') : waiting;
  for (const name of ['other', 'parted']) await untilEqual(job, name);
  expect(saidOfCopies(job)).toEqual([]);
});

test('a table that is altered while its copy waits for the log is copied as it is then', async () => {
  await source.source.reserve(id, [await source.table('item')]);
  await source.sql('INSERT INTO public.other VALUES (1000)');
  const job = await start('item');
  const { source: read, tables } = job.job;
  const look = read.facts.bind(read);
  let isAltered = false;
  // Just after the watch has looked at it.
  vi.spyOn(read, 'facts').mockImplementation(async (...asked) => {
    const found = await look(...asked);
    if (!isAltered && [...tables.values()].some(({ isHeld }) => isHeld)) {
      isAltered = true;
      await source.sql('ALTER TABLE public.item DROP COLUMN w');
    }
    return found;
  });
  await job.until(() => job.state('public.item') === 'live' || job.state('public.item') === 'blocked');
  expect([isAltered, job.state('public.item')]).toEqual([true, 'live']);
  expect(await target.sql('SELECT id, v FROM public.item')).toHaveLength(9);
});

test('a first start that ends before it knows its tables removes nothing that was in the target before', async () => {
  // Its checkpoint is at the target from now on.
  await (await live('item')).stop();
  await target.sql(`INSERT INTO public.other VALUES (500, 'own');
    CREATE FUNCTION public.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'full'; END $$;
    CREATE TRIGGER refuse BEFORE UPDATE ON millrace.millrace_table FOR EACH ROW EXECUTE FUNCTION public.refuse();
    ALTER TABLE millrace.millrace_table ENABLE ALWAYS TRIGGER refuse`);
  id = newJob();
  const first = await start('other');
  expect(String(await first.fault())).toContain('P0001');
  await first.stop();
  await target.sql('DROP TRIGGER refuse ON millrace.millrace_table');
  const job = await live('other');
  await source.sql(`INSERT INTO public.other VALUES (600, 'told')`);
  await job.until(async () => (await target.sql('SELECT FROM public.other WHERE id = 600')).length === 1);
  expect(await target.sql(`SELECT v FROM public.other WHERE id >= 500 ORDER BY id`)).toEqual([['own'], ['told']]);
});

test('an older log does not undo what it leaves out of a table that is back in its job', async () => {
  await (await live('other', 'parted')).stop();
  const without = await live('other');
  await source.sql('INSERT INTO public.other VALUES (1000)');
  await untilEqual(without, 'other');
  await without.stop();
  await fillLog();
  await changeAndDetach();
  const job = await live('other', 'parted');
  for (const name of ['other', 'parted']) await untilEqual(job, name);
  expect(saidOfCopies(job)).toEqual([]);
});
