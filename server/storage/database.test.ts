import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pino from 'pino';
import { afterAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { z } from 'zod';
import { patience, patientStore } from '../testing/patience.ts';
import { createDatabase } from '../testing/postgres.ts';
import { startVanishingProxy } from '../testing/vanishing-proxy.ts';
import { type Database, type Queries, StorageError, StorageSilent, StorageTaken } from './database.ts';
import { lockFile } from './file-lock.ts';
import { migrate } from './migrate.ts';
import { openPostgres } from './postgres.ts';
import { shippedLimits } from './postgres-limits.ts';
import { openSqlite } from './sqlite.ts';

const folder = mkdtempSync(join(tmpdir(), 'millrace-storage-'));
let count = 0;

afterAll(() => rmSync(folder, { recursive: true }));

const opened = {
  sqlite: async () => openSqlite(join(folder, `${count}.sqlite`)),
  postgres: async () =>
    openPostgres(await createDatabase(inject('postgresUrl')), pino({ level: 'silent' }), patientStore),
};

// One contract for both stores.
describe.each(['sqlite', 'postgres'] as const)('%s', (kind) => {
  let database: Database;
  const item = z.object({ id: z.string(), amount: z.number(), note: z.string().nullable() });

  beforeEach(async () => {
    count += 1;
    database = await opened[kind]();
    await database.script('CREATE TABLE item (id TEXT PRIMARY KEY, amount BIGINT NOT NULL, note TEXT)');
    return () => database.close();
  });

  test('rows are read back as they were written, including large amounts', async () => {
    await database.run('INSERT INTO item VALUES ($1, $2, $3)', ['a', 9_007_199_254_740_991, null]);
    await database.run('INSERT INTO item VALUES ($1, $3, $2)', ['b', "it's $1", -5]);
    expect(await database.all(item, 'SELECT * FROM item ORDER BY id')).toEqual([
      { id: 'a', amount: 9_007_199_254_740_991, note: null },
      { id: 'b', amount: -5, note: "it's $1" },
    ]);
    expect(await database.one(item, 'SELECT * FROM item WHERE id = $1', ['c'])).toBeUndefined();
  });

  test('a row of the wrong shape raises an error that names the column', async () => {
    await database.run('INSERT INTO item VALUES ($1, $2, $3)', ['a', 1, null]);
    const wrong = z.object({ id: z.string(), note: z.string() });
    await expect(database.all(wrong, 'SELECT * FROM item')).rejects.toThrow(/note/);
  });

  test('a lock is held by one process at a time', async () => {
    const held = await database.hold(77);
    expect(held?.lost.aborted).toBe(false);
    // A SQLite file has only one server process.
    if (kind === 'postgres') expect(await database.hold(77)).toBeUndefined();
    expect(await database.hold(78).then((other) => other?.release())).toBeUndefined();
    await held?.release();
    // PostgreSQL may end the session later than the release waits for it.
    const again = await vi.waitUntil(() => database.hold(77), patience);
    await again.release();
  });

  test('a transaction that fails changes nothing', async () => {
    const failing = database.transaction(async (queries) => {
      await queries.run('INSERT INTO item VALUES ($1, $2, $3)', ['a', 1, null]);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await database.all(item, 'SELECT * FROM item')).toEqual([]);
    expect(await database.transaction((queries) => queries.run('INSERT INTO item VALUES ($1, 1, NULL)', ['b']))).toBe(
      1,
    );
  });

  test('a value that another row has raises its own error', async () => {
    await database.script('CREATE UNIQUE INDEX one_of_a_note ON item (note)');
    await database.run("INSERT INTO item VALUES ('a', 1, 'x'), ('b', 1, 'y')");
    await expect(database.run("INSERT INTO item VALUES ('a', 1, 'z')")).rejects.toThrow(StorageTaken);
    const change = (queries: Queries) => queries.run("UPDATE item SET note = 'y' WHERE id = 'a'");
    await expect(change(database)).rejects.toThrow(StorageTaken);
    await expect(database.transaction(change)).rejects.toThrow(StorageTaken);
    const other = database.run("INSERT INTO item VALUES ('c', NULL, 'z')");
    await expect(other).rejects.not.toThrow(StorageTaken);
  });

  test('of parallel conditional changes to one row one succeeds', async () => {
    await database.run('INSERT INTO item VALUES ($1, $2, $3)', ['a', 1, null]);
    const changes = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        database.transaction((queries) =>
          queries.run("UPDATE item SET amount = 0, note = $1 WHERE id = 'a' AND amount = 1", [`${at}`]),
        ),
      ),
    );
    expect(changes.reduce((sum, changed) => sum + changed, 0)).toBe(1);
  });

  test('a query during a transaction sees all of its changes or none', async () => {
    const seen = z.object({ n: z.number() });
    const inside = database.transaction(async (queries) => {
      await queries.run('INSERT INTO item VALUES ($1, 1, NULL)', ['a']);
      await new Promise((resolve) => setImmediate(resolve));
      await queries.run('INSERT INTO item VALUES ($1, 1, NULL)', ['b']);
    });
    const counted = await database.one(seen, 'SELECT count(*) AS n FROM item');
    await inside;
    expect([0, 2]).toContain(counted?.n);
  });

  describe('migrations', () => {
    const migrations = () => {
      const place = join(folder, `migrations-${count}`);
      mkdirSync(place);
      writeFileSync(join(place, '0001_a.sql'), 'CREATE TABLE a (id TEXT); CREATE TABLE b (id TEXT);');
      return place;
    };

    test('each runs once, even if several processes start at the same time', async () => {
      const place = migrations();
      const runs = await Promise.all([migrate(database, place), migrate(database, place)]);
      expect(runs.flat()).toEqual(['0001_a.sql']);
      writeFileSync(join(place, '0002_c.sql'), 'CREATE TABLE c (id TEXT)');
      expect(await migrate(database, place)).toEqual(['0002_c.sql']);
    });

    test('a failed migration leaves nothing behind', async () => {
      const place = migrations();
      writeFileSync(join(place, '0002_c.sql'), 'CREATE TABLE c (id TEXT); CREATE TABLE a (id TEXT);');
      await expect(migrate(database, place)).rejects.toThrow();
      writeFileSync(join(place, '0002_c.sql'), 'CREATE TABLE c (id TEXT);');
      expect(await migrate(database, place)).toEqual(['0001_a.sql', '0002_c.sql']);
    });

    test('an edited file and a newer database are refused with a message', async () => {
      const place = migrations();
      const first = readFileSync(join(place, '0001_a.sql'));
      await migrate(database, place);
      writeFileSync(join(place, '0001_a.sql'), 'CREATE TABLE z (id TEXT)');
      await expect(migrate(database, place)).rejects.toThrow(StorageError);
      writeFileSync(join(place, '0001_a.sql'), first);
      // As the previous version sees it.
      writeFileSync(join(place, '0002_c.sql'), 'CREATE TABLE c (id TEXT)');
      await migrate(database, place);
      rmSync(join(place, '0002_c.sql'));
      await expect(migrate(database, place)).rejects.toThrow(/newer version/);
    });
  });
});

