import pg from 'pg';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { JobProcess } from '../testing/job-process.ts';
import { jobSpec, postgresSide, wholeTables } from '../testing/job-spec.ts';
import { createDatabase, dropSlots } from '../testing/postgres.ts';
import { settingsOf } from '../testing/postgres-source.ts';
import { type JobSpec, targetColumn } from './job.ts';

/** Tables whose structure asks more of the target than columns of common types. */

let urls: readonly [string, string];
let source: pg.Client;
let target: pg.Client;
let spec: JobSpec;
let running: JobProcess | undefined;

beforeEach(async () => {
  const server = inject('postgresUrl');
  urls = [await createDatabase(server), await createDatabase(server)];
  [source, target] = [new pg.Client(urls[0]), new pg.Client(urls[1])];
  await Promise.all([source.connect(), target.connect()]);
});

afterEach(async () => {
  await running?.kill();
  running = undefined;
  await dropSlots(async (sql) => (await source.query(sql)).rows);
  await Promise.all([source.end(), target.end()]);
});

async function start(names: readonly string[], besides: Partial<JobSpec['tables'][number]> = {}): Promise<void> {
  const tables = wholeTables(names).map((table) => ({ ...table, ...besides }));
  spec = { ...jobSpec({ source: postgresSide(urls[0]), target: postgresSide(urls[1]), tables }) };
  running = new JobProcess(spec);
}

async function restart(): Promise<void> {
  await running?.kill();
  running = new JobProcess(spec);
}

const lastReport = (name: string) => running?.tables().findLast(({ source }) => source === `public.${name}`);

/** Waits until a table is live, has no parked rows, and these of its columns are the same on both sides. */
async function untilSame(name: string, columns: readonly string[]): Promise<void> {
  const selection = spec.tables.find((table) => table.name === name);
  if (!selection) throw new Error(`The job has no table ${name}.`);
  const rows = async (database: pg.Client, names: readonly string[]) => {
    const list = names.map((one) => `"${one}"::text`).join(" || ',' || ");
    // A column that the target is about to get is not there yet.
    const found = await database.query(`SELECT ${list} AS row FROM ${name} ORDER BY 1`).catch(() => undefined);
    return found?.rows.map(({ row }) => row);
  };
  const both = async () => [
    await rows(source, columns),
    await rows(
      target,
      columns.map((column) => targetColumn(selection, column)),
    ),
  ];
  for (;;) {
    const [one, other] = await both();
    const table = lastReport(name);
    if (table?.state === 'live' && table.parked === 0 && JSON.stringify(one) === JSON.stringify(other)) return;
    if (running?.isIdle) expect([table?.state, table?.fault, table?.parked, other]).toEqual(['live', null, 0, one]);
    const told = running?.reports.length ?? 0;
    await running?.until((reports) => reports.length > told);
  }
}

/** The code of a table's last fault, which may come after other tables are followed. */
const faultOf = (name: string) => lastReport(name)?.fault?.code;

test('a key column is refused only if the target could treat different keys as equal', async () => {
  const refused = ['folded', 'padded', 'valued', 'labelled', 'several', 'indexed'];
  await source.query(`CREATE TABLE folded (k text PRIMARY KEY); INSERT INTO folded VALUES ('a'), ('A');
    CREATE TABLE padded (k varchar(5) PRIMARY KEY); INSERT INTO padded VALUES ('a'), ('a ');
    CREATE TABLE valued (k text PRIMARY KEY); INSERT INTO valued VALUES ('1'), ('1.0');
    CREATE TABLE spelt (k uuid PRIMARY KEY); INSERT INTO spelt VALUES (gen_random_uuid());
    CREATE TABLE longer (k varchar(5) PRIMARY KEY); INSERT INTO longer VALUES ('a'), ('a ');
    CREATE TYPE mood AS ENUM ('a', 'A'); CREATE TABLE labelled (k mood PRIMARY KEY);
    CREATE TABLE several (k text[] PRIMARY KEY); CREATE TABLE indexed (k text PRIMARY KEY)`);
  await target.query(`CREATE EXTENSION citext; CREATE TABLE folded (k citext PRIMARY KEY);
    CREATE TABLE padded (k char(5) PRIMARY KEY); CREATE TABLE valued (k numeric PRIMARY KEY);
    CREATE TABLE spelt (k text PRIMARY KEY); CREATE TABLE longer (k text PRIMARY KEY);
    CREATE TABLE labelled (k citext PRIMARY KEY); CREATE TABLE several (k citext[] PRIMARY KEY);
    CREATE COLLATION folding (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
    CREATE TABLE indexed (k text NOT NULL); CREATE UNIQUE INDEX ON indexed (k COLLATE folding)`);
  await start([...refused, 'spelt', 'longer']);
  for (const name of ['spelt', 'longer']) await untilSame(name, ['k']);
  const faults = running?.tables().flatMap(({ source: name, fault }) => (fault ? [[name, fault.code]] : []));
  expect(faults).toEqual(refused.map((name) => [`public.${name}`, 'KEY_COMPARED_OTHERWISE']));
});

