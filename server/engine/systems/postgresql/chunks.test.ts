import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { newJob, openSourceDatabase, type SourceDatabase, Told } from '../../../testing/postgres-source.ts';
import { whileLocked } from '../../../testing/while-locked.ts';
import type { Row } from '../../change.ts';
import { EngineError } from '../../errors.ts';
import type { RangeMark } from '../../mark.ts';
import { hasReached } from '../../position.ts';
import type { Table } from '../../table.ts';
import { streamedEnd } from './lsn.ts';
import { PostgresSource } from './source.ts';

const whole: RangeMark = { from: null, to: null, after: null, done: false };
let db: SourceDatabase;

beforeEach(async () => {
  db = await openSourceDatabase(inject('postgresUrl'));
});

afterEach(() => db.close());

async function readRange(table: Table, range: RangeMark, limit: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (let next: RangeMark | null = range; next; ) {
    const chunk = await db.source.read(table, { range: next, limit });
    rows.push(...chunk.rows);
    next = chunk.last && { ...next, after: chunk.last.map(String) };
  }
  return rows;
}

describe('a chunk', () => {
  test('sees what was committed before it and nothing later', async () => {
    await db.sql('CREATE TABLE t (id int PRIMARY KEY)');
    const table = await db.table('t');
    const [[before] = []] = await db.sql('INSERT INTO t VALUES (1) RETURNING pg_current_xact_id()');
    await db.sql('BEGIN');
    const [[open] = []] = await db.sql('INSERT INTO t VALUES (2) RETURNING pg_current_xact_id()');
    const chunk = await db.source.read(table, { range: whole, limit: 10 });
    await db.sql('COMMIT');
    const [[after] = []] = await db.sql('INSERT INTO t VALUES (3) RETURNING pg_current_xact_id()');
    expect(chunk.rows).toEqual([['1']]);
    expect([before, open, after].map((xid) => chunk.sees(xid ?? ''))).toEqual([true, false, false]);
  });

  test('identifies transactions by the IDs that the stream reports', async () => {
    await db.sql('CREATE TABLE t (id int PRIMARY KEY)');
    const table = await db.table('t');
    const job = newJob();
    const stream = await db.source.stream(job, await db.source.reserve(job, [table]), [table]);
    await db.sql('INSERT INTO t VALUES (1)');
    const between = await db.source.read(table, { range: whole, limit: 10 });
    await db.sql('INSERT INTO t VALUES (2)');
    const changes = await new Told(stream).until(await db.source.now());
    const transactions = changes.flatMap((one) => (one.kind === 'begin' ? [one.transaction] : []));
    expect(transactions.map((transaction) => between.sees(transaction))).toEqual([true, false]);
    await stream.close();
  });

  test('ends where the stream has sent all that it saw, even at the end of a log page', async () => {
    await db.sql('CREATE TABLE t (id int PRIMARY KEY); CREATE TABLE filler (v text)');
    const table = await db.table('t');
    const job = newJob();
    const stream = await db.source.stream(job, await db.source.reserve(job, [table]), [table]);
    const changes = new Told(stream);
    for (let id = 0; id < 5; id++) {
      await db.sql(`INSERT INTO t VALUES (${id})`);
      // The end of a record and of its page.
      await db.sql('SELECT pg_switch_wal()');
      const { end } = await db.source.read(table, { range: whole, limit: 1 });
      const told = await changes.until(end);
      expect(told.some((one) => one.kind === 'row' && one.after?.[0] === String(id))).toBe(true);
    }
    await stream.close();
  });

  test('is never read from another table that has the name for a while', async () => {
    await db.sql(`CREATE TABLE t (id int PRIMARY KEY); CREATE TABLE u (id int PRIMARY KEY);
      INSERT INTO t VALUES (1); INSERT INTO u VALUES (2)`);
    const table = await db.table('t');
    const exchanged = 'ALTER TABLE t RENAME TO v; ALTER TABLE u RENAME TO t; ALTER TABLE v RENAME TO u';
    await db.sql(exchanged);
    const code = 'TABLE_CHANGED';
    await expect(db.source.ranges(table, 4)).rejects.toMatchObject({ code });
    await expect(db.source.read(table, { range: whole, limit: 10 })).rejects.toMatchObject({ code });
    await expect(db.source.read(table, { keys: [['1']] })).rejects.toMatchObject({ code });
    await expect(db.source.readAll(table).next()).rejects.toMatchObject({ code });
    await db.sql(exchanged);
    expect(await readRange(table, whole, 10)).toEqual([['1']]);
  });

  test('is not empty when the table is rewritten between its start and its rows', async () => {
    await db.sql('CREATE TABLE t (id int PRIMARY KEY, v text); INSERT INTO t SELECT generate_series(1, 10)');
    const table = await db.table('t');
    const chunk = await whileLocked(
      db,
      async () => {
        await db.sql('BEGIN; ALTER TABLE t ALTER v TYPE varchar(10) USING v || $$x$$');
        return await db.source.read(table, { range: whole, limit: 100 });
      },
      () => db.sql('COMMIT'),
    );
    expect(chunk.rows).toHaveLength(10);
  });

  test('requested by keys has the rows that exist', async () => {
    await db.sql('CREATE TABLE t (a int, b text, v text, g int GENERATED ALWAYS AS (a) STORED, PRIMARY KEY (b, a))');
    await db.sql("INSERT INTO t SELECT n, 'k' || n, 'v' || n FROM generate_series(1, 1000) AS n");
    const table = await db.table('t');
    const keys = Array.from({ length: 500 }, (_, n) => [`k${n + 751}`, String(n + 751)]);
    const chunk = await db.source.read(table, { keys });
    expect(chunk.rows).toHaveLength(250);
    expect(chunk.last).toBeNull();
    expect((await db.source.read(table, { keys: [] })).rows).toEqual([]);
    await expect(db.source.read(table, { keys: [[Buffer.from('k1'), '1']] })).rejects.toBeInstanceOf(EngineError);
  });

  test('leaves out rows of inheriting children, and includes those of partitions', async () => {
    await db.sql(`
      CREATE TABLE parent (id int PRIMARY KEY); CREATE TABLE child (PRIMARY KEY (id)) INHERITS (parent);
      INSERT INTO parent VALUES (1); INSERT INTO child VALUES (2);
      CREATE TABLE root (id int PRIMARY KEY) PARTITION BY HASH (id);
      CREATE TABLE root_0 PARTITION OF root FOR VALUES WITH (MODULUS 2, REMAINDER 0);
      CREATE TABLE root_1 PARTITION OF root FOR VALUES WITH (MODULUS 2, REMAINDER 1);
      INSERT INTO root SELECT generate_series(1, 20)`);
    expect(await readRange(await db.table('parent'), whole, 10)).toEqual([['1']]);
    expect(await readRange(await db.table('root'), whole, 3)).toHaveLength(20);
    const catalog = await db.source.catalog([]);
    expect(catalog.map(({ name }) => name)).toEqual(['child', 'parent', 'root']);
  });

  test('is refused if a policy hides rows or the user lacks the right to read', async () => {
    await db.sql(`
      CREATE TABLE t (id int PRIMARY KEY); INSERT INTO t VALUES (1);
      ALTER TABLE t ENABLE ROW LEVEL SECURITY; CREATE TABLE secret (id int PRIMARY KEY)`);
    const role = await db.role('');
    await db.sql(`GRANT SELECT ON t TO ${role}`);
    const source = db.open({ user: role });
    const [t, secret] = [await db.table('t'), await db.table('secret')];
    await expect(source.read(t, { range: whole, limit: 1 })).rejects.toMatchObject({ code: 'ROW_SECURITY' });
    await expect(source.read(secret, { range: whole, limit: 1 })).rejects.toMatchObject({
      code: 'PRIVILEGE_MISSING',
      place: { table: 'public.secret', state: '42501' },
    });
  });

  test('of a dropped table reports the missing table', async () => {
    await db.sql('CREATE TABLE t (id int PRIMARY KEY)');
    const table = await db.table('t');
    await db.sql('DROP TABLE t');
    await expect(db.source.read(table, { range: whole, limit: 1 })).rejects.toMatchObject({ code: 'TABLE_MISSING' });
  });
});

