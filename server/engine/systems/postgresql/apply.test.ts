import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { newJob, openSourceDatabase, type SourceDatabase } from '../../../testing/postgres-source.ts';
import { boundTexts } from '../../../testing/rig/messages.ts';
import { startWire, type Verdict } from '../../../testing/rig/wire.ts';
import type { Action, Missing } from '../../batch.ts';
import { type Row, UNCHANGED } from '../../change.ts';
import { EngineError } from '../../errors.ts';
import { compact } from '../../flow/compact.ts';
import { untouchedMark } from '../../handover/table-progress.ts';
import type { Load, Sink } from '../../sink.ts';
import type { Table } from '../../table.ts';
import { openPostgresSink } from './sink.ts';

let db: SourceDatabase;
let sink: Sink;
let job: string;
let epoch: number;

beforeEach(async () => {
  db = await openSourceDatabase(inject('postgresUrl'));
  sink = openPostgresSink(db.settings, db.abort.signal);
  job = newJob();
  ({ epoch } = await sink.takeOver(job));
});

afterEach(async () => {
  await sink.close();
  await db.close();
});

async function table(name: string): Promise<Table> {
  const found = (await sink.catalog(['public'])).find((one) => one.name === name);
  if (!found) throw new Error(`There is no table ${name}.`);
  return found;
}

/** @returns keys of rows that are missing */
async function apply(name: string, actions: Action[], truncate = false): Promise<string[]> {
  const missing: Missing[] = [];
  await sink.apply([compact({ target: await table(name), truncate, actions })], { job, epoch }, (met) => {
    missing.push(...met.missing);
    return {};
  });
  return missing.map(({ key }) => key.join());
}

async function load(name: string, rows: Row[], more: Partial<Load> = {}): Promise<void> {
  const whole: Load = { table: await table(name), rows, absent: [], replace: null, conflict: 'replace', ...more };
  await sink.load(whole, { job, epoch });
}

/** A type, and texts as the server prints them. */
const values: [string, string[]][] = [
  ['smallint', ['-32768']],
  ['numeric', ['NaN', 'Infinity', '-Infinity', '1.10', '-0.00001', '123456789012345678901234567890.5']],
  ['numeric(5,2)', ['123.40']],
  ['real', ['NaN', '-0', '1e-45', 'Infinity']],
  ['double precision', ['5e-324', '-0', '0.30000000000000004']],
  ['boolean', ['t', 'f']],
  ['character varying(3)', ['abc', '']],
  ['character(5)', ['a    ']],
  ['"char"', ['x', '']],
  ['name', ['some name']],
  ['text', ['{"a",NULL}', '\\N', 'NULL', 'tab\tline\nend\\']],
  ['bytea', ['\\x00ff5c', '\\x']],
  ['bit(3)', ['101']],
  ['bit varying', ['', '10']],
  ['date', ['0044-03-15 BC', 'infinity', '12345-01-01']],
  ['timestamp(3) without time zone', ['2026-01-02 03:04:05.678', '-infinity']],
  ['timestamp with time zone', ['2026-01-02 03:04:05.678901+00', '0001-01-01 00:00:00+00 BC']],
  ['time with time zone', ['24:00:00+15:59']],
  ['interval', ['1 year 2 mons -3 days +04:05:06.789', '-00:00:01']],
  ['interval day to second(3)', ['2 days 03:04:05.678']],
  ['money', ['-$1,234.56']],
  ['uuid', ['a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11']],
  ['inet', ['10.0.0.1/8', '::1']],
  ['macaddr8', ['08:00:2b:01:02:03:04:05']],
  ['json', ['{"a": 1,  "a":2}']],
  ['jsonb', ['{"a": 1.10}']],
  ['xml', ['<a>1</a>', 'no <b/> root']],
  ['tsvector', ["'a':1A 'b''c':2"]],
  ['int4range', ['[1,5)', 'empty', '(,)']],
  ['int4multirange', ['{[1,3),[5,7)}']],
  ['point', ['(1.5,-0)']],
  ['integer[]', ['{1,NULL,3}', '[0:1]={1,2}', '{{1},{2}}']],
  ['text[]', ['{"a b",NULL,"NULL","\\"\\\\"}']],
  ['pg_lsn', ['16/B374D848']],
  ['mood', ["it's ok"]],
  ['percent', ['99.50']],
  ['short', ['abc']],
  ['pair', ['(1,"a, ""b""")', '(,)']],
  ['pair[]', ['{"(1,\\"x y\\")"}']],
  ['regclass', ['pg_class']],
];