test('partitions, indexes and keys that need more than their table are created and followed', async () => {
  await source.query(`CREATE SCHEMA apart; CREATE EXTENSION pg_trgm;
    CREATE TABLE divided (id int PRIMARY KEY) PARTITION BY RANGE (id);
    CREATE TABLE apart.divided_1 PARTITION OF divided FOR VALUES FROM (0) TO (100); INSERT INTO divided VALUES (1);
    CREATE TABLE indexed (id int PRIMARY KEY, words text); CREATE INDEX words ON indexed USING gin (words gin_trgm_ops);
    CREATE INDEX plain ON indexed (words); INSERT INTO indexed VALUES (1, 'some words');
    CREATE EXTENSION "uuid-ossp"; CREATE TABLE drawn (id uuid PRIMARY KEY DEFAULT uuid_generate_v4(), n int);
    INSERT INTO drawn (n) VALUES (1);
    CREATE TABLE identified (id int NOT NULL, n int); CREATE UNIQUE INDEX identity ON identified (id) INCLUDE (n);
    ALTER TABLE identified REPLICA IDENTITY USING INDEX identity; INSERT INTO identified VALUES (1, 1)`);
  await start(['divided', 'indexed', 'drawn', 'identified']);
  await untilSame('drawn', ['id', 'n']);
  await untilSame('divided', ['id']);
  await untilSame('indexed', ['id', 'words']);
  await source.query(`CREATE SCHEMA later; CREATE TABLE later.divided_2 PARTITION OF divided FOR VALUES FROM (100) TO (200);
    INSERT INTO divided VALUES (101); UPDATE identified SET n = 2; UPDATE indexed SET words = 'other words'`);
  await untilSame('divided', ['id']);
  await untilSame('indexed', ['id', 'words']);
  await untilSame('identified', ['id', 'n']);
  // Each is created while rows are written, at its own time.
  const made = async () =>
    (await target.query("SELECT to_regclass('plain') AS plain, to_regclass('words') AS words")).rows;
  await expect.poll(made).toEqual([{ plain: 'plain', words: 'words' }]);
});

