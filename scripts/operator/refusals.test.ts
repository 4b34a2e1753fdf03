import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, inject, test } from 'vitest';
import { lockFile } from '../../server/storage/file-lock.ts';
import { runOperator } from '../../server/testing/operator.ts';
import { createDatabase } from '../../server/testing/postgres.ts';

const folder = mkdtempSync(join(tmpdir(), 'millrace-refusals-'));
afterAll(() => rmSync(folder, { recursive: true }));

const env = { DATA_DIR: join(folder, 'data') };
const missing = join(folder, 'missing/file');
/** An address at which nothing listens. */
const nowhere = 'postgres://ada:a-secret@127.0.0.1:1/none';

test.each([
  ['account', ['frob'], 'There is no action “frob”.'],
  ['order', ['frob'], 'There is no action “frob”.'],
  ['order', ['list', 'paid'], 'There is no status “paid”.'],
  ['order', ['confirm', 'MR-NOTHING1'], 'There is no order “MR-NOTHING1”.'],
  ['invoice', ['frob'], 'There is no action “frob”.'],
  ['invoice', ['list', 'open'], 'There is no status “open”.'],
  ['invoice', ['paid', '2026-1'], 'There is no invoice “2026-1”.'],
  ['licence', [], 'There is no action “”.'],
  ['licence', ['verify'], 'There is no action “verify”.'],
  ['licence', ['apply-code', '-5'], '“-5” is no number of links.'],
  ['usage', ['frob'], 'There is no action “frob”.'],
  ['usage', ['import'], 'Name a file to import.'],
  ['marketplace', ['frob'], 'There is no action “frob”.'],
  ['backup', [], 'Name an empty folder.'],
  ['restore', [], 'Name the folder of a backup.'],
])('%s %j is told to be wrong use, and what is right', (command, args, sentence) => {
  const { status, fault } = runOperator(env, command, ...args);
  expect([status, fault.split('\n')[0]]).toEqual([2, sentence]);
  expect(fault).toContain(`\n\nnpm run ${command} -- `);
});

/** Puts a file in place that nobody can open, not even root: a socket; the function takes it away. */
async function cannotBeOpened(path: string): Promise<() => Promise<unknown>> {
  const server = createServer().listen(path);
  await once(server, 'listening');
  return () => once(server.close(), 'close');
}

/** One line with these words, and no stack. */
function expectSentence(end: { status: number | null; fault: string }, words: string) {
  expect(end.fault.split('\n')).toEqual([expect.stringContaining(words)]);
  expect(end.status).toBe(1);
}

test.each([
  ['licence', ['verify', 'code', missing]],
  ['usage', ['import', missing]],
  ['page-views', ['30', missing]],
])('%s names a file that cannot be used', (command, args) => {
  expectSentence(runOperator(env, command, ...args), missing);
});

test('wrong settings are named by every command', () => {
  for (const command of ['account', 'backup', 'restore']) {
    const { status, fault } = runOperator({ ...env, CONSOLE_PORT: 'a' }, command, folder);
    expect([status, fault]).toEqual([1, expect.stringMatching(/^The settings are not usable:\n {2}CONSOLE_PORT .*$/)]);
  }
});

test('a database that cannot be reached is told without its password', () => {
  const end = runOperator({ ...env, DATABASE_URL: nowhere }, 'account');
  expectSentence(end, 'The database of DATABASE_URL cannot be reached: ');
  expect(end.fault).not.toContain('a-secret');
});

test('a damaged store and a damaged key are named, and left as they are', () => {
  const DATA_DIR = join(folder, 'damaged');
  mkdirSync(DATA_DIR);
  const [store, key] = [join(DATA_DIR, 'console.sqlite'), join(DATA_DIR, 'secret.key')];
  writeFileSync(store, 'no database');
  expectSentence(runOperator({ DATA_DIR }, 'account'), `${store} cannot be used as a store (`);
  expect(readFileSync(store, 'utf8')).toBe('no database');
  rmSync(store);
  writeFileSync(key, 'short');
  expectSentence(runOperator({ DATA_DIR }, 'account'), `${key} does not hold a key: put back its copy`);
  expect(readFileSync(key, 'utf8')).toBe('short');
});

