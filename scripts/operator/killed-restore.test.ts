import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { openSqlite } from '../../server/storage/sqlite.ts';
import { startBackendProcess } from '../../server/testing/backend-process.ts';
import { runOperator } from '../../server/testing/operator.ts';
import { storeAccount } from '../../server/testing/store-account.ts';

const folder = mkdtempSync(join(tmpdir(), 'millrace-killed-restore-'));
afterAll(() => rmSync(folder, { recursive: true }));

const [older, newer, backup] = ['older', 'newer', 'backup'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
];
/** Loaded before a command: kills it before its n-th change of a file. */
const killer = join(folder, 'killer.mjs');
writeFileSync(
  killer,
  `import fs from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  let left = Number(process.env.CHANGES);
  for (const name of ['copyFileSync', 'renameSync', 'rmSync']) {
    const change = fs[name];
    fs[name] = (...given) => {
      if (left === 0) process.kill(process.pid, 'SIGKILL');
      left -= 1;
      return change(...given);
    };
  }
  syncBuiltinESMExports();`,
);

const user = z.object({ username: z.string() });

/** Creates a store with one account and its own key; the account is only in the write-ahead log, as after a kill. */
async function makeStore(DATA_DIR: string, username: string): Promise<void> {
  const server = await startBackendProcess({ DATA_DIR });
  const database = openSqlite(join(DATA_DIR, 'console.sqlite'));
  await storeAccount(database, 'ada@site.example', { username });
  await database.close();
  await server.kill();
  expect(existsSync(join(DATA_DIR, 'console.sqlite-wal'))).toBe(true);
}

/** The user in the store, and the key. */
function stateOf(DATA_DIR: string): [username: string, key: string] {
  const database = new DatabaseSync(join(DATA_DIR, 'console.sqlite'), { readOnly: true });
  const { username } = user.parse(database.prepare('SELECT username FROM account').get());
  database.close();
  return [username, readFileSync(join(DATA_DIR, 'secret.key'), 'utf8')];
}

const leftOf = (DATA_DIR: string) => readdirSync(DATA_DIR).filter((name) => name.startsWith('restore'));

/** A restore over the older store, killed before its n-th change. */
function killRestore(DATA_DIR: string, changes: number) {
  cpSync(older, DATA_DIR, { recursive: true });
  const NODE_OPTIONS = `--import=${killer}`;
  return runOperator({ DATA_DIR, NODE_OPTIONS, CHANGES: String(changes) }, 'restore', backup);
}

beforeAll(async () => {
  await makeStore(older, 'Older');
  await makeStore(newer, 'Newer');
  expect(runOperator({ DATA_DIR: newer }, 'backup', backup)).toMatchObject({ status: 0 });
});

test('a restore killed at any step leaves the old or the new store whole, and the next start says which', async () => {
  const [old, restored] = [stateOf(older), stateOf(newer)];
  const seen: string[] = [];
  for (let changes = 0; ; changes += 1) {
    const DATA_DIR = join(folder, `killed-${changes}`);
    const { status } = killRestore(DATA_DIR, changes);
    if (status === 0) break;
    expect(status).toBeNull();
    const left = leftOf(DATA_DIR);
    // With the other store's key the server would exit at its start.
    const server = await startBackendProcess({ DATA_DIR });
    const state = stateOf(DATA_DIR);
    const told = /"msg":"(a restore was cut off[^"]*)"/.exec(server.log())?.[1] ?? '';
    await server.kill();
    expect([old, restored]).toContainEqual(state);
    expect(told !== '').toBe(left.length > 0);
    expect(told.includes('it has been completed now')).toBe(left.length > 0 && state[0] === 'Newer');
    expect(leftOf(DATA_DIR)).toEqual([]);
    seen.push(state[0]);
  }
  expect(new Set(seen)).toEqual(new Set(['Older', 'Newer']));
  expect(seen).toEqual(seen.toSorted().reverse());
});

test('commands refuse a store that a killed restore is about to replace, and the next restore reports it', async () => {
  let changes = 0;
  const isCutOff = () => leftOf(join(folder, `next-${changes}`)).includes('restore.whole');
  for (;;) {
    expect(killRestore(join(folder, `next-${changes}`), changes).status).toBeNull();
    if (isCutOff()) break;
    changes += 1;
  }
  const DATA_DIR = join(folder, `next-${changes}`);
  for (const [command = '', ...args] of [['account'], ['backup', join(folder, 'of-both')]]) {
    expect(runOperator({ DATA_DIR }, command, ...args)).toMatchObject({
      status: 1,
      fault: `A restore in ${DATA_DIR} was killed before it finished: start the server, which completes it, or run it again.`,
    });
  }
  expect(runOperator({ DATA_DIR }, 'restore', backup)).toEqual({
    status: 0,
    said: 'An earlier restore was killed after its copy was complete: it was completed first.\nRestored. Start the server.',
    fault: '',
  });
  const early = join(folder, `early`);
  expect(killRestore(early, 1).status).toBeNull();
  expect(runOperator({ DATA_DIR: early }, 'restore', backup)).toMatchObject({
    status: 0,
    said: 'An earlier restore was killed before it changed anything.\nRestored. Start the server.',
  });
  expect([stateOf(DATA_DIR), stateOf(early)]).toEqual([stateOf(newer), stateOf(newer)]);
});
