import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { JobProcess } from '../testing/job-process.ts';
import { jobSpec, sqliteSide, wholeTables } from '../testing/job-spec.ts';
import { patience } from '../testing/patience.ts';
import { untilSameRows } from '../testing/same-rows.ts';
import type { JobSpec } from './job.ts';

/** Jobs between two SQLite files whose tables only share their names. */

let folder: string;
let source: DatabaseSync;
let target: DatabaseSync;
let running: JobProcess | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-pair-'));
  source = new DatabaseSync(join(folder, 'source.db'), { timeout: 60_000 });
  target = new DatabaseSync(join(folder, 'target.db'), { timeout: 60_000 });
});
afterEach(async () => {
  await running?.kill();
  source.close();
  target.close();
  rmSync(folder, { recursive: true });
});

/** Frequent enough to catch the copy in the middle. */
const often = { ...patience, interval: 5 };

/** A job for the table `item`. */
function specOf(wanted: Partial<JobSpec>): JobSpec {
  return jobSpec({
    source: sqliteSide(folder, 'source.db'),
    target: sqliteSide(folder, 'target.db'),
    tables: wholeTables(['item'], 'main'),
    ...wanted,
  });
}

/** Starts a job for the table `item`. */
function start(wanted: Partial<JobSpec>): JobProcess {
  running = new JobProcess(specOf(wanted));
  return running;
}

const isIn = (state: string) => running?.states()['main.item'] === state;
const rows = (database: DatabaseSync) => database.prepare('SELECT * FROM item').all();

test.each(['replace', 'ignore'] as const)(
  'a full copy resolves a unique conflict by its setting: %s',
  async (conflict) => {
    const schema = 'CREATE TABLE item (id INTEGER PRIMARY KEY, code TEXT UNIQUE)';
    source.exec(`${schema}; INSERT INTO item VALUES (1, 'x')`);
    target.exec(`${schema}; INSERT INTO item VALUES (9, 'x')`);
    const job = start({ type: 'MIGRATION', conflict });
    await job.until(() => isIn('done') || isIn('blocked'));
    expect(rows(target)).toEqual([{ id: conflict === 'replace' ? 1 : 9, code: 'x' }]);
    expect(isIn('blocked')).toBe(conflict === 'ignore');
  },
);

test('a row that a unique index of the target alone refuses during the copy is parked, not lost', async () => {
  source.exec(`CREATE TABLE item (id INTEGER PRIMARY KEY, code TEXT);
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000)
    INSERT INTO item SELECT i, 'code ' || i FROM n`);
  target.exec('CREATE TABLE item (id INTEGER PRIMARY KEY, code TEXT UNIQUE)');
  const job = start({});
  await vi.waitFor(() => expect(target.prepare('SELECT id FROM item WHERE id = 2').all()).toHaveLength(1), often);
  source.exec("UPDATE item SET code = 'code 1' WHERE id = 2");
  await job.until(() => job.tables().at(-1)?.parked === 1);
  expect(target.prepare('SELECT code FROM item WHERE id < 3').all()).toEqual([{ code: 'code 1' }]);
});

test('a table named excluded is copied, followed and copied again', async () => {
  const schema = 'CREATE TABLE excluded (id INTEGER PRIMARY KEY, n TEXT)';
  source.exec(`${schema}; INSERT INTO excluded VALUES (1, 'a'), (2, 'b')`);
  target.exec(`${schema}; INSERT INTO excluded VALUES (1, 'other')`);
  const job = start({ tables: wholeTables(['excluded'], 'main') });
  const same = { query: 'SELECT * FROM excluded', source, target: join(folder, 'target.db') };
  await untilSameRows(job, same);
  source.exec("UPDATE excluded SET n = 'c' WHERE id = 1; UPDATE excluded SET id = 4 WHERE id = 2");
  await untilSameRows(job, same);
});