test('a type that the target cannot get keeps out only the tables that use it', async () => {
  const role = `maker_${Date.now()}`;
  await source.query(`CREATE EXTENSION earthdistance CASCADE;
    CREATE TABLE placed (id int PRIMARY KEY, at earth); INSERT INTO placed VALUES (1, ll_to_earth(1, 2));
    CREATE TABLE plain (id int PRIMARY KEY); INSERT INTO plain VALUES (1)`);
  // Only a superuser may create this extension.
  await target.query(`CREATE ROLE ${role} LOGIN; GRANT ALL ON SCHEMA public TO ${role};
    DO $$ BEGIN EXECUTE format('GRANT CREATE ON DATABASE %I TO ${role}', current_database()); END $$`);
  spec = jobSpec({
    source: postgresSide(urls[0]),
    target: { ...postgresSide(urls[1]), settings: { ...settingsOf(urls[1]), user: role } },
    tables: wholeTables(['placed']),
  });
  running = new JobProcess(spec);
  expect(await running.end()).toMatchObject({ kind: 'failed', fault: { code: 'PRIVILEGE_MISSING' } });
  spec = { ...spec, tables: wholeTables(['placed', 'plain']) };
  running = new JobProcess(spec);
  await untilSame('plain', ['id']);
  const placed = running.tables().filter(({ source: name }) => name === 'public.placed');
  expect(placed).toMatchObject([{ state: 'blocked', fault: { code: 'STRUCTURE_REFUSED' } }]);
  const events = running.reports.flatMap((report) => (report.kind === 'event' ? [report] : []));
  expect(events).toContainEqual(
    expect.objectContaining({
      table: null,
      sentence: expect.stringMatching(
        /^The target refuses the extension earthdistance: The user lacks .* it names the privilege/,
      ),
    }),
  );
  await target.query('CREATE EXTENSION earthdistance CASCADE');
  await source.query('INSERT INTO placed VALUES (2, ll_to_earth(3, 4))');
  await restart();
  await untilSame('placed', ['id', 'at']);
});

test('an unusable key or refused structure at the target affects only its own table', async () => {
  await source.query(`CREATE OPERATOR === (FUNCTION = int4eq, LEFTARG = int, RIGHTARG = int);
    CREATE TABLE deferred (id int PRIMARY KEY, n int); INSERT INTO deferred VALUES (1, 1);
    CREATE TABLE keyless (id int PRIMARY KEY); INSERT INTO keyless VALUES (1);
    CREATE TABLE checked (id int PRIMARY KEY, CHECK (id === id)); INSERT INTO checked VALUES (1)`);
  await target.query(`CREATE TABLE deferred (id int PRIMARY KEY DEFERRABLE, n int);
    CREATE TABLE keyless (id int); INSERT INTO keyless VALUES (7), (7)`);
  await start(['deferred', 'keyless', 'checked']);
  await untilSame('checked', ['id']);
  await untilSame('deferred', ['id', 'n']);
  await source.query('UPDATE deferred SET n = 2; INSERT INTO checked VALUES (2)');
  await untilSame('deferred', ['id', 'n']);
  await untilSame('checked', ['id']);
  await expect.poll(() => faultOf('keyless')).toBe('TABLE_WITHOUT_KEY');
});

test.each(['STRUCT_MIGRATION', 'MIGRATION', 'SYNC'] as const)(
  'a job of type %s says what has the name of a table and is none',
  async (type) => {
    const kinds = {
      seen: 'a view',
      kept: 'a materialized view',
      outside: 'a foreign table',
      counted: 'a sequence',
      part: 'a partition of public.whole',
    };
    for (const name of [...Object.keys(kinds), 'plain'])
      await source.query(`CREATE TABLE ${name} (id serial PRIMARY KEY, n int); INSERT INTO ${name} VALUES (1, 1)`);
    await target.query(`CREATE VIEW seen AS SELECT 1 AS id; CREATE MATERIALIZED VIEW kept AS SELECT 1 AS id;
      CREATE FOREIGN DATA WRAPPER away; CREATE SERVER away FOREIGN DATA WRAPPER away;
      CREATE FOREIGN TABLE outside (id int) SERVER away; CREATE SEQUENCE counted;
      CREATE TABLE whole (id int PRIMARY KEY) PARTITION BY RANGE (id); CREATE TABLE part PARTITION OF whole DEFAULT`);
    const tables = wholeTables([...Object.keys(kinds), 'plain']);
    spec = jobSpec({ source: postgresSide(urls[0]), target: postgresSide(urls[1]), tables, type });
    running = new JobProcess(spec);
    const sentenceOf = (name: string, what: string) => expect.stringContaining(`table public.${name}, ${what})`);
    if (type === 'SYNC') {
      await untilSame('plain', ['id', 'n']);
      const faults = running.tables().flatMap(({ fault }) => (fault ? [[fault.code, fault.sentence]] : []));
      expect(faults).toEqual(Object.entries(kinds).map(([name, what]) => ['NOT_A_TABLE', sentenceOf(name, what)]));
    } else {
      const fault = expect.objectContaining({ code: 'NOT_A_TABLE', sentence: sentenceOf('seen', 'a view') });
      expect(await running.end()).toEqual({ kind: 'failed', fault });
    }
  },
);

