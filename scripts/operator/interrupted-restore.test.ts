import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import pino from 'pino';
import { beforeEach, expect, inject, test } from 'vitest';
import { migrations } from '../../server/console/open-store.ts';
import { migrate } from '../../server/storage/migrate.ts';
import { openPostgres } from '../../server/storage/postgres.ts';
import { runOperator, startOperator } from '../../server/testing/operator.ts';
import { patience, patientStore } from '../../server/testing/patience.ts';
import { createDatabase } from '../../server/testing/postgres.ts';

let env: { DATA_DIR: string; DATABASE_URL: string };
let backup: string;
/** A session that blocks the restore. */
let other: pg.Client;

beforeEach(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-interrupted-'));
  env = { DATA_DIR: join(folder, 'data'), DATABASE_URL: await createDatabase(inject('postgresUrl')) };
  backup = join(folder, 'backup');
  other = new pg.Client(env.DATABASE_URL);
  await other.connect();
  const database = openPostgres(env.DATABASE_URL, pino({ level: 'silent' }), patientStore);
  await migrate(database, migrations);
  expect(runOperator(env, 'backup', backup)).toMatchObject({ status: 0 });
  // Newer than the backup.
  await database.run("INSERT INTO job_worker (id, name, facts, seen_at) VALUES (1, 'a', '{}', 0)");
  await database.close();
  return async () => {
    await other.end();
    rmSync(folder, { recursive: true });
  };
});

const count = async (from: string) => Number((await other.query(`SELECT count(*) AS n FROM ${from}`)).rows[0].n);
const locks = (which: string) =>
  count(`pg_locks WHERE database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND ${which}`);

/** Starts a restore that waits for the other session. */
async function beginRestore() {
  await other.query('BEGIN; LOCK TABLE account IN ACCESS SHARE MODE');
  const restore = startOperator(env, 'restore', backup);
  await expect.poll(() => locks('NOT granted'), patience).toBe(1);
  expect(readdirSync(env.DATA_DIR)).toEqual([expect.stringMatching(/^restore-/)]);
  return restore;
}

test.each([
  ['Ctrl-C in a terminal', 'SIGINT', true],
  ['the system', 'SIGTERM', false],
] as const)('a restore interrupted by %s changes nothing and leaves nothing behind', async (_by, name, all) => {
  const restore = await beginRestore();
  process.kill(all ? -restore.pid : restore.pid, name);
  expect(await restore.end).toEqual({
    status: 1,
    said: '',
    fault: expect.stringMatching(/The restore was interrupted: nothing was changed\.$/),
  });
  expect(readdirSync(env.DATA_DIR)).toEqual([]);
  await other.query('ROLLBACK');
  expect(await count('job_worker')).toBe(1);
});

test('the next restore removes what a killed one left, and nothing else', async () => {
  const restore = await beginRestore();
  process.kill(-restore.pid, 'SIGKILL');
  expect(await restore.end).toMatchObject({ status: null });
  expect(readdirSync(env.DATA_DIR)).toHaveLength(1);
  const own = join(env.DATA_DIR, 'restore-backup');
  mkdirSync(own);
  writeFileSync(join(own, 'console.dump'), '');
  await other.query('ROLLBACK');
  await expect.poll(() => locks(`locktype = 'advisory' OR mode = 'AccessExclusiveLock'`), patience).toBe(0);
  expect(runOperator(env, 'restore', backup)).toEqual({ status: 0, said: 'Restored. Start the server.', fault: '' });
  expect(await count('job_worker')).toBe(0);
  expect(readdirSync(env.DATA_DIR)).toEqual(['restore-backup']);
  expect(readdirSync(own)).toEqual(['console.dump']);
});
