import { expect, inject, test } from 'vitest';
import { openSourceDatabase } from '../../../testing/postgres-source.ts';

const whole = { from: null, to: null, after: null, done: false };

test('all reads see the held snapshot, even after a rewrite, until its session ends', async () => {
  const db = await openSourceDatabase(inject('postgresUrl'));
  try {
    await db.sql(`CREATE TABLE t (id int PRIMARY KEY, v text); CREATE TABLE bare (v text);
      INSERT INTO t SELECT i, 'old' FROM generate_series(1, 3) i; INSERT INTO bare VALUES ('old')`);
    const [t, bare] = [await db.table('t'), await db.table('bare')];
    expect(await db.source.hold([t, bare])).toBe(true);
    // A session that rewrites a table waits until the copy is over.
    await expect(db.sql(`SET lock_timeout = 100; ALTER TABLE t ALTER v TYPE varchar(9)`)).rejects.toThrow(
      /lock timeout/,
    );
    await db.sql(`UPDATE t SET v = 'new'; INSERT INTO t VALUES (4, 'new'); INSERT INTO bare VALUES ('new')`);
    const first = await db.source.read(t, { range: whole, limit: 2 });
    expect([first.rows, first.last]).toEqual([
      [
        ['1', 'old'],
        ['2', 'old'],
      ],
      ['2'],
    ]);
    await db.sql('DELETE FROM t');
    const rest = await db.source.read(t, { range: { ...whole, after: ['2'] }, limit: 9 });
    expect(rest.rows).toEqual([['3', 'old']]);
    const all: unknown[] = [];
    for await (const rows of db.source.readAll(bare)) all.push(...rows);
    expect(all).toEqual([['old']]);
    expect((await db.open().read(t, { range: whole, limit: 9 })).rows).toEqual([]);

    await db.sql(`SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
      WHERE datname = current_database() AND state = 'idle in transaction'`);
    await expect(db.source.read(t, { range: whole, limit: 9 })).rejects.toMatchObject({ code: 'SNAPSHOT_LOST' });
  } finally {
    await db.close();
  }
});