test('a table that gives its name to a view waits, and goes on once it has the name again', async () => {
  await source.query('CREATE TABLE item (id int PRIMARY KEY, n int); INSERT INTO item VALUES (1, 1)');
  await start(['item']);
  await untilSame('item', ['id', 'n']);
  await target.query('ALTER TABLE item RENAME TO item_2; CREATE VIEW item AS SELECT * FROM item_2');
  const fault = () => running?.tables().find((table) => table.fault)?.fault;
  await running?.until(() => fault() !== undefined);
  expect(fault()).toMatchObject({ code: 'NOT_A_TABLE', sentence: expect.stringContaining('a view') });
  await source.query('INSERT INTO item VALUES (2, 2)');
  await target.query('DROP VIEW item; ALTER TABLE item_2 RENAME TO item');
  const id = running?.tables().at(-1)?.id ?? '';
  running?.send({ kind: 'table', id, action: 'resync' });
  await untilSame('item', ['id', 'n']);
});

test('an added column with its own type or sequence, or without a default, is followed', async () => {
  await source.query(`CREATE TABLE typed (id int PRIMARY KEY); INSERT INTO typed VALUES (1);
    CREATE TABLE counted (id int PRIMARY KEY); INSERT INTO counted VALUES (1), (2);
    CREATE TABLE bare (id int PRIMARY KEY); INSERT INTO bare VALUES (1), (2)`);
  await start(['typed', 'counted', 'bare']);
  for (const name of ['typed', 'counted', 'bare']) await untilSame(name, ['id']);
  await source.query(`CREATE SCHEMA own; CREATE TYPE own.mood AS ENUM ('a', 'b');
    ALTER TABLE typed ADD mood own.mood NOT NULL DEFAULT 'b'; ALTER TABLE counted ADD number serial`);
  await source.query(
    'BEGIN; ALTER TABLE bare ADD m int DEFAULT 4 NOT NULL; ALTER TABLE bare ALTER m DROP DEFAULT; COMMIT',
  );
  const all = async () => {
    await untilSame('typed', ['id', 'mood']);
    await untilSame('counted', ['id', 'number']);
    await untilSame('bare', ['id', 'm']);
  };
  await all();
  await restart();
  await source.query(
    "INSERT INTO typed VALUES (3, 'a'); INSERT INTO counted VALUES (3); INSERT INTO bare VALUES (3, 3)",
  );
  await all();
});

test('a primary key that the log does not contain is not asked for again', async () => {
  await source.query('CREATE TABLE item (id int PRIMARY KEY); ALTER TABLE item REPLICA IDENTITY NOTHING');
  await start(['item']);
  const hint = expect.stringContaining("If it has a primary key, the job's check says why");
  expect(await running?.end()).toMatchObject({ kind: 'failed', fault: { code: 'TABLE_WITHOUT_KEY', hint } });
});

test('a large row is named before it is written', async () => {
  await source.query('CREATE TABLE item (id int PRIMARY KEY, v text)');
  await start(['item']);
  await untilSame('item', ['id']);
  await source.query("INSERT INTO item VALUES (1, repeat('x', 33 * 1024 * 1024))");
  await untilSame('item', ['id', 'v']);
  const told = running?.reports.filter((report) => report.kind === 'event' && report.level === 'warning');
  expect(told).toEqual([
    expect.objectContaining({ table: 'public.item', sentence: expect.stringContaining('A row of 33 MB') }),
  ]);
});