describe('ranges', () => {
  test('of a large table cover every row once, with similar sizes', async () => {
    await db.sql('CREATE TABLE t (a text, b int, v text, PRIMARY KEY (a, b))');
    await db.sql(`INSERT INTO t SELECT md5(n::text), n, repeat('x', 1000) FROM generate_series(1, 30000) AS n`);
    const table = await db.table('t');
    const ranges = await db.source.ranges(table, 4);
    expect(ranges).toHaveLength(4);
    expect(ranges[0]?.from).toBeNull();
    expect(ranges.at(-1)?.to).toBeNull();
    const counts: number[] = [];
    const ids = new Set<unknown>();
    for (const range of ranges) {
      const rows = await readRange(table, range, 2000);
      counts.push(rows.length);
      for (const [a] of rows) ids.add(a);
    }
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(30_000);
    expect(ids.size).toBe(30_000);
    expect(Math.min(...counts)).toBeGreaterThan(1_000);
  });

  test('of a small or empty table are a single range', async () => {
    await db.sql('CREATE TABLE t (id int PRIMARY KEY)');
    expect(await db.source.ranges(await db.table('t'), 8)).toEqual([whole]);
    await db.sql('INSERT INTO t SELECT generate_series(1, 1000)');
    expect(await db.source.ranges(await db.table('t'), 8)).toEqual([whole]);
  });
});

