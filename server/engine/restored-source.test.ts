import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { JobProcess } from '../testing/job-process.ts';
import { jobSpec, sqliteSide, wholeTables } from '../testing/job-spec.ts';
import { untilSameRows } from '../testing/same-rows.ts';
import type { JobSpec } from './job.ts';

/** A job that follows a SQLite file that is restored to an older state or replaced by another file. */

let folder: string;
let spec: JobSpec;
let user: DatabaseSync;
let running: JobProcess;

const file = (name: string) => join(folder, name);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-restored-'));
  user = new DatabaseSync(file('source.db'), { timeout: 60_000 });
  user.exec('CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT)');
  spec = jobSpec({
    source: sqliteSide(folder, 'source.db'),
    target: sqliteSide(folder, 'target.db'),
    tables: wholeTables(['item'], 'main'),
  });
  running = new JobProcess(spec);
});
afterEach(async () => {
  await running.kill();
  user.close();
  rmSync(folder, { recursive: true });
});

const query = 'SELECT id, name FROM item ORDER BY id';

/** Waits until the target has what the source has. */
async function expectSame(): Promise<void> {
  await running.until(() => running.states()['main.item'] === 'live');
  await untilSameRows(running, { query, source: user, target: file('target.db') });
}

async function expectFailed(code: string): Promise<void> {
  expect(await running.end()).toMatchObject({ kind: 'failed', fault: { code } });
}

/** Makes three changes to the source, two of which the job carries after a backup. */
async function backUpAndGoOn(): Promise<void> {
  await expectSame();
  user.exec("INSERT INTO item VALUES (1, 'before')");
  await expectSame();
  await backup(user, file('backup.db'));
  for (const id of [2, 3]) user.exec(`INSERT INTO item VALUES (${id}, 'lost')`);
  await expectSame();
}

/** Writes a backup over a file that a job has open, as soon as the job does not block it. */
async function restore(old: DatabaseSync, name: string): Promise<void> {
  for (;;) {
    try {
      await backup(old, file(name));
      return;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR')) throw error;
    }
  }
}

/** More writes than were lost: sequences of the log go past those that the job has seen. */
function writeOthers(database: DatabaseSync): void {
  for (const id of [4, 5, 6, 7]) database.exec(`INSERT INTO item VALUES (${id}, 'other')`);
}

test('a backup restored into the source file stops the running job', async () => {
  await backUpAndGoOn();
  const old = new DatabaseSync(file('backup.db'));
  // The job cannot read in between.
  old.exec('BEGIN');
  writeOthers(old);
  old.exec('COMMIT');
  await restore(old, 'source.db');
  old.close();
  await expectFailed('SOURCE_WENT_BACK');
});

test('a backup that replaced the file while no process ran is not followed, even after new writes', async () => {
  await backUpAndGoOn();
  await running.kill();
  user.close();
  renameSync(file('backup.db'), file('source.db'));
  user = new DatabaseSync(file('source.db'));
  writeOthers(user);
  running = new JobProcess(spec);
  await expectFailed('SOURCE_WENT_BACK');
});

/** What the job's marks at the target hold, as text. */
function marks(): { position: string; content: string } {
  const target = new DatabaseSync(file('target.db'), { timeout: 60_000 });
  const row = target.prepare('SELECT position, content FROM millrace_mark JOIN millrace_table USING (job)').get();
  target.close();
  return z.object({ position: z.string(), content: z.string() }).parse(row);
}

test('rows that were read ahead of the log, and that the source lost, are copied again', async () => {
  await expectSame();
  user.exec("INSERT INTO item VALUES (1, 'before')");
  await expectSame();
  await backup(user, file('backup.db'));
  const before = marks();
  for (const id of [1, 2]) user.exec(`INSERT OR REPLACE INTO item VALUES (${id}, 'lost')`);
  await expectSame();
  await running.kill();
  const after = marks();
  // As if chunks had brought these rows, before the log did.
  const target = new DatabaseSync(file('target.db'));
  const content = { ...JSON.parse(before.content), state: 'catching-up', liveAfter: JSON.parse(after.position) };
  target.prepare('UPDATE millrace_mark SET position = ?').run(before.position);
  target.prepare('UPDATE millrace_table SET content = ?').run(JSON.stringify(content));
  target.close();
  user.close();
  renameSync(file('backup.db'), file('source.db'));
  user = new DatabaseSync(file('source.db'), { timeout: 60_000 });
  writeOthers(user);
  running = new JobProcess(spec);
  await expectSame();
  expect(running.reports).toContainEqual(
    expect.objectContaining({ kind: 'event', sentence: expect.stringContaining('copied again: main.item') }),
  );
});

test('a file that replaces the open source stops the process, and the next one resumes from its position', async () => {
  await backUpAndGoOn();
  user.exec(`VACUUM INTO '${file('moved.db')}'`);
  user.close();
  renameSync(file('moved.db'), file('source.db'));
  user = new DatabaseSync(file('source.db'), { timeout: 60_000 });
  user.exec("INSERT INTO item VALUES (9, 'in the new file')");
  await expectFailed('CONNECTION_LOST');
  running = new JobProcess(spec);
  await expectSame();
});

test('a file that replaces the open target stops the process, and the next one resumes from its position', async () => {
  await backUpAndGoOn();
  const target = new DatabaseSync(file('target.db'), { timeout: 60_000 });
  await backup(target, file('moved.db'));
  target.close();
  renameSync(file('moved.db'), file('target.db'));
  user.exec("INSERT INTO item VALUES (9, 'for the new file')");
  await expectFailed('CONNECTION_LOST');
  running = new JobProcess(spec);
  await expectSame();
});

test('a backup restored into the target file stops the running job', async () => {
  await expectSame();
  user.exec("INSERT INTO item VALUES (1, 'before')");
  await expectSame();
  const target = new DatabaseSync(file('target.db'), { timeout: 60_000 });
  await backup(target, file('backup.db'));
  target.close();
  for (const id of [2, 3]) user.exec(`INSERT INTO item VALUES (${id}, 'lost')`);
  await expectSame();
  const old = new DatabaseSync(file('backup.db'));
  await restore(old, 'target.db');
  old.close();
  user.exec("INSERT INTO item VALUES (4, 'after')");
  await expectFailed('CONNECTION_LOST');
});
