import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { openSqliteSink } from './sink.ts';
import { openSqliteSource } from './source.ts';

test('only rows that hold a unique value of an incoming row are evicted', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-evict-'));
  const settings = { folder, file: 'target.db' };
  const user = new DatabaseSync(join(folder, 'target.db'), { returnArrays: true });
  user.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, u TEXT UNIQUE, code TEXT, open INTEGER, größe TEXT);
    CREATE UNIQUE INDEX of_size ON t (lower(größe));
    CREATE UNIQUE INDEX of_open ON t (code) WHERE open;
    INSERT INTO t VALUES (1, 'x', 'c', 1, 'S'), (2, 'y', 'd', 1, 'M')`);
  const signal = new AbortController().signal;
  const source = openSqliteSource(settings, signal);
  const sink = openSqliteSink(settings, signal);
  try {
    const [table] = await source.catalog([]);
    if (!table) throw new Error('There is no table.');
    const { epoch } = await sink.takeOver('job0123456789abc');
    const mark = { job: 'job0123456789abc', epoch };
    expect(await sink.evict(table, [['i:3', 't:x', 't:d', 'i:0', 't:l']], () => mark)).toEqual([['i:1']]);
    expect(await sink.evict(table, [['i:3', 't:z', 't:d', 'i:1', 't:l']], () => mark)).toEqual([['i:2']]);
  } finally {
    await Promise.all([source.close(), sink.close()]);
    user.close();
    rmSync(folder, { recursive: true });
  }
});