test('values of every type are written unchanged by chunks, batches and moves', async () => {
  await db.sql(`
    CREATE TYPE mood AS ENUM ('sad', 'it''s ok');
    CREATE DOMAIN percent AS numeric(5,2);
    CREATE DOMAIN short AS varchar(3);
    CREATE TYPE pair AS (a int, b text);
  `);
  await db.sql(
    "SET extra_float_digits = 3; SET TimeZone = 'UTC'; SET lc_monetary = 'C'; SET IntervalStyle = 'postgres'",
  );
  for (const [place, [type, texts]] of values.entries()) {
    const name = `t${place}`;
    const qualified = /^(mood|percent|short|pair)/.test(type) ? `public.${type}` : type;
    await db.sql(`CREATE TABLE ${name} (id int PRIMARY KEY, v ${qualified}, w ${qualified})`);
    const rows = [...texts, null].map((text, id): Row => [String(id), text, text]);
    await load(name, rows);
    await load(name, rows);
    const upserts = rows.map(
      ([id, v, w]): Action => ({ kind: 'upsert', row: [`1${String(id)}`, v ?? null, w ?? null] }),
    );
    const updates = rows.map(([id, v]): Action => ({ kind: 'update', row: [String(id), v ?? null, UNCHANGED] }));
    const moves = rows.map(
      ([id, v]): Action => ({ kind: 'move', from: [`1${String(id)}`], row: [`2${String(id)}`, v ?? null, UNCHANGED] }),
    );
    expect(await apply(name, [...upserts, ...updates])).toEqual([]);
    expect(await apply(name, moves)).toEqual([]);
    const expected = [...texts, null, ...texts, null];
    const found = await db.sql(`SELECT v, w FROM ${name} ORDER BY id`);
    expect(found, type).toEqual(expected.map((text) => [text, text]));
  }
});

test('values that are too long are refused, not truncated', async () => {
  await db.sql(`
    CREATE DOMAIN short AS varchar(3);
    CREATE TABLE t (id int PRIMARY KEY, v varchar(3), d short, b bit(3), c char(2));
  `);
  const long: Row[] = [
    ['1', 'abcd', null, null, null],
    ['1', null, 'abcd', null, null],
    ['1', null, null, '1010', null],
    ['1', null, null, null, 'abc'],
  ];
  for (const row of long) {
    const place = { code: 'VALUE_REFUSED', place: { table: 'public.t' } };
    await expect(apply('t', [{ kind: 'upsert', row }])).rejects.toMatchObject(place);
    await expect(apply('t', [{ kind: 'move', from: ['1'], row: [UNCHANGED, ...row.slice(1)] }])).rejects.toThrow();
    await expect(load('t', [row])).rejects.toMatchObject(place);
  }
});

test('identity and generated columns keep the source values', async () => {
  await db.sql(`
    CREATE TABLE t (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, n int, g int GENERATED ALWAYS AS (n * 2) STORED);
    CREATE TABLE u (k text PRIMARY KEY, n int GENERATED ALWAYS AS IDENTITY, v text);
  `);
  await load('t', [['5', '1', UNCHANGED]]);
  await load('t', [
    ['5', '2', UNCHANGED],
    ['6', '3', UNCHANGED],
  ]);
  await apply('t', [{ kind: 'move', from: ['5'], row: ['9', UNCHANGED, UNCHANGED] }]);
  expect(await db.sql('SELECT * FROM t ORDER BY id')).toEqual([
    ['6', '3', '6'],
    ['9', '2', '4'],
  ]);
  await load('u', [['a', '7', 'x']]);
  await load('u', [
    ['a', '8', 'y'],
    ['b', '9', 'z'],
  ]);
  const missing = await apply('u', [
    { kind: 'upsert', row: ['b', '10', 'new'] },
    { kind: 'update', row: ['a', '11', UNCHANGED] },
    { kind: 'update', row: ['c', '12', UNCHANGED] },
  ]);
  expect(missing).toEqual(['c']);
  expect(await db.sql('SELECT * FROM u ORDER BY k')).toEqual([
    ['a', '11', 'y'],
    ['b', '10', 'new'],
  ]);
  await load(
    'u',
    [
      ['a', '1', 'ignored'],
      ['d', '2', 'new'],
    ],
    { conflict: 'ignore' },
  );
  expect(await db.sql('SELECT k, v FROM u ORDER BY k')).toEqual([
    ['a', 'y'],
    ['b', 'new'],
    ['d', 'new'],
  ]);
});