test.each(['told', 'old'])('rows of a table named %s swap their unique values, or replace another', async (name) => {
  source.exec(`CREATE TABLE ${name} (id INTEGER PRIMARY KEY, code TEXT UNIQUE);
    INSERT INTO ${name} VALUES (1, 'a'), (2, 'b'), (3, 'c'), (4, 'd')`);
  const job = start({ tables: wholeTables([name], 'main'), structure: true });
  await job.until(() => job.states()[`main.${name}`] === 'live');
  source.exec(`BEGIN; UPDATE ${name} SET code = 'free' WHERE id = 1; UPDATE ${name} SET code = 'a' WHERE id = 2;
    UPDATE ${name} SET code = 'b' WHERE id = 1; UPDATE OR REPLACE ${name} SET code = 'c' WHERE id = 4;
    UPDATE ${name} SET code = 'd' WHERE id = 4; COMMIT`);
  await untilSameRows(job, { query: `SELECT * FROM ${name}`, source, target: join(folder, 'target.db') });
  expect(job.tables().at(-1)?.parked ?? 0).toBe(0);
});

test.each(['check', 'job'])('what has the name of a table and is none is named by a %s', async (how) => {
  source.exec('CREATE TABLE item (id INTEGER PRIMARY KEY)');
  target.exec('CREATE VIEW Item AS SELECT 1 AS id');
  const sentence = expect.stringContaining('(at the target, table main.item, a view)');
  if (how === 'job')
    return expect(await start({}).end()).toEqual({
      kind: 'failed',
      fault: expect.objectContaining({ code: 'NOT_A_TABLE', sentence }),
    });
  const checking = fork(join(import.meta.dirname, 'answer.ts'));
  const answered = once(checking, 'message');
  checking.send({ kind: 'check', spec: specOf({}) });
  const finding = expect.objectContaining({ side: 'target', result: 'fault', table: 'main.item', sentence });
  expect((await answered)[0]).toEqual({ ok: true, data: expect.arrayContaining([finding]) });
});

test('a job that leads back to the source of another job is refused', async () => {
  for (const file of [source, target]) file.exec('CREATE TABLE item (id INTEGER PRIMARY KEY)');
  const job = start({});
  await job.until(() => isIn('live'));
  const back = new JobProcess(
    jobSpec({
      source: sqliteSide(folder, 'target.db'),
      target: sqliteSide(folder, 'source.db'),
      tables: wholeTables(['item'], 'main'),
    }),
  );
  expect(await back.end()).toMatchObject({ kind: 'failed', fault: { code: 'JOBS_IN_CIRCLE' } });
});

test.each([
  ['affinity', 'TEXT', "('01'), ('1')", 'INTEGER'],
  ['collation', 'TEXT', "('a'), ('A')", 'TEXT COLLATE NOCASE'],
])('a key that the target compares with a different %s is refused', async (_, type, values, otherType) => {
  source.exec(`CREATE TABLE item (id ${type} NOT NULL UNIQUE); INSERT INTO item VALUES ${values}`);
  target.exec(`CREATE TABLE item (id ${otherType} NOT NULL UNIQUE)`);
  const job = start({});
  await job.until(() => isIn('blocked'));
  expect(job.tables().at(-1)?.fault?.code).toBe('KEY_COMPARED_OTHERWISE');
  expect(rows(target)).toEqual([]);
});

test.each(['source', 'target'])('a UTF-16 file is refused as a %s', async (side) => {
  for (const database of [source, target])
    if ((database === source) === (side === 'source')) database.exec("PRAGMA encoding = 'UTF-16'");
  const schema = 'CREATE TABLE item (id TEXT PRIMARY KEY NOT NULL)';
  source.exec(`${schema}; INSERT INTO item VALUES ('a')`);
  target.exec(schema);
  const job = start({});
  await job.until((reports) => isIn('live') || reports.some(({ kind }) => kind === 'failed'));
  expect(job.reports.at(-1)).toMatchObject({ fault: { code: 'ENCODING_NOT_SUPPORTED' } });
  expect(rows(target)).toEqual([]);
});