test.each([
  ['int', 'text'],
  ['text', 'text'],
])('rows of a table whose columns exchanged their names wait: %s and %s', async (one, other) => {
  await source.query(
    `CREATE TABLE item (id int PRIMARY KEY, a ${one}, b ${other}); INSERT INTO item VALUES (1, 1, 'b')`,
  );
  await start(['item']);
  await untilSame('item', ['id', 'a', 'b']);
  await source.query(`BEGIN; ALTER TABLE item RENAME a TO c; ALTER TABLE item RENAME b TO a;
    ALTER TABLE item RENAME c TO b; INSERT INTO item (id, a, b) VALUES (2, 'text', 7); COMMIT`);
  const told = () => running?.tables().at(-1);
  await running?.until(() => told()?.state === 'blocked');
  expect(told()).toMatchObject({ parked: 0, fault: { code: 'TABLE_CHANGED' } });
  expect(told()?.fault?.sentence).toContain('column a is now named b');
  expect((await target.query('SELECT id FROM item')).rows).toEqual([{ id: 1 }]);
  await target.query('ALTER TABLE item RENAME a TO c; ALTER TABLE item RENAME b TO a; ALTER TABLE item RENAME c TO b');
  running?.send({ kind: 'table', id: told()?.id ?? '', action: 'resync' });
  await untilSame('item', ['id', 'a', 'b']);
});

test('a column that is dropped and recreated within a transaction is copied again', async () => {
  await source.query("CREATE TABLE item (id int PRIMARY KEY, a int, b text); INSERT INTO item VALUES (1, 1, 'b')");
  await start(['item']);
  await untilSame('item', ['id', 'a', 'b']);
  await source.query(`BEGIN; ALTER TABLE item DROP a; ALTER TABLE item ADD a int DEFAULT 5;
    INSERT INTO item (id, a, b) VALUES (2, 7, 'b'); COMMIT`);
  await untilSame('item', ['id', 'a', 'b']);
});

test('columns in upper case at the target are followed when dropped or widened', async () => {
  await source.query(`CREATE TABLE item (id int PRIMARY KEY, gone int NOT NULL, wide int);
    INSERT INTO item VALUES (1, 1, 1)`);
  await start(['item'], { letters: 'upper' });
  await untilSame('item', ['id', 'gone', 'wide']);
  await source.query('ALTER TABLE item DROP gone; INSERT INTO item VALUES (2, 2)');
  await untilSame('item', ['id', 'wide']);
  await source.query('ALTER TABLE item ALTER wide TYPE bigint; INSERT INTO item VALUES (3, 30000000000)');
  await untilSame('item', ['id', 'wide']);
});

test('objects that only the source has are created before its tables, or left out of them', async () => {
  await source.query(`CREATE OPERATOR === (FUNCTION = int4eq, LEFTARG = int, RIGHTARG = int);
    CREATE FUNCTION small(int) RETURNS bool IMMUTABLE LANGUAGE sql AS 'SELECT $1 < 10';
    CREATE TYPE mood AS ENUM ('a', 'b'); CREATE SEQUENCE one; CREATE SEQUENCE other; CREATE SEQUENCE "Third";
    CREATE DOMAIN limited AS int DEFAULT nextval('one') CONSTRAINT own CHECK (small(value)) CONSTRAINT common CHECK (value > 0);
    CREATE COLLATION folding (provider = icu, locale = 'und'); CREATE COLLATION further (provider = icu, locale = 'de');
    CREATE TYPE pair AS (a text COLLATE folding);
    CREATE TABLE operated (id int PRIMARY KEY, n bool DEFAULT (1 === 1)); INSERT INTO operated VALUES (1);
    CREATE TABLE cast_only (id int PRIMARY KEY, n text DEFAULT 'a'::mood::text); INSERT INTO cast_only VALUES (1);
    CREATE TABLE limits (id int PRIMARY KEY, n limited); INSERT INTO limits VALUES (1, 7), (2, 3);
    ALTER DOMAIN limited ADD CONSTRAINT late CHECK (value > 5) NOT VALID;
    CREATE TABLE paired (id int PRIMARY KEY, n pair); INSERT INTO paired VALUES (1, ROW('x'));
    CREATE TABLE sorted (id int PRIMARY KEY, n text); CREATE INDEX by_further ON sorted (n COLLATE further); INSERT INTO sorted VALUES (1, 'x');
    CREATE TABLE summed (id int PRIMARY KEY, n int DEFAULT nextval('one') + nextval('other')); INSERT INTO summed VALUES (1);
    CREATE TABLE lettered (id int PRIMARY KEY, n text DEFAULT 'A' || nextval('"Third"')); INSERT INTO lettered VALUES (1)`);
  const names = ['operated', 'cast_only', 'limits', 'paired', 'sorted', 'summed', 'lettered'];
  await start(names);
  for (const name of names) await untilSame(name, ['id', 'n']);
  const index = async () => (await target.query("SELECT to_regclass('by_further') AS name")).rows;
  await expect.poll(index).toEqual([{ name: 'by_further' }]);
  await expect(target.query('INSERT INTO limits VALUES (9, -1)')).rejects.toThrow('common');
  const isCounted = async () => (await target.query('SELECT is_called FROM "Third"')).rows;
  await expect.poll(isCounted).toEqual([{ is_called: true }]);
  await target.query('INSERT INTO lettered (id) VALUES (9)');
  expect((await target.query('SELECT n FROM lettered WHERE id = 9')).rows).toEqual([{ n: 'A2' }]);
});