test('equal keys with different texts find their rows', async () => {
  await db.sql(`
    CREATE SCHEMA other; CREATE EXTENSION citext SCHEMA other;
    CREATE TABLE n (k numeric PRIMARY KEY, v text);
    CREATE TABLE c (k other.citext PRIMARY KEY, v text);
    CREATE TABLE e (k float8, j interval, v text, PRIMARY KEY (k, j));
  `);
  expect((await table('n')).exactKey).toBe(false);
  await load('n', [['1.0', 'a']]);
  await load('c', [['Key', 'a']]);
  await load('e', [['-0', '24:00:00', 'a']]);
  await apply('n', [
    { kind: 'upsert', row: ['1.00', 'b'] },
    { kind: 'update', row: ['1', 'c'] },
  ]);
  await apply('c', [
    { kind: 'upsert', row: ['KEY', 'b'] },
    { kind: 'move', from: ['key'], row: ['kEY', UNCHANGED] },
  ]);
  await apply('e', [{ kind: 'update', row: ['0', '1 day', 'b'] }]);
  expect(await db.sql('SELECT * FROM n')).toEqual([['1', 'c']]);
  expect(await db.sql('SELECT * FROM c')).toEqual([['kEY', 'b']]);
  expect(await db.sql('SELECT * FROM e')).toEqual([['0', '1 day', 'b']]);
  await apply('c', [{ kind: 'delete', key: ['KeY'] }]);
  expect(await db.sql('SELECT * FROM c')).toEqual([]);
});

test('rows that the target key does not distinguish are refused as rows', async () => {
  await db.sql(
    'CREATE SCHEMA other; CREATE EXTENSION citext SCHEMA other; CREATE TABLE c (k other.citext PRIMARY KEY, v text)',
  );
  const target = { ...(await table('c')), exactKey: true };
  const actions: Action[] = ['Key', 'KEY'].map((key) => ({ kind: 'upsert', row: [key, 'a'] }));
  await expect(
    sink.apply([compact({ target, truncate: false, actions })], { job, epoch }, () => ({})),
  ).rejects.toMatchObject({ code: 'UNIQUE_REFUSED', scope: 'row' });
});

test('a deferrable key replaces rows, and defers its check', async () => {
  await db.sql('CREATE TABLE t (id int PRIMARY KEY DEFERRABLE, v text)');
  const target = { ...(await table('t')), key: [0], exactKey: true };
  const write = async (actions: Action[]) =>
    sink.apply([compact({ target, truncate: false, actions })], { job, epoch }, () => ({}));
  await write([
    { kind: 'upsert', row: ['1', 'a'] },
    { kind: 'upsert', row: ['2', 'b'] },
  ]);
  await write([{ kind: 'upsert', row: ['1', 'c'] }]);
  await write([{ kind: 'move', from: ['1'], row: ['2', UNCHANGED] }]);
  await sink.load(
    { table: target, rows: [['2', 'd']], absent: [], replace: null, conflict: 'replace' },
    { job, epoch },
  );
  expect(await db.sql('SELECT * FROM t')).toEqual([['2', 'd']]);
});

test('partitions receive rows through their root, and rows of inheriting children stay untouched', async () => {
  await db.sql(`
    CREATE TABLE p (id int, part int, v text, PRIMARY KEY (id, part)) PARTITION BY LIST (part);
    CREATE TABLE p1 PARTITION OF p FOR VALUES IN (1);
    CREATE TABLE p2 PARTITION OF p FOR VALUES IN (2);
    CREATE TABLE parent (id int PRIMARY KEY, v text);
    CREATE TABLE child () INHERITS (parent);
    INSERT INTO child VALUES (1, 'child');
  `);
  await load('p', [
    ['1', '1', 'a'],
    ['2', '2', 'b'],
  ]);
  await apply('p', [
    { kind: 'move', from: ['1', '1'], row: ['1', '2', UNCHANGED] },
    { kind: 'update', row: ['2', '2', 'c'] },
  ]);
  expect(await db.sql('SELECT * FROM p2 ORDER BY id')).toEqual([
    ['1', '2', 'a'],
    ['2', '2', 'c'],
  ]);
  await apply('p', [{ kind: 'upsert', row: ['3', '1', 'd'] }], true);
  expect(await db.sql('SELECT * FROM p')).toEqual([['3', '1', 'd']]);
  await load('parent', [['1', 'parent']]);
  expect(await apply('parent', [{ kind: 'update', row: ['1', 'new'] }])).toEqual([]);
  await apply('parent', [{ kind: 'delete', key: ['1'] }]);
  await apply('parent', [], true);
  expect(await db.sql('SELECT * FROM parent')).toEqual([['1', 'child']]);
});

