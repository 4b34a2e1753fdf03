import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { JobProcess } from '../testing/job-process.ts';
import { jobSpec, postgresSide, wholeTables } from '../testing/job-spec.ts';
import { createDatabase } from '../testing/postgres.ts';
import { TestDatabase } from '../testing/rig/database.ts';
import type { JobSpec } from './job.ts';

/** A full copy that one process begins and another one finishes. */

let source: TestDatabase;
let target: TestDatabase;
let copy: JobSpec;
let running: JobProcess | undefined;

beforeEach(async () => {
  source = new TestDatabase(await createDatabase(inject('postgresUrl')));
  target = new TestDatabase(await createDatabase(inject('postgresUrl')));
  copy = jobSpec({
    type: 'MIGRATION',
    source: postgresSide(source.url),
    target: postgresSide(target.url),
    tables: wholeTables(['item']),
    conflict: 'ignore',
    parallel: 1,
  });
  await source.ask(`CREATE TABLE item (id int PRIMARY KEY, code int NOT NULL, name text);
    INSERT INTO item SELECT i, -i, 'item ' || i FROM generate_series(1, 3000) i`);
});
afterEach(async () => {
  await running?.kill();
  await Promise.all([source.close(), target.close()]);
});

const sentences = () =>
  (running?.reports ?? []).flatMap((report) => (report.kind === 'event' ? [report.sentence] : []));

/** Runs a process that ends on its own. @returns its last report */
async function run(changes: Partial<JobSpec> = {}) {
  running = new JobProcess({ ...copy, ...changes });
  return await running.end();
}

/** Copies the first chunk to the target, which refuses the rows after it. */
async function copyFirstChunk(first = ''): Promise<void> {
  await target.ask(`CREATE TABLE item (id int PRIMARY KEY, code int NOT NULL, name text,
    CONSTRAINT few CHECK (id <= 1000)); ${first}`);
  expect(await run()).toMatchObject({ kind: 'failed', fault: { code: 'TOO_MANY_ROWS_REFUSED' } });
  expect(await target.ask('SELECT FROM item LIMIT 1')).toHaveLength(1);
  await target.ask('ALTER TABLE item DROP CONSTRAINT few');
}

/** Resolves when a session waits for a lock. */
async function untilLocked(database: TestDatabase): Promise<void> {
  const waiting =
    'SELECT FROM pg_locks WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())';
  while ((await database.ask(waiting)).length === 0);
}

async function expectCopied(): Promise<void> {
  expect(await run()).toEqual({ kind: 'ended', complete: true });
  const rows = 'SELECT to_jsonb(item)::text FROM item ORDER BY id';
  expect(await target.ask(rows)).toEqual(await source.ask(rows));
}

describe('a table altered at the source meanwhile is copied from its first row', () => {
  test.each([
    ['with an added column', 'ALTER TABLE item ADD COLUMN n int; UPDATE item SET n = id', ''],
    ...['ALTER TABLE item DROP CONSTRAINT item_pkey, ADD PRIMARY KEY (code)'].map((sql) => [
      'with another key',
      sql,
      sql,
    ]),
  ])('%s', async (_, atSource = '', atTarget = '') => {
    await copyFirstChunk();
    await source.ask(`${atSource}; DELETE FROM item WHERE id = 1`);
    await target.ask(atTarget);
    await expectCopied();
    expect(sentences()).toContainEqual(expect.stringMatching(/different columns or a different key.+ public\.item\.$/));
    // Nothing is left of the first moment.
    expect(sentences().filter((sentence) => sentence.includes('two moments'))).toEqual([]);
  });
});

describe('a table that took over an earlier name is copied from its first row', () => {
  const begunAgain = expect.stringMatching(/these names belong to other tables.+ public\.item/);

  test('after the earlier table was dropped', async () => {
    await copyFirstChunk();
    await source.ask(`DROP TABLE item; CREATE TABLE item (id int PRIMARY KEY, code int NOT NULL, name text);
      INSERT INTO item SELECT i, i, 'new ' || i FROM generate_series(2, 2000) i`);
    await expectCopied();
    expect(sentences()).toContainEqual(begunAgain);
    // What is recorded is about the table that now exists.
    expect(await run()).toEqual({ kind: 'ended', complete: true });
    expect(sentences()).not.toContainEqual(begunAgain);
  });

  test('after two tables swapped names', async () => {
    await source.ask(`CREATE TABLE other (LIKE item INCLUDING ALL);
      INSERT INTO other SELECT i, i, 'other ' || i FROM generate_series(2, 2000) i`);
    copy = { ...copy, tables: wholeTables(['item', 'other']) };
    await copyFirstChunk();
    await source.ask(`ALTER TABLE item RENAME TO third; ALTER TABLE other RENAME TO item;
      ALTER TABLE third RENAME TO other`);
    await expectCopied();
    const rows = 'SELECT to_jsonb(other)::text FROM other ORDER BY id';
    expect(await target.ask(rows)).toEqual(await source.ask(rows));
    expect(sentences()).toContainEqual(begunAgain);
  });
});