test('a nextval default names the sequence in the schema of its table at the target', async () => {
  await source.query(`CREATE SCHEMA here; CREATE SEQUENCE here.number START 5;
    CREATE TABLE here.lettered (id int PRIMARY KEY, n text DEFAULT 'A' || nextval('here.number')); INSERT INTO here.lettered VALUES (1)`);
  const tables = wholeTables(['lettered'], 'here', 'there');
  running = new JobProcess(jobSpec({ source: postgresSide(urls[0]), target: postgresSide(urls[1]), tables }));
  await running.until(() => running?.tables().findLast((table) => table.source === 'here.lettered')?.state === 'live');
  const isCounted = async () => (await target.query('SELECT is_called FROM there.number')).rows;
  await expect.poll(isCounted).toEqual([{ is_called: true }]);
  await target.query('INSERT INTO there.lettered (id) VALUES (2)');
  expect((await target.query('SELECT n FROM there.lettered ORDER BY id')).rows).toEqual([{ n: 'A5' }, { n: 'A6' }]);
});

test('a table under another name gets a sequence of its own, and leaves that of its namesake alone', async () => {
  await source.query(`CREATE TABLE ordered (id serial PRIMARY KEY, n int);
    INSERT INTO ordered (n) SELECT i FROM generate_series(1, 7) AS i;
    CREATE TABLE ordered_2025 (LIKE ordered INCLUDING ALL)`);
  await target.query('CREATE TABLE ordered (id serial PRIMARY KEY, n int); INSERT INTO ordered (n) VALUES (1)');
  await start(['ordered'], { target: { schema: 'public', name: 'ordered_copy' } });
  await running?.until(() => running?.tables().at(-1)?.state === 'live');
  const next = async (table: string) =>
    (await target.query(`INSERT INTO ${table} (n) VALUES (0) RETURNING id`)).rows[0];
  const last = () =>
    target.query(`SELECT last_value FROM pg_sequences WHERE sequencename LIKE 'ordered\\_id\\_seq\\_%'`);
  await expect.poll(async () => (await last()).rows).toEqual([{ last_value: '7' }]);
  expect([await next('ordered'), await next('ordered_copy')]).toEqual([{ id: 2 }, { id: 8 }]);
  await running?.kill();
  await target.query('DROP TABLE ordered_copy');
  expect(await next('ordered')).toEqual({ id: 3 });
});

test('a generated column that the target cannot compute is left out, and its table continues', async () => {
  await source.query(`CREATE TABLE priced (id int PRIMARY KEY, net int, tax int,
      gross int GENERATED ALWAYS AS (net + tax) STORED, twice int GENERATED ALWAYS AS (net * 2) STORED);
    INSERT INTO priced VALUES (1, 1, 1)`);
  await start(['priced'], { columns: ['id', 'net', 'gross', 'twice'] });
  await untilSame('priced', ['id', 'net', 'twice']);
  await source.query('INSERT INTO priced VALUES (2, 2, 2)');
  await untilSame('priced', ['id', 'net', 'twice']);
  const columns = (await target.query('SELECT * FROM priced')).fields.map(({ name }) => name);
  expect(columns).toEqual(['id', 'net', 'twice']);
});