test.each([
  ['SYNC', 'convert', 'code INTEGER'],
  ['MIGRATION', 'convert', 'code INTEGER'],
  ['SYNC', 'compute', "code TEXT GENERATED ALWAYS AS ('00' || id)"],
  ['MIGRATION', 'compute', "code TEXT GENERATED ALWAYS AS ('00' || id)"],
] as const)('a %s job refuses a table if the target would %s its values', async (type, _, code) => {
  source.exec("CREATE TABLE item (id INTEGER PRIMARY KEY, code TEXT); INSERT INTO item VALUES (1, '005')");
  target.exec(`CREATE TABLE item (id INTEGER PRIMARY KEY, ${code})`);
  const job = start({ type });
  await job.until(() => isIn('live') || isIn('done') || isIn('blocked'));
  expect(job.tables().at(-1)?.fault?.code).toBe('TYPE_NARROWER');
  expect(rows(target)).toEqual([]);
});

test('double-quoted strings in conditions are strings for the job too', async () => {
  const address = join(folder, 'source.db');
  const application = new DatabaseSync(address, { timeout: 60_000, enableDoubleQuotedStringLiterals: true });
  try {
    application.exec(`CREATE TABLE item (id INTEGER PRIMARY KEY, "code" TEXT CHECK (code <> "bad"), state TEXT DEFAULT "open");
      CREATE UNIQUE INDEX one_code ON item ("code") WHERE state = "open";
      INSERT INTO item VALUES (1, 'a', 'open'), (2, 'a', 'closed'), (3, 'b', 'open')`);
    const job = start({ structure: true });
    await job.until(() => isIn('live'));
    application.exec("REPLACE INTO item VALUES (4, 'b', 'open')");
    source.exec("REPLACE INTO item VALUES (5, 'a', 'open')");
    await vi.waitFor(() => expect(rows(target)).toEqual(rows(source)), patience);
    await vi.waitFor(
      () => expect(() => target.exec("INSERT INTO item VALUES (6, 'a', 'open')")).toThrow('UNIQUE'),
      patience,
    );
    expect(() => target.exec("INSERT INTO item VALUES (6, 'bad', 'open')")).toThrow('CHECK');
    expect(job.reports.filter(({ kind }) => kind === 'failed')).toEqual([]);
  } finally {
    application.close();
  }
});

test('a table with double-quoted strings and a collation is followed', async () => {
  const application = new DatabaseSync(join(folder, 'source.db'), { enableDoubleQuotedStringLiterals: true });
  application.exec(`CREATE TABLE item (id TEXT COLLATE NOCASE PRIMARY KEY NOT NULL, s TEXT CHECK (s IN ("x", "y")));
    INSERT INTO item VALUES ('a', 'x')`);
  application.close();
  const job = start({ structure: true });
  await job.until(() => isIn('live') || isIn('blocked'));
  source.exec("UPDATE item SET s = 'y' WHERE id = 'A'");
  await vi.waitFor(() => expect(rows(target)).toEqual([{ id: 'a', s: 'y' }]), patience);
});

test('a table with nearly as many columns as SQLite allows is copied and followed with exact values', async () => {
  const names = Array.from({ length: 1_998 }, (_, place) => `c${place}`);
  source.exec(`CREATE TABLE item (id INTEGER PRIMARY KEY, ${names.join(', ')})`);
  const values = [
    '9223372036854775807',
    '0.1',
    "'text'",
    "CAST(X'61006200' AS TEXT)",
    "CAST(X'FF61' AS TEXT)",
    "X'FF6100'",
    "''",
    "X''",
    'NULL',
    '9e999',
    '-0.0',
  ];
  const sql = (turn: number) => names.map((_, place) => values[(place + turn) % values.length]).join(', ');
  source.exec(`INSERT INTO item VALUES (1, ${sql(0)}), (2, ${sql(1)})`);
  const job = start({ structure: true });
  await job.until(() => isIn('live') || isIn('blocked'));
  source.exec(`REPLACE INTO item VALUES (2, ${sql(2)}), (3, ${sql(3)})`);
  const shown = (database: DatabaseSync) => {
    const cells = ['id', ...names].map((name) => `typeof(${name}) || quote(${name}) || hex(${name})`);
    const parts = [cells.slice(0, 1_000), cells.slice(1_000)].map((some) => some.join(', '));
    return parts.map((part) => database.prepare(`SELECT ${part} FROM item ORDER BY id`).all());
  };
  await vi.waitFor(() => expect(shown(target)).toEqual(shown(source)), patience);
});