describe('a table copied again loses rows that the source no longer has', () => {
  const change = "DELETE FROM item WHERE id = 1; UPDATE item SET name = 'new' WHERE id = 2";

  test('because the target lacked a column when a process started', async () => {
    await copyFirstChunk();
    await target.ask('ALTER TABLE item RENAME COLUMN name TO other');
    expect(await run({ structure: false })).toMatchObject({ kind: 'failed', fault: { code: 'COLUMN_MISSING' } });
    await target.ask('ALTER TABLE item RENAME COLUMN other TO name');
    await source.ask(change);
    await expectCopied();
  });

  test('because the target rewrote it', async () => {
    await copyFirstChunk();
    await target.ask('VACUUM FULL item');
    await source.ask(change);
    await expectCopied();
  });

  test('because the target lost it while it was copied', async () => {
    await copyFirstChunk();
    const holder = new TestDatabase(target.url);
    await holder.ask('BEGIN; ALTER TABLE item RENAME TO other');
    const failed = run({ structure: false });
    await untilLocked(target);
    await holder.ask('COMMIT');
    await holder.close();
    expect(await failed).toMatchObject({ kind: 'failed', fault: { code: 'TABLE_MISSING' } });
    await target.ask('ALTER TABLE other RENAME TO item');
    await source.ask(change);
    await expectCopied();
  });
});

test.each(['ignore', 'replace'] as const)(
  'a table with its own rows keeps them when it is copied again, and this is reported (%s)',
  async (conflict) => {
    copy = { ...copy, conflict };
    await copyFirstChunk("INSERT INTO item VALUES (-1, 7, 'own')");
    await target.ask('VACUUM FULL item');
    await source.ask("UPDATE item SET name = 'new' WHERE id = 2");
    expect(await run()).toEqual({ kind: 'ended', complete: true });
    expect(await target.ask('SELECT id, name FROM item WHERE id < 0')).toEqual([[-1, 'own']]);
    const isReplaced = conflict === 'replace';
    expect(await target.ask('SELECT name FROM item WHERE id = 2')).toEqual([[isReplaced ? 'new' : 'item 2']]);
    expect(await target.ask('SELECT count(*)::int FROM item')).toEqual([[3001]]);
    expect(sentences()).toContainEqual(expect.stringContaining('public.item had rows of its own at the target'));
  },
);

test('a copy reflects two moments if one process copied a table without a key and another the rest', async () => {
  await source.ask('CREATE TABLE pile (id int); INSERT INTO pile VALUES (1)');
  await target.ask('CREATE TABLE pile (id int)');
  copy = { ...copy, structure: false, tables: wholeTables(['pile', 'item']) };
  await target.ask('CREATE TABLE item (id int PRIMARY KEY, code int, name text)');
  const holder = new TestDatabase(target.url);
  await holder.ask('BEGIN; LOCK TABLE item');
  running = new JobProcess(copy);
  await untilLocked(target);
  await running.kill();
  await holder.close();
  await expectCopied();
  expect(sentences()).toContainEqual(expect.stringContaining('two moments; use SYNC'));
});

test('a copy releases its snapshot when a session alters a table, and ends with the altered table', async () => {
  await target.ask('CREATE TABLE item (id int PRIMARY KEY, code int NOT NULL, name text)');
  const [holder, user] = [new TestDatabase(target.url), new TestDatabase(source.url)];
  await holder.ask('BEGIN; LOCK TABLE item');
  const failed = run({ structure: false });
  // The first chunk is read.
  await untilLocked(target);
  const altered = user.ask('ALTER TABLE item ADD COLUMN n int');
  await untilLocked(source);
  await holder.ask('COMMIT');
  expect(await failed).toMatchObject({ kind: 'failed', fault: { code: 'LOCK_TIMED_OUT', retry: 'timed' } });
  await altered;
  await Promise.all([holder.close(), user.close()]);
  await source.ask('UPDATE item SET n = id');
  await expectCopied();
});