test('a table without a key is read whole, in one snapshot', async () => {
  await db.sql('CREATE TABLE t (v int); INSERT INTO t SELECT generate_series(1, 2500); CREATE TABLE none ()');
  const rows: Row[] = [];
  for await (const some of db.source.readAll(await db.table('t'))) {
    rows.push(...some);
    await db.sql('INSERT INTO t VALUES (0)');
  }
  expect(rows).toHaveLength(2500);
  expect(rows).not.toContainEqual(['0']);
  for await (const some of db.source.readAll(await db.table('none'))) throw new Error(`${some.length} rows of none`);
});

test('an abort ends a chunk that waits for a lock', async () => {
  await db.sql('CREATE TABLE t (id int PRIMARY KEY)');
  const table = await db.table('t');
  await db.sql('BEGIN; LOCK TABLE t IN ACCESS EXCLUSIVE MODE');
  let abort = new AbortController();
  const reading = whileLocked(
    db,
    () => {
      abort = new AbortController();
      return new PostgresSource(db.settings, abort.signal).read(table, { range: whole, limit: 1 });
    },
    () => abort.abort(),
  );
  await expect(reading).rejects.toMatchObject({ code: 'CONNECTION_LOST' });
  await db.sql('ROLLBACK');
});

test('the end of a log page is given as the stream reaches it', async () => {
  const ends = ['0/2000028', '0/2000018', '0/2002018', '0/2002028', '0/2002020', '5/2002000'].map(
    (lsn) => `${streamedEnd(`'${lsn}'::pg_lsn`)}::numeric`,
  );
  const [row = []] = await db.sql(`SELECT ${ends.map((end) => `'0/0'::pg_lsn + ${end}`).join(', ')}`);
  expect(row).toEqual(['0/2000000', '0/2000018', '0/2002000', '0/2002028', '0/2002020', '5/2002000']);
});

test('later writes move past the end of the log', async () => {
  await db.sql('CREATE TABLE t (id int PRIMARY KEY)');
  const first = await db.source.now();
  await db.sql('INSERT INTO t VALUES (1)');
  const second = await db.source.now();
  expect(hasReached(second, first)).toBe(true);
  expect(hasReached(first, second)).toBe(false);
});