test('a table is blocked if target triggers would act on its rows, even if they are added later', async () => {
  const schema = 'CREATE TABLE item (id INTEGER PRIMARY KEY, code TEXT)';
  const trigger = "CREATE TRIGGER own AFTER INSERT ON item BEGIN UPDATE item SET code = 'own' WHERE id = NEW.id; END";
  source.exec(`${schema}; INSERT INTO item VALUES (1, 'a')`);
  target.exec(`${schema}; ${trigger}`);
  const job = start({});
  await job.until(() => isIn('live') || isIn('blocked'));
  expect(job.tables().at(-1)?.fault?.code).toBe('TRIGGER_IN_THE_WAY');
  target.exec('DROP TRIGGER own');
  job.send({ kind: 'table', id: 'item', action: 'resync' });
  await job.until(() => isIn('live'));
  expect(rows(target)).toEqual(rows(source));
  target.exec(trigger);
  source.exec("INSERT INTO item VALUES (2, 'b')");
  await job.until(() => isIn('blocked'));
  expect(rows(target)).toEqual([{ id: 1, code: 'a' }]);
});

test('a table recreated at the target while the job runs is copied again by the next process', async () => {
  const schema = 'CREATE TABLE item (id INTEGER PRIMARY KEY, code TEXT)';
  source.exec(`${schema}; INSERT INTO item VALUES (1, 'a'), (2, 'b')`);
  target.exec(schema);
  const wanted = { id: 'canal0123456789a' };
  const job = start(wanted);
  await job.until(() => isIn('live'));
  target.exec(`DROP TABLE item; ${schema}`);
  source.exec("INSERT INTO item VALUES (3, 'c')");
  expect(await job.end()).toMatchObject({ kind: 'failed', fault: { code: 'CONNECTION_LOST', retry: 'timed' } });
  const next = start(wanted);
  await next.until((reports) =>
    reports.some((report) => report.kind === 'event' && /were recreated/.test(report.sentence)),
  );
  await vi.waitFor(() => expect(rows(target)).toEqual(rows(source)), patience);
});

test('rows that only the key index distinguishes are copied as a table without a key', async () => {
  source.exec(`CREATE TABLE item (id TEXT COLLATE NOCASE NOT NULL, PRIMARY KEY (id COLLATE BINARY));
    INSERT INTO item VALUES ('a'), ('A'), ('b')`);
  const job = start({ type: 'MIGRATION' });
  await job.until(() => isIn('done'));
  expect(rows(target)).toEqual(rows(source));
});

test('rows that swap the values of a generated unique column are not parked', async () => {
  const schema = 'CREATE TABLE item (id INTEGER PRIMARY KEY, email TEXT, own TEXT UNIQUE AS (lower(email)))';
  source.exec(`${schema}; INSERT INTO item (id, email) VALUES (1, 'a'), (2, 'b')`);
  target.exec(schema);
  const job = start({});
  await job.until(() => isIn('live'));
  source.exec(`BEGIN; UPDATE item SET email = 'free' WHERE id = 1; UPDATE item SET email = 'A' WHERE id = 2;
    UPDATE item SET email = 'B' WHERE id = 1; COMMIT; INSERT INTO item (id, email) VALUES (3, 'last')`);
  await vi.waitFor(() => expect(rows(target)).toHaveLength(3), patience);
  await vi.waitFor(() => expect(rows(target)).toEqual(rows(source)), patience);
  expect(job.tables().at(-1)?.parked ?? 0).toBe(0);
});