test('a truncate empties a table that others reference, and nothing else', async () => {
  await db.sql(`
    CREATE TABLE a (id int PRIMARY KEY);
    CREATE TABLE b (id int PRIMARY KEY, a int REFERENCES a ON DELETE CASCADE);
    INSERT INTO a VALUES (1); INSERT INTO b VALUES (1, 1);
  `);
  await apply('a', [], true);
  expect(await db.sql('SELECT * FROM a')).toEqual([]);
  expect(await db.sql('SELECT * FROM b')).toEqual([['1', '1']]);
});

test('a truncate deletes the rows of a table that another began to reference since it was read', async () => {
  await db.sql('CREATE TABLE a (id int PRIMARY KEY)');
  const target = await table('a');
  const write = (truncate: boolean) =>
    sink.apply([compact({ target, truncate, actions: [{ kind: 'upsert', row: ['2'] }] })], { job, epoch }, () => ({}));
  await load('a', [['1']]);
  await write(false);
  await db.sql('CREATE TABLE b (id int PRIMARY KEY, a int REFERENCES a)');
  await write(true);
  expect(await db.sql('SELECT * FROM a')).toEqual([['2']]);
});

test('a column that is widened keeps its collation', async () => {
  await db.sql(`CREATE SCHEMA "Odd schema"; CREATE COLLATION "Odd schema"."Any case" (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
    CREATE TABLE a (id int PRIMARY KEY, mail varchar(20) COLLATE "Odd schema"."Any case" UNIQUE, note varchar(20), n int)`);
  const types = ['character varying(40)', 'text', 'bigint'];
  const widened = ['mail', 'note', 'n'].map((name, place) => ({
    name,
    type: types[place] ?? '',
    nullable: true,
    generated: false,
  }));
  expect(await sink.alter(await table('a'), { widened, untold: [] })).toBe('done');
  await db.sql(`INSERT INTO a (id, mail) VALUES (1, 'ada@site.example')`);
  const again = db.sql(`INSERT INTO a (id, mail) VALUES (2, 'Ada@site.example')`);
  await expect(again).rejects.toMatchObject({ code: '23505' });
});

