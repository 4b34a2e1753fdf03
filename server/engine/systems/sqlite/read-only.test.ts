import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { realSurroundings, type Surroundings } from './connect.ts';
import { openSqliteSink } from './sink.ts';
import { openSqliteSource } from './source.ts';

/** A file that this process may only read: root may write any, whatever its rights. */
const readOnly: Surroundings = {
  ...realSurroundings,
  open(address, options) {
    address.searchParams.set('mode', 'ro');
    return new DatabaseSync(address, { ...options, readOnly: true });
  },
  mayWrite: () => false,
};
const { signal } = new AbortController();

async function withFile(work: (settings: { folder: string; file: string }) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-sqlite-'));
  const user = new DatabaseSync(join(folder, 'shop.db'));
  user.exec('PRAGMA journal_mode = WAL; CREATE TABLE item (id INTEGER PRIMARY KEY)');
  user.close();
  try {
    await work({ folder, file: 'shop.db' });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('a file that cannot be written is found by the check of a job that would write to it', async () => {
  await withFile(async (settings) => {
    const fault = { type: 'PRIVILEGES', result: 'fault', sentence: expect.stringContaining('mounted read-only') };
    const source = openSqliteSource(settings, signal, readOnly);
    const tables = await source.catalog([]);
    expect(await source.check(tables)).toContainEqual({ ...fault, side: 'source' });
    expect(await source.check(tables, { follows: false })).not.toContainEqual({ ...fault, side: 'source' });
    await expect(source.reserve('job', tables)).rejects.toMatchObject({ code: 'FILE_READ_ONLY' });
    await source.close();
    const sink = openSqliteSink(settings, signal, readOnly);
    expect(await sink.check(tables)).toContainEqual({ ...fault, side: 'target' });
    await sink.close();
  });
});

test('a target that does not exist yet can be written', async () => {
  await withFile(async (settings) => {
    const source = openSqliteSource(settings, signal);
    const sink = openSqliteSink({ ...settings, file: 'copy.db' }, signal);
    expect(await sink.check(await source.catalog([]))).not.toContainEqual(
      expect.objectContaining({ type: 'PRIVILEGES' }),
    );
    await Promise.all([source.close(), sink.close()]);
  });
});

test('a file whose log cannot be created is not reported as missing', async () => {
  await withFile(async (settings) => {
    mkdirSync(join(settings.folder, 'shop.db-wal'));
    const source = openSqliteSource(settings, signal);
    await expect(source.catalog([])).rejects.toMatchObject({ code: 'FILE_READ_ONLY' });
    await source.close();
    const missing = openSqliteSource({ ...settings, file: 'none.db' }, signal);
    await expect(missing.catalog([])).rejects.toMatchObject({ code: 'FILE_MISSING' });
    await missing.close();
  });
});