describe.each([
  ['that copies nothing', { initialLoad: false }],
  ['that keeps existing rows', { conflict: 'ignore' }],
] as const)('a job %s', (_, changes) => {
  const schema = 'CREATE TABLE item (id INTEGER PRIMARY KEY, code TEXT UNIQUE)';

  test('leaves a row alone that it does not own and whose unique value the log contains', async () => {
    source.exec(`${schema}; INSERT INTO item VALUES (1, 'a')`);
    target.exec(`${schema}; INSERT INTO item VALUES (1, 'a'), (9, 'x')`);
    const job = start(changes);
    await job.until(() => isIn('live'));
    source.exec("INSERT INTO item VALUES (2, 'x'), (3, 'c')");
    await job.until(() => job.tables().at(-1)?.parked === 1);
    expect(rows(target)).toEqual([
      { id: 1, code: 'a' },
      { id: 3, code: 'c' },
      { id: 9, code: 'x' },
    ]);
    expect(isIn('live')).toBe(true);
  });

  test('parks no row whose unique value another of its rows gives up later', async () => {
    source.exec(`${schema}; INSERT INTO item VALUES (1, 'v 0'), (2, 'v 1'), (3, 'v 2'), (4, 'v 3')`);
    target.exec(`${schema}; INSERT INTO item SELECT 90 + value, 'of others ' || value FROM json_each('[1, 2]')`);
    if ('initialLoad' in changes) target.exec("INSERT INTO item VALUES (1, 'v 0'), (2, 'v 1'), (3, 'v 2'), (4, 'v 3')");
    const job = start(changes);
    await job.until(() => isIn('live'));
    // Values go round; a row read now may meet a value at the target that another row gives up later in the log.
    for (let turn = 1; turn <= 300; turn++) {
      source.exec(`BEGIN; UPDATE item SET code = 'free ' || id;
        UPDATE item SET code = 'v ' || ((id + ${turn}) % 4) WHERE id <> ${(turn % 4) + 1};
        UPDATE item SET code = 'v ' || ((id + ${turn}) % 4); COMMIT`);
      if (turn % 10 === 0) await setImmediate();
    }
    source.exec("INSERT INTO item VALUES (5, 'last')");
    await job.until(() => target.prepare('SELECT id FROM item WHERE id = 5').all().length === 1);
    const own = () => target.prepare('SELECT * FROM item WHERE id < 90').all();
    await vi.waitFor(() => expect(own()).toEqual(rows(source)), patience);
    expect(target.prepare('SELECT count(*) AS n FROM item WHERE id > 90').get()).toEqual({ n: 2 });
    expect(job.tables().at(-1)?.parked ?? 0).toBe(0);
  });
});