describe('PostgreSQL', () => {
  const item = z.object({ id: z.string(), amount: z.number() });
  let database: Database;
  let url: string;
  beforeEach(async () => {
    url = await createDatabase(inject('postgresUrl'));
    database = openPostgres(url, pino({ level: 'silent' }), patientStore);
    await database.script(
      "CREATE TABLE item (id TEXT PRIMARY KEY, amount BIGINT); INSERT INTO item VALUES ('a', 0), ('b', 0)",
    );
    return () => database.close();
  });

  test('a connection lost during a transaction is reported as such, and the next one works', async () => {
    const cut = database.transaction(async (queries) => {
      await queries.run("UPDATE item SET amount = 1 WHERE id = 'a'");
      await queries.run('SELECT pg_terminate_backend(pg_backend_pid())');
    });
    await expect(cut).rejects.toThrow(StorageSilent);
    expect(await database.all(item, "SELECT * FROM item WHERE id = 'a'")).toEqual([{ id: 'a', amount: 0 }]);
  });

  test('a transaction of a stalled process is ended by PostgreSQL, which releases its rows', async () => {
    const { stallMs } = shippedLimits;
    const stalled = openPostgres(url, pino({ level: 'silent' }), { ...patientStore, stallMs });
    const [held, going] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const still = stalled.transaction(async (queries) => {
      await queries.run("UPDATE item SET amount = 1 WHERE id = 'a'");
      held.resolve();
      await going.promise;
      await queries.run("UPDATE item SET amount = 2 WHERE id = 'a'");
    });
    const told = expect(still).rejects.toThrow(StorageSilent);
    // Else, the other one may be first.
    await held.promise;
    await database.run("UPDATE item SET amount = 3 WHERE id = 'a'");
    going.resolve();
    await told;
    expect(await database.all(item, "SELECT * FROM item WHERE id = 'a'")).toEqual([{ id: 'a', amount: 3 }]);
    await stalled.close();
  });

  test('a statement that is not answered in time is no mistake of its own', async () => {
    const hurried = openPostgres(url, pino({ level: 'silent' }), { ...patientStore, statementMs: 100 });
    await database.transaction(async (queries) => {
      await queries.run("UPDATE item SET amount = 1 WHERE id = 'a'");
      const late = hurried.run("UPDATE item SET amount = 2 WHERE id = 'a'");
      await expect(late).rejects.toThrow('The database of DATABASE_URL does not answer in time: ');
      await expect(late).rejects.toThrow(StorageSilent);
    });
    await hurried.close();
  });

  test.each([
    ['the lock is released', async (store: Database) => (await store.hold(77))?.release()],
    ['another process holds the lock', async (store: Database) => store.hold(78)],
    ['a migration is done', async (store: Database) => store.exclusively(async () => undefined)],
  ])('a machine that vanishes while a connection to it is ended is not waited for: %s', async (_what, work) => {
    const held = await database.hold(78);
    const throughProxy = new URL(url);
    const proxy = await startVanishingProxy({ host: throughProxy.hostname, port: Number(throughProxy.port) });
    throughProxy.port = String(proxy.port);
    const store = openPostgres(throughProxy.href, pino({ level: 'silent' }), patientStore);
    expect(await work(store)).toBeUndefined();
    await store.close();
    await proxy.close();
    await held?.release();
  });

  test('two transactions that wait for each other both succeed', async () => {
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const add = (one: string, other: string, mine: () => void, theirs: Promise<void>) =>
      database.transaction(async (queries) => {
        await queries.run('UPDATE item SET amount = amount + 1 WHERE id = $1', [one]);
        mine();
        await theirs;
        await queries.run('UPDATE item SET amount = amount + 1 WHERE id = $1', [other]);
      });
    await Promise.all([add('a', 'b', first.resolve, second.promise), add('b', 'a', second.resolve, first.promise)]);
    expect(await database.all(item, 'SELECT * FROM item ORDER BY id')).toEqual([
      { id: 'a', amount: 2 },
      { id: 'b', amount: 2 },
    ]);
  });
});