test('triggers and foreign keys are disabled for users with the right, and reported for others', async () => {
  const role = await db.role('');
  await db.sql(`
    CREATE TABLE a (id int PRIMARY KEY);
    CREATE TABLE t (id int PRIMARY KEY, a int REFERENCES a, v text);
    CREATE FUNCTION fire() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.v = 'fired'; RETURN NEW; END $$;
    CREATE TRIGGER fire BEFORE INSERT OR UPDATE ON t FOR EACH ROW EXECUTE FUNCTION fire();
    CREATE TABLE hidden (id int PRIMARY KEY); ALTER TABLE hidden ENABLE ROW LEVEL SECURITY;
    CREATE UNLOGGED TABLE light (id int PRIMARY KEY);
    CREATE TABLE always (id int PRIMARY KEY);
    CREATE TRIGGER fire BEFORE INSERT ON always FOR EACH ROW EXECUTE FUNCTION fire();
    ALTER TABLE always ENABLE ALWAYS TRIGGER fire;
    CREATE TABLE ruled (id int PRIMARY KEY);
    CREATE RULE keep AS ON DELETE TO ruled DO INSTEAD NOTHING; ALTER TABLE ruled ENABLE ALWAYS RULE keep;
    CREATE TABLE keyless (id int NOT NULL);
    CREATE TABLE divided (id int PRIMARY KEY) PARTITION BY RANGE (id);
    CREATE UNLOGGED TABLE light_part PARTITION OF divided DEFAULT;
    CREATE TRIGGER own BEFORE INSERT ON light_part FOR EACH ROW EXECUTE FUNCTION fire();
    ALTER TABLE light_part ENABLE ALWAYS TRIGGER own;
  `);
  await apply('t', [{ kind: 'upsert', row: ['1', '7', 'told'] }]);
  await load('t', [['2', '7', 'told']]);
  expect(await db.sql('SELECT v FROM t')).toEqual([['told'], ['told']]);

  const sum = { name: 'sum', type: 'integer', nullable: true, generated: true };
  const tables = (await sink.catalog(['public'])).map((one) => {
    if (one.name === 'ruled') return { ...one, columns: [...one.columns, sum] };
    return one.name === 'keyless' ? { ...one, key: [0] } : one;
  });
  const own = openPostgresSink({ ...db.settings, user: role }, db.abort.signal);
  await db.sql('CREATE SCHEMA "Closed"');
  const creates = ['public', 'Closed', 'not there'].map((schema) => ({ schema, name: 'made' }));
  const faults = async () => (await own.check(tables, creates)).filter(({ result }) => result === 'fault');
  const found = await faults();
  const sentences = found.map(({ sentence }) => sentence).join('\n');
  expect(sentences).toMatch(/Triggers, rules or foreign keys of public.t would act/);
  expect(sentences).toMatch(/Row-level security hides rows of public.hidden/);
  expect(sentences).toMatch(/public.light is UNLOGGED/);
  expect(sentences).toMatch(/trigger fire of public.always/);
  expect(sentences).toMatch(/partition public.light_part of public.divided is UNLOGGED/);
  expect(sentences).toMatch(/trigger own of public.light_part, a partition of public.divided/);
  expect(sentences).toMatch(/foreign keys of public.divided would act/);
  expect(sentences).toMatch(/rule keep of public.ruled/);
  expect(sentences).toMatch(/no unique index on the source's key: id/);
  expect(sentences).toMatch(/lacks SELECT, INSERT, UPDATE, DELETE on public.t/);
  expect(sentences).toMatch(/is not allowed to keep the checkpoint/);
  expect(sentences).toMatch(/is not allowed to create tables in the schema public\./);
  expect(sentences).toMatch(/is not allowed to create tables in the schema Closed\./);
  expect(sentences).toMatch(/is not allowed to create the schema not there\./);
  for (const { sql = '' } of found) await db.sql(sql);
  expect(await faults()).toEqual([]);
  const warnings = (await own.check(tables)).filter(({ result }) => result === 'warning');
  expect(warnings.map(({ sentence }) => sentence).join('\n')).toMatch(
    /ruled has no column sum, which the source computes/,
  );
  ({ epoch } = await own.takeOver(job));
  const batch = compact({
    target: await table('t'),
    truncate: false,
    actions: [{ kind: 'upsert', row: ['3', '7', 'told'] }],
  });
  await own.apply([batch], { job, epoch }, () => ({}));
  expect(await db.sql('SELECT v FROM t WHERE id = 3')).toEqual([['told']]);
  // The checkpoint's tables belong to another role; only their content is removed.
  await own.forget(job);
  expect(await db.sql('SELECT * FROM millrace.millrace_mark')).toEqual([]);
  await own.close();
  // A cluster-wide privilege, so the role could not be dropped while it has it.
  await db.sql(`REVOKE SET ON PARAMETER session_replication_role FROM ${role}`);
});

test('a user who cannot create schemas keeps the checkpoint in an existing one, and leaves it empty', async () => {
  await sink.forget(job);
  const role = await db.role('');
  const own = openPostgresSink({ ...db.settings, user: role }, db.abort.signal);
  const faults = async () => (await own.check([])).filter(({ result }) => result === 'fault');
  for (const { sql = '' } of await faults()) await db.sql(sql);
  expect(await faults()).toEqual([]);
  await own.takeOver(job);
  const made = () =>
    db.sql(`SELECT count(*) FROM pg_class WHERE relnamespace = 'millrace'::regnamespace AND relkind = 'r'`);
  expect(await made()).toEqual([['4']]);
  await own.forget(job);
  expect(await made()).toEqual([['0']]);
  await own.close();
});

test('a table without a key is filled as it is, including duplicate rows', async () => {
  await db.sql('CREATE TABLE t (a int, g int GENERATED ALWAYS AS (a + 1) STORED, b text); INSERT INTO t VALUES (1)');
  async function* rows() {
    for (let part = 0; part < 50; part++) yield Array.from({ length: 100 }, (): Row => ['7', UNCHANGED, 'x\ty']);
  }
  expect(await sink.fill(await table('t'), rows(), { job, epoch })).toBe(5000);
  expect(await db.sql('SELECT a, g, b, count(*) FROM t GROUP BY a, g, b')).toEqual([['7', '8', 'x\ty', '5000']]);
});

test('statements that may take hours have no timeout, and those after them do', async () => {
  await db.sql(`
    CREATE TABLE seen (setting text);
    CREATE FUNCTION look() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN INSERT INTO public.seen SELECT current_setting('statement_timeout'); RETURN NULL; END $$;
    CREATE TABLE t (id int PRIMARY KEY);
    CREATE TRIGGER look AFTER INSERT ON t EXECUTE FUNCTION look();
    ALTER TABLE t ENABLE ALWAYS TRIGGER look;
  `);
  const common = { kind: 'index', phase: 'after', table: 't', exists: false } as const;
  await sink.run({ ...common, sql: 'INSERT INTO public.t VALUES (1)' });
  await load('t', [['2']]);
  const target = await table('t');
  async function* rows() {
    yield [['3']];
  }
  await sink.fill(target, rows(), { job, epoch });
  await load('t', [['4']]);
  expect(await db.sql('SELECT setting FROM seen')).toEqual([['0'], ['10min'], ['0'], ['10min']]);
});

test('rows that the source lacks, and those of an emptied table, are deleted without a timeout', async () => {
  await db.sql(`
    CREATE TABLE seen (event text, setting text);
    CREATE FUNCTION look() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN INSERT INTO public.seen SELECT TG_OP, current_setting('statement_timeout'); RETURN NULL; END $$;
    CREATE TABLE t (id int PRIMARY KEY); INSERT INTO t VALUES (1), (2);
    CREATE TABLE child (id int REFERENCES t);
    CREATE TRIGGER look AFTER INSERT OR DELETE ON t FOR EACH STATEMENT EXECUTE FUNCTION look();
    ALTER TABLE t ENABLE ALWAYS TRIGGER look;
  `);
  const range = { from: null, to: null, after: null, done: false };
  await load('t', [['2'], ['3']], { replace: { range, upTo: null, keep: [] } });
  await apply('t', [{ kind: 'upsert', row: ['4'] }], true);
  const [resync, emptied] = [
    [
      ['DELETE', '0'],
      ['INSERT', '10min'],
    ],
    [
      ['DELETE', '0'],
      ['INSERT', '10min'],
    ],
  ];
  expect(await db.sql('SELECT * FROM seen')).toEqual([...resync, ...emptied]);
  expect(await db.sql('SELECT id FROM t')).toEqual([['4']]);
});

test('errors contain no row values', async () => {
  const marker = 'secret-7391';
  await db.sql(`
    CREATE TABLE t (id text PRIMARY KEY, n int, u text UNIQUE, e text CHECK (e <> '${marker}'), nn text NOT NULL);
    INSERT INTO t VALUES ('0', 1, '${marker}', NULL, '');
  `);
  const rows: Row[] = [
    ['1', marker, null, null, ''],
    ['1', '1', marker, null, ''],
    ['1', '1', null, marker, ''],
    [marker, '1', null, null, null],
  ];
  const codes = ['VALUE_REFUSED', 'UNIQUE_REFUSED', 'CONSTRAINT_REFUSED', 'CONSTRAINT_REFUSED'];
  for (const [place, row] of rows.entries()) {
    for (const work of [() => load('t', [row]), () => apply('t', [{ kind: 'upsert', row }])]) {
      const error = await work().catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(EngineError);
      expect(error).toMatchObject({ code: codes[place], place: { side: 'target', table: 'public.t' } });
      expect(JSON.stringify(error, Object.getOwnPropertyNames(error)) + String(error)).not.toContain(marker);
    }
  }
});

test('chunks of one job load concurrently, and a commit is on disk before it is reported', async () => {
  const role = await db.role('SUPERUSER');
  await db.sql(`ALTER ROLE ${role} SET synchronous_commit = off; CREATE TABLE t (id int PRIMARY KEY)`);
  await db.sql('CREATE TABLE seen (setting text)');
  await db.sql(`
    CREATE FUNCTION look() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN INSERT INTO public.seen SELECT current_setting('synchronous_commit'); RETURN NULL; END $$;
    CREATE TRIGGER look AFTER INSERT ON t EXECUTE FUNCTION look();
    ALTER TABLE t ENABLE ALWAYS TRIGGER look;
  `);
  const own = openPostgresSink({ ...db.settings, user: role }, db.abort.signal);
  const target = await table('t');
  // Another chunk's transaction is still open.
  await db.sql('BEGIN; SELECT FROM millrace.millrace_mark FOR SHARE');
  const chunks = Array.from({ length: 8 }, (_, chunk) => [[String(chunk)]]);
  await Promise.all(
    chunks.map((rows) =>
      own.load(
        { table: target, rows, absent: [], replace: null, conflict: 'replace' },
        { job, epoch, tables: new Map([['t', { ...untouchedMark, state: 'copying' }]]) },
      ),
    ),
  );
  await db.sql('COMMIT');
  expect(await db.sql('SELECT count(*) FROM t')).toEqual([['8']]);
  expect(await db.sql('SELECT DISTINCT setting FROM seen')).toEqual([['on']]);
  await own.close();
});

test("a resync in another collation's order keeps its rows, and keys come in the target's order", async () => {
  await db.sql(
    'CREATE TABLE t (id text COLLATE "en-US-x-icu" PRIMARY KEY, v text); CREATE TABLE n (id int PRIMARY KEY)',
  );
  expect([(await table('t')).ordered, (await table('n')).ordered]).toEqual([false, true]);
  const inSource = ['B', 'D', 'a', 'c'];
  for (const [place, id] of inSource.entries()) {
    const before = inSource[place - 1];
    const range = { from: null, to: null, after: before === undefined ? null : [before], done: false };
    await load('t', [[id, 'x']], { replace: { range, upTo: place === 3 ? null : [id], keep: [] } });
  }
  expect(await sink.keys(await table('t'), null, 3)).toEqual([['a'], ['B'], ['c']]);
  expect(await sink.keys(await table('t'), ['c'], 3)).toEqual([['D']]);
});

test('types that each server sorts in its own way have no common order', async () => {
  await db.sql(`
    CREATE EXTENSION citext; CREATE TYPE mood AS ENUM ('b', 'a'); CREATE DOMAIN short AS varchar(3);
    CREATE DOMAIN amount AS int`);
  const order = { uuid: true, numeric: true, amount: true, 'timestamp with time zone': true, bytea: true };
  const none = ['text', 'varchar(3)', 'char(3)', 'name', 'citext', 'mood', 'short', 'jsonb', 'text[]', 'mood[]'];
  for (const [type, isOrdered] of [...Object.entries(order), ...none.map((one) => [one, false] as const)]) {
    await db.sql(`DROP TABLE IF EXISTS o; CREATE TABLE o (i int, k ${type}, PRIMARY KEY (i, k))`);
    expect([type, (await table('o')).ordered]).toEqual([type, isOrdered]);
  }
});

test.each(['the engine', 'somebody else'])(
  'after %s creates a unique index, rows are written in log order',
  async (who) => {
    await db.sql("CREATE TABLE t (id int PRIMARY KEY, code text); INSERT INTO t VALUES (1, 'a'), (2, 'b')");
    const target = await table('t');
    const swapped = (one: string, two: string): Promise<void> => {
      const actions: Action[] = [
        { kind: 'upsert', row: ['1', null] },
        { kind: 'upsert', row: ['2', two] },
        { kind: 'upsert', row: ['1', one] },
      ];
      return sink.apply([compact({ target, truncate: false, actions })], { job, epoch }, () => ({}));
    };
    await swapped('a', 'b');
    const index = 'CREATE UNIQUE INDEX ON public.t (code)';
    if (who === 'somebody else') await db.sql(index);
    else await sink.run({ kind: 'index', phase: 'after', table: 'public.t', sql: index, exists: false });
    await swapped('b', 'a');
    expect(await db.sql('SELECT * FROM t ORDER BY id')).toEqual([
      ['1', 'b'],
      ['2', 'a'],
    ]);
    await expect(swapped('x', 'x')).rejects.toMatchObject({ code: 'UNIQUE_REFUSED' });
  },
);

test('a unique index created while a batch inspects its tables undoes nothing in the others', async () => {
  await db.sql(`
    CREATE TABLE swapped (id int PRIMARY KEY, code text); CREATE TABLE other (LIKE swapped INCLUDING ALL);
    CREATE TABLE late (LIKE swapped INCLUDING ALL); INSERT INTO swapped VALUES (1, 'a'), (2, 'b')`);
  const upserts = async (name: string, ...rows: Row[]) =>
    compact({
      target: await table(name),
      truncate: false,
      actions: rows.map((row) => ({ kind: 'upsert', row })),
    });
  const held = Promise.withResolvers<(verdict: Verdict) => void>();
  let isHeld = false;
  const wire = await startWire(db.settings, ({ message }) => {
    if (isHeld || message.kind !== 'B' || boundTexts(message.body)[1] !== 'late') return 'pass';
    isHeld = true;
    const { promise, resolve } = Promise.withResolvers<Verdict>();
    held.resolve(resolve);
    return promise;
  });
  const own = openPostgresSink({ ...db.settings, port: wire.port }, db.abort.signal);
  try {
    await own.apply([await upserts('swapped', ['1', 'a'])], { job, epoch }, () => ({}));
    const batches = [
      await upserts('swapped', ['1', null], ['2', 'a'], ['1', 'b']),
      // Several statements, one after the other.
      await upserts('other', ['1', 'kept'], ['2', UNCHANGED], ['3', 'kept'], ['4', UNCHANGED]),
      await upserts('late', ['1', 'kept']),
    ];
    const applied = own.apply(batches, { job, epoch }, () => ({}));
    const goOn = await held.promise;
    const sql = 'CREATE UNIQUE INDEX ON public.swapped (code)';
    await own.run({ kind: 'index', phase: 'after', table: 'public.swapped', sql, exists: false });
    goOn('pass');
    await applied;
  } finally {
    await own.close();
    await wire.close();
  }
  expect(await db.sql('SELECT * FROM swapped ORDER BY id')).toEqual([
    ['1', 'b'],
    ['2', 'a'],
  ]);
  expect(await db.sql('SELECT (SELECT count(*) FROM other), (SELECT count(*) FROM late)')).toEqual([['4', '1']]);
});

test('a cast function from text has no effect: values are read as their type reads them', async () => {
  await db.sql(`
    CREATE TYPE public.size AS ENUM ('s', 'm', 'l');
    CREATE FUNCTION public.size_of(text) RETURNS public.size LANGUAGE sql AS $$ SELECT 's'::public.size $$;
    CREATE CAST (text AS public.size) WITH FUNCTION public.size_of(text);
    CREATE DOMAIN public.fitting AS public.size;
    CREATE TABLE public.shirt (id public.size PRIMARY KEY, fits public.fitting, made regclass, of regclass)`);
  const rows: Row[] = [
    ['m', 'l', '-', 'pg_class'],
    ['l', 'm', '4711', null],
  ];
  await load('shirt', rows.slice(0, 1));
  await apply('shirt', [{ kind: 'upsert', row: rows[1] ?? [] }]);
  await apply('shirt', [{ kind: 'update', row: ['m', 'm', 'pg_class', UNCHANGED] }]);
  await apply('shirt', [{ kind: 'move', from: ['l'], row: ['s', 'l', UNCHANGED, '-'] }]);
  expect(
    await db.sql('SELECT id::text, fits::text, made::oid::regclass::text, of::text FROM public.shirt ORDER BY id'),
  ).toEqual([
    ['m', 'm', 'pg_class', 'pg_class'],
    ['s', 'l', '4711', '-'],
  ]);
});

test.each([
  ['an object that the target lacks', { of: 'nobodys_table' }, '42P01', 'VALUE_REFUSED'],
  ['a role that the target lacks', { role: 'nobody_here' }, '42704', 'VALUE_REFUSED'],
  ['a schema that the target lacks', { space: 'nowhere' }, '3F000', 'VALUE_REFUSED'],
  ['a value for which a constraint function raises an error', { v: 'raise' }, 'P0001', 'CONSTRAINT_REFUSED'],
])('%s is refused with its row', async (_what, cells: Record<string, string>, state, code) => {
  await db.sql(`
    CREATE FUNCTION public.looks(text) RETURNS boolean IMMUTABLE LANGUAGE plpgsql AS $$
      BEGIN IF $1 = 'raise' THEN RAISE EXCEPTION 'MARKER'; END IF; RETURN true; END $$;
    CREATE TABLE public.named (id int PRIMARY KEY, of regclass, role regrole, space regnamespace, v text CHECK (public.looks(v)))`);
  const names = (await table('named')).columns.map(({ name }) => name);
  const row: Row = ['1', ...names.slice(1).map((name) => cells[name] ?? null)];
  const refused = { code, scope: 'row', place: { state, table: 'public.named' } };
  await expect(apply('named', [{ kind: 'upsert', row }])).rejects.toMatchObject(refused);
  await expect(load('named', [row])).rejects.toMatchObject(refused);
});

test('a dropped table is reported as missing, whatever its rows refer to', async () => {
  await db.sql('CREATE TABLE public.gone (id int PRIMARY KEY, of regclass)');
  const known = await table('gone');
  const batch = (truncate: boolean) =>
    compact({ target: known, truncate, actions: [{ kind: 'upsert', row: ['1', 'pg_class'] }] });
  await sink.apply([batch(true)], { job, epoch }, () => ({}));
  await db.sql('DROP TABLE public.gone');
  for (const truncate of [true, false])
    await expect(sink.apply([batch(truncate)], { job, epoch }, () => ({}))).rejects.toMatchObject({
      code: 'TABLE_MISSING',
    });
});