test('a column named millrace_place and a foreign key that sets only some columns are replicated', async () => {
  await source.query(`CREATE TABLE placed (id int PRIMARY KEY, millrace_place int, n text); INSERT INTO placed VALUES (1, 1, 'x');
    ALTER TABLE placed ALTER n SET STORAGE EXTERNAL; UPDATE placed SET n = repeat('x', 9000);
    CREATE TABLE parent (a int, b int, PRIMARY KEY (a, b)); INSERT INTO parent VALUES (1, 1);
    CREATE TABLE child (id int PRIMARY KEY, a int, b int,
      FOREIGN KEY (a, b) REFERENCES parent ON DELETE SET NULL (b)); INSERT INTO child VALUES (1, 1, 1)`);
  await start(['placed', 'parent', 'child'], { letters: 'upper' });
  await untilSame('placed', ['id', 'n']);
  // The large value is not in the log, so the row is updated instead of replaced.
  await source.query('UPDATE placed SET millrace_place = 2');
  await untilSame('placed', ['id', 'millrace_place']);
  await untilSame('child', ['id', 'a', 'b']);
  const actions = `SELECT pg_get_constraintdef(oid) AS text FROM pg_constraint WHERE contype = 'f'`;
  await expect
    .poll(async () => (await target.query(actions)).rows)
    .toEqual([{ text: 'FOREIGN KEY ("A", "B") REFERENCES parent("A", "B") ON DELETE SET NULL ("B")' }]);
});

test('a table named excluded is copied, followed and copied again', async () => {
  await source.query(
    `CREATE TABLE excluded (id int PRIMARY KEY, n text); INSERT INTO excluded VALUES (1, 'a'), (2, 'b')`,
  );
  await start(['excluded']);
  await untilSame('excluded', ['id', 'n']);
  await source.query("UPDATE excluded SET n = 'c' WHERE id = 1; INSERT INTO excluded VALUES (3, 'd')");
  await source.query("BEGIN; DELETE FROM excluded WHERE id = 2; INSERT INTO excluded VALUES (2, 'e'); COMMIT");
  await source.query('UPDATE excluded SET id = 4 WHERE id = 3');
  await untilSame('excluded', ['id', 'n']);
  const { id } = running?.tables().at(-1) ?? {};
  await target.query("UPDATE excluded SET n = 'other'");
  if (id) running?.send({ kind: 'table', id, action: 'resync' });
  await untilSame('excluded', ['id', 'n']);
});

test('tables without columns, or only with computed ones, are copied with their rows', async () => {
  await source.query(`CREATE TABLE bare (); CREATE TABLE computed (one int GENERATED ALWAYS AS (1) STORED)`);
  for (const name of ['bare', 'bare', 'computed']) await source.query(`INSERT INTO ${name} DEFAULT VALUES`);
  const tables = wholeTables(['bare', 'computed']);
  running = new JobProcess(
    jobSpec({ source: postgresSide(urls[0]), target: postgresSide(urls[1]), tables, type: 'MIGRATION' }),
  );
  expect(await running.end()).toEqual({ kind: 'ended', complete: true });
  expect((await target.query('SELECT (SELECT count(*) FROM bare) AS bare, * FROM computed')).rows).toEqual([
    { bare: '2', one: 1 },
  ]);
});