test('every operation reports an unreachable server without the password', async () => {
  const database = openPostgres('postgres://ada:a-secret@127.0.0.1:1/none', pino({ level: 'silent' }));
  const work = async () => undefined;
  for (const asked of [
    () => database.run('SELECT 1'),
    () => database.script('SELECT 1'),
    () => database.transaction(work),
    () => database.exclusively(work),
    () => database.hold(77),
    () => database.isHeld(77),
  ]) {
    const error: unknown = await asked().catch((fault: unknown) => fault);
    expect(error).toBeInstanceOf(StorageSilent);
    expect(String(error)).not.toContain('a-secret');
  }
  await database.close();
});

test('a statement waits for another process that writes to the SQLite file, and the process works on meanwhile', async () => {
  const file = join(folder, 'busy.sqlite');
  const database = openSqlite(file);
  await database.script('CREATE TABLE item (id INTEGER)');
  const other = new DatabaseSync(file);
  other.exec('BEGIN IMMEDIATE');
  const inserts = [
    database.run('INSERT INTO item VALUES (1)'),
    database.transaction((queries) => queries.run('INSERT INTO item VALUES (2)')),
  ];
  await new Promise((resolve) => setImmediate(resolve));
  other.exec('INSERT INTO item VALUES (3); COMMIT');
  other.close();
  expect(await Promise.all(inserts)).toEqual([1, 1]);
  expect(await database.all(z.object({ id: z.number() }), 'SELECT id FROM item ORDER BY id')).toHaveLength(3);
  await database.close();
});

test('a SQLite file that is removed or replaced while open is not written until it is back', async () => {
  const [file, moved] = [join(folder, 'replaced.sqlite'), join(folder, 'moved.sqlite')];
  const database = openSqlite(file);
  await database.script('CREATE TABLE item (id INTEGER)');
  renameSync(file, moved);
  const sentence = `${file} was removed or replaced while the server was running, so nothing more is written: `;
  await expect(database.run('INSERT INTO item VALUES (1)')).rejects.toThrow(sentence);
  copyFileSync(moved, file);
  const insert = database.transaction((queries) => queries.run('INSERT INTO item VALUES (1)'));
  await expect(insert).rejects.toThrow(StorageSilent);
  renameSync(moved, file);
  expect(await database.run('INSERT INTO item VALUES (1)')).toBe(1);
  await database.close();
});

test('a second server on the same SQLite file is refused until the first has stopped', () => {
  const file = join(folder, 'locked.sqlite');
  const unlock = lockFile(file);
  expect(() => lockFile(file)).toThrow(/Another server process is using/);
  unlock();
  lockFile(file)();
});
