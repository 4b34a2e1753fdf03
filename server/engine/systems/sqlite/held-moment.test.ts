import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { openSqliteSource } from './source.ts';

const whole = { range: { from: null, to: null, after: null, done: false }, limit: 100 };

test.each([
  ['WAL', true, [['i:1', 't:old']]],
  // Other connections would wait for the copy.
  [
    'DELETE',
    false,
    [
      ['i:1', 't:new'],
      ['i:2', 't:new'],
    ],
  ],
])('with journal_mode %s, a snapshot is held: %s', async (mode, isHeld, rows) => {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-held-'));
  const user = new DatabaseSync(join(folder, 'source.db'));
  const source = openSqliteSource({ folder, file: 'source.db' }, new AbortController().signal);
  try {
    user.exec(
      `PRAGMA journal_mode = ${mode}; CREATE TABLE t (id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES (1, 'old')`,
    );
    const [table] = await source.catalog([]);
    if (!table) throw new Error('There is no table.');
    expect(await source.hold([table])).toBe(isHeld);
    user.exec("UPDATE t SET v = 'new'; INSERT INTO t VALUES (2, 'new')");
    expect((await source.read(table, whole)).rows).toEqual(rows);
    const all: unknown[] = [];
    for await (const some of source.readAll(table)) all.push(...some);
    expect(all).toEqual(rows);
  } finally {
    await source.close();
    user.close();
    rmSync(folder, { recursive: true });
  }
});