test('a row whose key the encoding of the target lacks is parked, and the others continue', async () => {
  const name = `latin_${Date.now()}`;
  await target.query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'`);
  await target.end();
  urls = [urls[0], Object.assign(new URL(urls[1]), { pathname: `/${name}` }).href];
  target = new pg.Client(urls[1]);
  await target.connect();
  await source.query(
    `CREATE TABLE worded (word text PRIMARY KEY, n int); INSERT INTO worded VALUES ('café', 1), ('thé', 1)`,
  );
  await start(['worded']);
  await untilSame('worded', ['word', 'n']);
  await source.query("UPDATE worded SET word = '日本' WHERE word = 'thé'; UPDATE worded SET n = 2");
  await running?.until(() => running?.tables().at(-1)?.parked === 1);
  await expect.poll(async () => (await target.query('SELECT * FROM worded')).rows).toEqual([{ word: 'café', n: 2 }]);
  // The stored key is read again.
  await restart();
  await running?.until(() => running?.tables().at(-1)?.parked === 1);
  await source.query("UPDATE worded SET word = 'maté' WHERE word = '日本'");
  await running?.until(() => running?.tables().at(-1)?.parked === 0);
  const sorted = async () => (await target.query('SELECT * FROM worded ORDER BY word')).rows;
  await expect.poll(sorted).toEqual([
    { word: 'café', n: 2 },
    { word: 'maté', n: 2 },
  ]);
});

test('only the unlogged table is refused, then copied and followed once it is logged', async () => {
  await source.query(`CREATE TABLE logged (id int PRIMARY KEY); INSERT INTO logged VALUES (1);
    CREATE UNLOGGED TABLE light (id int PRIMARY KEY); INSERT INTO light VALUES (1)`);
  await start(['logged', 'light']);
  await untilSame('logged', ['id']);
  await expect.poll(() => faultOf('light')).toBe('TABLE_UNLOGGED');
  await source.query('ALTER TABLE light SET LOGGED; INSERT INTO light VALUES (2)');
  await restart();
  await untilSame('light', ['id']);
  await source.query('DELETE FROM light WHERE id = 1; DELETE FROM logged');
  await untilSame('light', ['id']);
  await untilSame('logged', ['id']);
});

test('a foreign key is reported, and not created until the user is allowed to disable it', async () => {
  const role = `writer_${Date.now()}`;
  await source.query(`CREATE TABLE parent (id int PRIMARY KEY, n int GENERATED ALWAYS AS IDENTITY, v text);
    CREATE TABLE child (id int PRIMARY KEY, parent int REFERENCES parent ON DELETE CASCADE);
    INSERT INTO parent (id, v) VALUES (1, 'a'), (2, 'b'); INSERT INTO child VALUES (1, 1), (2, 2)`);
  await target.query(`CREATE ROLE ${role} LOGIN; GRANT ALL ON SCHEMA public TO ${role};
    DO $$ BEGIN EXECUTE format('GRANT CREATE ON DATABASE %I TO ${role}', current_database()); END $$`);
  const side = postgresSide(urls[1]);
  const tables = wholeTables(['parent', 'child']);
  spec = jobSpec({
    source: postgresSide(urls[0]),
    target: { ...side, settings: { ...settingsOf(urls[1]), user: role } },
    tables,
  });
  running = new JobProcess(spec);
  const events = () => (running?.reports ?? []).flatMap((report) => (report.kind === 'event' ? [report.sentence] : []));
  await running.until(() =>
    events().some((sentence) => /foreign|Indexes, constraints and sequences were created/.test(sentence)),
  );
  await source.query("UPDATE parent SET v = 'c' WHERE id = 1");
  await untilSame('parent', ['id', 'n', 'v']);
  await untilSame('child', ['id', 'parent']);
  const keys = async () => (await target.query("SELECT FROM pg_constraint WHERE contype = 'f'")).rowCount;
  expect([await keys(), events().filter((sentence) => sentence.includes('foreign'))]).toEqual([
    0,
    [expect.stringContaining('session_replication_role')],
  ]);
  await target.query(`GRANT SET ON PARAMETER session_replication_role TO ${role}`);
  await restart();
  await expect.poll(keys).toBe(1);
  await source.query("UPDATE parent SET v = 'd' WHERE id = 1");
  await untilSame('parent', ['id', 'n', 'v']);
  await untilSame('child', ['id', 'parent']);
});