test('a backup is refused before anything is written, and half a backup never stays', () => {
  const target = join(folder, 'backup');
  expectSentence(runOperator({ DATA_DIR: join(folder, 'empty') }, 'backup', target), 'There is no store in ');
  expect(existsSync(target)).toBe(false);
  const unreachable = runOperator({ ...env, DATABASE_URL: nowhere }, 'backup', target);
  expect(unreachable).toMatchObject({ status: 1, fault: expect.stringContaining('pg_dump failed, see above.') });
  // The same command again is not refused for what the first one left.
  expect(runOperator({ ...env, DATABASE_URL: nowhere }, 'backup', target).fault).toBe(unreachable.fault);
});

test('a backup of a damaged store leaves its folder empty for the next try', async () => {
  const DATA_DIR = join(folder, 'unreadable');
  const target = join(folder, 'backup-of-damaged');
  mkdirSync(DATA_DIR);
  const store = join(DATA_DIR, 'console.sqlite');
  const backUp = () => runOperator({ DATA_DIR }, 'backup', target);
  writeFileSync(store, 'no database'.repeat(1000));
  expectSentence(backUp(), `${store} could not be copied (file is not a database): nothing was written.`);
  expect(readdirSync(target)).toEqual([]);
  rmSync(store);
  const close = await cannotBeOpened(store);
  expectSentence(backUp(), `${store} could not be copied (unable to open database file): nothing was written.`);
  expect(readdirSync(target)).toEqual([]);
  await close();
});

test('a restore that cannot be done leaves the store as it is', async () => {
  const data = join(folder, 'kept');
  const backup = join(folder, 'sound');
  const broken = join(folder, 'broken');
  expect(runOperator({ DATA_DIR: data }, 'account')).toMatchObject({ status: 0, said: 'Nothing found.' });
  expect(runOperator({ DATA_DIR: data }, 'backup', backup).status).toBe(0);
  const store = join(data, 'console.sqlite');
  const before = readFileSync(store);
  const restore = (from: string, env = {}) => runOperator({ DATA_DIR: data, ...env }, 'restore', from);

  expectSentence(restore(join(folder, 'none')), 'holds no console.sqlite');
  expectSentence(restore(backup, { DATABASE_URL: nowhere }), 'holds no console.dump');
  mkdirSync(broken);
  writeFileSync(join(broken, 'console.sqlite'), 'no database');
  expectSentence(restore(broken), 'is damaged, so nothing was changed.');
  rmSync(join(broken, 'console.sqlite'));
  const close = await cannotBeOpened(join(broken, 'console.sqlite'));
  expectSentence(restore(broken), 'is damaged, so nothing was changed.');
  await close();
  const cut = readFileSync(join(backup, 'console.sqlite'));
  writeFileSync(join(broken, 'console.sqlite'), cut.fill(7, cut.length / 2));
  expectSentence(restore(broken), 'is damaged, so nothing was changed.');
  copyFileSync(join(backup, 'console.sqlite'), join(broken, 'console.dump'));
  expectSentence(restore(broken, { DATABASE_URL: nowhere }), 'not be reached');
  const noDump = restore(broken, { DATABASE_URL: await createDatabase(inject('postgresUrl')) });
  expect(noDump).toMatchObject({ status: 1, fault: expect.stringContaining('see above: nothing was changed.') });
  const unlock = lockFile(store);
  expectSentence(restore(backup), 'The server runs: stop it first.');
  unlock();

  expect(readFileSync(store).equals(before)).toBe(true);
  expect(restore(backup)).toMatchObject({ status: 0 });
});