describe('beside a table that needs its application', () => {
  const good = 'CREATE TABLE good (id INTEGER PRIMARY KEY, n TEXT)';
  const tables = wholeTables(['good', 'item'], 'main');
  const isGoodLive = () => running?.states()['main.good'] === 'live';
  const goodRows = (database: DatabaseSync) => database.prepare('SELECT * FROM good').all();
  const warnings = (job: JobProcess) =>
    job.reports.flatMap((report) => (report.kind === 'event' && report.level === 'warning' ? [report.sentence] : []));

  beforeEach(() => {
    source.function('regexp', { deterministic: true, varargs: true }, () => 1);
    source.function('myfn', { deterministic: true }, (value) => value);
    source.exec(`${good}; INSERT INTO good VALUES (1, 'a')`);
  });

  test('whose definition needs a function, the others are created and followed', async () => {
    source.exec(
      "CREATE TABLE item (id INTEGER PRIMARY KEY, e TEXT CHECK (e REGEXP 'a')); INSERT INTO item VALUES (1, 'a')",
    );
    const job = start({ tables, structure: true });
    await job.until(() => isGoodLive() && isIn('blocked'));
    expect(job.tables().findLast((table) => table.source === 'main.item')?.fault).toMatchObject({
      code: 'STRUCTURE_REFUSED',
      sentence: expect.stringContaining('it needs the function REGEXP'),
    });
    source.exec("INSERT INTO good VALUES (2, 'b')");
    await vi.waitFor(() => expect(goodRows(target)).toEqual(goodRows(source)), patience);
  });

  test('whose target has such a definition, the others continue', async () => {
    source.exec("CREATE TABLE item (id INTEGER PRIMARY KEY, e TEXT); INSERT INTO item VALUES (1, 'a')");
    target.function('regexp', { deterministic: true, varargs: true }, () => 1);
    target.exec(`${good}; CREATE TABLE item (id INTEGER PRIMARY KEY, e TEXT CHECK (e REGEXP 'a'))`);
    const job = start({ tables });
    await job.until(() => isGoodLive() && isIn('blocked'));
    expect(job.tables().findLast((table) => table.source === 'main.item')?.fault).toMatchObject({
      code: 'STRUCTURE_REFUSED',
      sentence: expect.stringContaining('the function REGEXP'),
    });
    expect(goodRows(target)).toEqual(goodRows(source));
  });

  test('an index over a function, new since the last start, is reported and not created', async () => {
    const wanted = { tables: wholeTables(['good'], 'main'), structure: true, id: 'canal0123456789b' };
    const job = start(wanted);
    await job.until(isGoodLive);
    await job.kill();
    source.exec("CREATE INDEX by_fn ON good (myfn(n)); INSERT INTO good VALUES (2, 'b')");
    const next = start({ ...wanted, hasCheckpoint: true });
    await next.until(() => warnings(next).some((sentence) => /index by_fn needs the function myfn/.test(sentence)));
    await vi.waitFor(() => expect(goodRows(target)).toEqual(goodRows(source)), patience);
  });

  test('since a computed column needs a function, all are copied and followed', async () => {
    source.exec(
      "CREATE TABLE item (id INTEGER PRIMARY KEY, e TEXT, g AS (myfn(e))); INSERT INTO item (id, e) VALUES (1, 'a')",
    );
    target.exec(`${good}; CREATE TABLE item (id INTEGER PRIMARY KEY, e TEXT)`);
    const job = start({ tables });
    await job.until(() => isGoodLive() && isIn('live'));
    source.exec("INSERT INTO item (id, e) VALUES (2, 'b'); INSERT INTO good VALUES (2, 'b')");
    await vi.waitFor(() => {
      expect(rows(target)).toEqual(source.prepare('SELECT id, e FROM item').all());
      expect(goodRows(target)).toEqual(goodRows(source));
    }, patience);
  });
});

test('a row on which the filter fails blocks its table until it is corrected, while the others continue', async () => {
  source.exec(`CREATE TABLE good (id INTEGER PRIMARY KEY); CREATE TABLE item (id INTEGER PRIMARY KEY, doc TEXT);
    INSERT INTO item VALUES (1, '{"a": 1}'), (2, '{"a": 2}')`);
  const [good, item] = wholeTables(['good', 'item'], 'main');
  if (!good || !item) throw new Error('There are two tables.');
  const filtered = { ...item, filter: "json_extract(doc, '$.a') = 1" };
  const wanted = { tables: [good, filtered], structure: true, id: 'canal0123456789c' };
  const job = start(wanted);
  await job.until(() => isIn('live'));
  source.exec("INSERT INTO item VALUES (3, 'not json'); INSERT INTO good VALUES (1)");
  await job.until(() => isIn('blocked'));
  expect(job.tables().findLast((table) => table.source === 'main.item')?.fault).toMatchObject({
    code: 'QUERY_REFUSED',
    sentence: expect.stringContaining('(at the source, table main.item, '),
  });
  const goodIds = () => target.prepare('SELECT id FROM good').all();
  await vi.waitFor(() => expect(goodIds()).toEqual([{ id: 1 }]), patience);
  await job.kill();
  source.exec('INSERT INTO good VALUES (2)');
  const next = start({ ...wanted, hasCheckpoint: true });
  await vi.waitFor(() => expect(goodIds()).toHaveLength(2), patience);
  source.exec(`UPDATE item SET doc = '{"a": 1, "b": 3}' WHERE id = 3`);
  next.send({ kind: 'table', id: 'item', action: 'resume' });
  await next.until(() => isIn('live'));
  await vi.waitFor(() => expect(rows(target)).toEqual(rows(source).filter((_, place) => place !== 1)), patience);
});
