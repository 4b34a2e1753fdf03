import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { startPostgres } from '../../../../testing/postgres.ts';
import { openSourceDatabase, type SourceDatabase, settingsOf } from '../../../../testing/postgres-source.ts';
import type { Finding } from '../../../finding.ts';
import { readDatabases } from '../databases.ts';
import { PostgresSource } from '../source.ts';
import { testConnection } from './check-source.ts';

let db: SourceDatabase;

beforeEach(async () => {
  db = await openSourceDatabase(inject('postgresUrl'));
});

afterEach(() => db.close());

function faults(findings: readonly Finding[]): Finding[] {
  return findings.filter(({ result }) => result === 'fault');
}

/** Runs the findings' statements, as a database administrator would. */
async function follow(findings: readonly Finding[]): Promise<void> {
  for (const { sql } of findings) if (sql) await db.sql(sql);
}

test('a table with a key passes on a server whose log can be followed', async () => {
  await db.sql('CREATE TABLE t (id int PRIMARY KEY)');
  const findings = await db.source.check(await db.source.catalog([]));
  expect(faults(findings)).toEqual([]);
  const passed = findings.filter(({ result }) => result === 'passed').map(({ type }) => type);
  expect(passed).toEqual(['CONNECTIVITY', 'VERSION', 'BINLOG_EXISTENCE']);
});

test('missing privileges are reported with the statements that grant them', async () => {
  await db.sql(`
    CREATE SCHEMA "my schema"; CREATE TABLE "my schema".t (id int PRIMARY KEY); CREATE TABLE u (id int PRIMARY KEY);
    ALTER TABLE u ENABLE ROW LEVEL SECURITY; REVOKE ALL ON SCHEMA public FROM public`);
  const owner = await db.role('');
  await db.sql(
    `ALTER TABLE "my schema".t OWNER TO ${owner}; ALTER TABLE u OWNER TO ${owner}; ALTER TABLE u FORCE ROW LEVEL SECURITY`,
  );
  const role = await db.role('');
  const source = db.open({ user: role });
  const tables = await db.source.catalog([]);
  const first = faults(await source.check(tables));
  expect(first.map(({ type, table }) => [type, table])).toEqual([
    ['BINLOG_EXISTENCE', undefined],
    ['BINLOG_EXISTENCE', 'my schema.t'],
    ['BINLOG_EXISTENCE', 'public.u'],
    ['BINLOG_EXISTENCE', undefined],
    ['PRIVILEGES', 'my schema.t'],
    ['PRIVILEGES', 'my schema.t'],
    ['PRIVILEGES', 'public.u'],
    ['PRIVILEGES', 'public.u'],
    ['PRIVILEGES', 'public.u'],
  ]);
  // A job that only copies needs no access to the log.
  const copying = faults(await source.check(tables, { follows: false }));
  expect(copying).toEqual(first.filter(({ type }) => type === 'PRIVILEGES'));
  await follow(first);
  expect(faults(await source.check(tables))).toEqual([]);
});

test('a job that creates structure must be allowed to read the sequences of its tables', async () => {
  await db.sql(`CREATE SEQUENCE other; CREATE TABLE t (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, n bigserial,
    v int DEFAULT nextval('other'), w int DEFAULT 1)`);
  const role = await db.role('');
  await db.sql(`GRANT SELECT ON t TO ${role}`);
  const source = db.open({ user: role });
  const tables = await db.source.catalog([]);
  const use = { follows: false, structure: true };
  const told = faults(await source.check(tables, use));
  expect(told.map(({ table, sentence }) => [table, sentence])).toEqual(
    ['public.other', 'public.t_id_seq', 'public.t_n_seq'].map((name) => [
      'public.t',
      `${role} is not allowed to read the sequence ${name}, whose value the target gets.`,
    ]),
  );
  expect(faults(await source.check(tables, { ...use, structure: false }))).toEqual([]);
  await follow(told);
  expect(faults(await source.check(tables, use))).toEqual([]);
});

describe('a table owner whose role must not be granted to anyone', () => {
  test.each([
    ['is a superuser', 'SUPERUSER', ''],
    ['can create roles', 'CREATEROLE', ''],
    ['can become a superuser', '', 'GRANT postgres TO {owner}'],
    ['can run programs on the server', '', 'GRANT pg_execute_server_program TO {owner}'],
  ])('%s: an administrator creates the publication, and nothing is granted', async (_, attributes, statement) => {
    const owner = await db.role(attributes);
    const other = await db.role('');
    const role = await db.role('REPLICATION');
    await db.sql(statement.replace('{owner}', owner));
    await db.sql(`
      CREATE TABLE t (id int PRIMARY KEY); CREATE TABLE u (id int PRIMARY KEY); CREATE TABLE heir () INHERITS (t);
      CREATE TABLE keyless (v int); CREATE UNLOGGED TABLE light (id int PRIMARY KEY);
      GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${role}; ALTER TABLE u OWNER TO ${other}`);
    for (const table of ['t', 'keyless', 'light']) await db.sql(`ALTER TABLE ${table} OWNER TO ${owner}`);
    const tables = (await db.source.catalog([])).filter(({ name }) => name !== 'heir');
    const found = faults(await db.open({ user: role }).check(tables)).filter(({ table }) => table === undefined);
    expect(found).toMatchObject([
      {
        type: 'BINLOG_EXISTENCE',
        sentence: expect.stringMatching(/does not own public\.t and.*publication of only the job's tables/),
      },
    ]);
    await follow(found);
    const published = await db.sql('SELECT pubname, tablename FROM pg_publication_tables ORDER BY tablename');
    expect(published).toEqual([
      ['replicated_tables', 't'],
      ['replicated_tables', 'u'],
    ]);
    const source = db.open({ user: role, publication: 'replicated_tables' });
    const followable = tables.filter(({ name }) => name === 't' || name === 'u');
    expect(faults(await source.check(followable))).toEqual([]);
    const given = `SELECT count(*) FROM pg_auth_members WHERE member = $1::regrole`;
    expect(await db.sql(given, [role])).toEqual([['0']]);
    await db.sql('DROP TABLE t, u, keyless, light CASCADE');
  });
});

test('a table that cannot be followed is reported once, and no one is asked to publish it', async () => {
  await db.sql('CREATE TABLE keyless (v int); CREATE UNLOGGED TABLE light (id int PRIMARY KEY)');
  const role = await db.role('REPLICATION');
  await db.sql(`GRANT SELECT ON keyless, light TO ${role}; GRANT CREATE ON DATABASE "${db.settings.database}" TO ${role};
    CREATE PUBLICATION theirs WITH (publish_via_partition_root)`);
  const tables = await db.source.catalog([]);
  for (const publication of ['', 'theirs', 'of_nobody']) {
    const found = faults(await db.open({ user: role, publication }).check(tables));
    expect(found.map(({ type, table }) => [type, table])).toEqual([
      ['STRUCT_TABLE_PK', 'public.keyless'],
      ['STRUCT_TABLE_STORAGE', 'public.light'],
    ]);
  }
});

describe('refuses a table that', () => {
  test.each([
    ['has no key', 'CREATE TABLE t (v int)', /has no key.*give it a primary key.*FULL alone is not enough/],
    [
      'has replica identity FULL without a key',
      'CREATE TABLE t (v int); ALTER TABLE t REPLICA IDENTITY FULL',
      /has no key/,
    ],
    ['has only a unique index', 'CREATE TABLE t (v int NOT NULL UNIQUE)', /has no key/],
    [
      'has replica identity NOTHING',
      'CREATE TABLE t (id int PRIMARY KEY); ALTER TABLE t REPLICA IDENTITY NOTHING',
      /replica identity is a different one/,
    ],
    ['has a deferrable key', 'CREATE TABLE t (id int PRIMARY KEY DEFERRABLE, u int NOT NULL UNIQUE)', /is deferrable/],
    [
      'has a key with a computed column, and another one',
      `CREATE TABLE t (a int NOT NULL UNIQUE, k int GENERATED ALWAYS AS (a * 2) STORED PRIMARY KEY);
        CREATE UNIQUE INDEX "by k" ON t (k)`,
      /primary key of public.t includes k, which the server computes/,
    ],
    [
      'has only a key with a computed column',
      'CREATE TABLE t (a int, k int GENERATED ALWAYS AS (a * 2) STORED, PRIMARY KEY (a, k))',
      /includes k, which the server computes/,
    ],
    ['is unlogged', 'CREATE UNLOGGED TABLE t (id int PRIMARY KEY)', /is unlogged/],
  ])('%s', async (_, statement, sentence) => {
    await db.sql(statement);
    const tables = await db.source.catalog([]);
    const [fault, ...more] = faults(await db.source.check(tables));
    expect(more).toEqual([]);
    expect(fault?.sentence).toMatch(sentence);
    expect(fault?.table).toBe('public.t');
    expect(faults(await db.source.check(tables, { follows: false }))).toEqual([]);
    if (fault?.sql?.includes('…')) return;
    await follow([fault].filter((one) => one !== undefined));
    expect(faults(await db.source.check(tables))).toEqual([]);
  });

  test('points to large objects', async () => {
    await db.sql('CREATE EXTENSION lo; CREATE TABLE t (id int PRIMARY KEY, picture lo)');
    const [fault] = faults(await db.source.check(await db.source.catalog([])));
    expect(fault).toMatchObject({ type: 'COLUMN_TYPE', table: 'public.t' });
    expect(fault?.sentence).toContain('picture');
  });

  test('does not exist', async () => {
    await db.sql('CREATE TABLE t (id int PRIMARY KEY)');
    const tables = await db.source.catalog([]);
    await db.sql('DROP TABLE t');
    expect(faults(await db.source.check(tables))).toMatchObject([{ type: 'STRUCT_EXISTENCE', table: 'public.t' }]);
  });
});

test('an unused slot of ours is a warning with the statement that drops it', async () => {
  await db.sql('CREATE TABLE t (id int PRIMARY KEY)');
  const tables = await db.source.catalog([]);
  await db.source.reserve('canalorphan0000', tables);
  const warning = (await db.source.check(tables)).find(({ sentence }) => sentence.includes('millrace_canalorphan0000'));
  expect(warning).toMatchObject({ result: 'warning' });
  await follow(warning ? [warning] : []);
  expect(await db.sql("SELECT FROM pg_replication_slots WHERE slot_name = 'millrace_canalorphan0000'")).toEqual([]);
});

test('a publication of ours without a slot is a warning with the statement that drops it', async () => {
  await db.sql('CREATE TABLE t (id int PRIMARY KEY); CREATE PUBLICATION millrace_canalorphan0001 FOR TABLE t');
  const warning = (await db.source.check([])).find(({ sentence }) => sentence.includes('millrace_canalorphan0001'));
  expect(warning).toMatchObject({ result: 'warning' });
  await follow(warning ? [warning] : []);
  expect(await db.sql('SELECT FROM pg_publication')).toEqual([]);
});

test('a server that invalidates idle slots gets a warning', async () => {
  const [[version] = []] = await db.sql(`SELECT current_setting('server_version_num')::int / 10000`);
  const warned = async () =>
    (await db.source.check([])).some(({ sentence }) => sentence.includes('idle_replication_slot_timeout is set'));
  expect(await warned()).toBe(false);
  if (Number(version) < 18) return;
  await db.sql(`ALTER SYSTEM SET idle_replication_slot_timeout = '1d'`);
  try {
    await db.sql('SELECT pg_reload_conf()');
    while (!(await warned()));
  } finally {
    await db.sql('ALTER SYSTEM RESET idle_replication_slot_timeout');
    await db.sql('SELECT pg_reload_conf()');
  }
});

test('a connection test passes, or reports why the server cannot be reached', async () => {
  const never = new AbortController().signal;
  expect(faults(await testConnection(db.settings, never))).toEqual([]);
  expect(faults(await testConnection({ ...db.settings, user: await db.role('') }, never))).toEqual([]);
  const [nobody] = await testConnection({ ...db.settings, user: 'nobody_of_that_name' }, never);
  expect(nobody).toMatchObject({ type: 'CONNECTIVITY', result: 'fault' });
  expect(nobody?.sentence).toContain('No server rule allows this user');
});

test('a database without a text encoding is refused', async () => {
  const name = `ascii_${db.settings.database}`;
  await db.sql(`CREATE DATABASE ${name} ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0`);
  const source = db.open({ database: name });
  expect(faults(await source.check([]))).toMatchObject([{ type: 'VARIABLES' }]);
  await source.close();
  await db.sql(`DROP DATABASE ${name} WITH (FORCE)`);
});

test('databases are listed with their schemas, the current one first', async () => {
  await db.sql('CREATE SCHEMA other');
  const databases = await readDatabases(db.settings, new AbortController().signal);
  expect(databases[0]).toEqual({ name: db.settings.database, schemas: ['other', 'public'] });
  expect(databases.map(({ name }) => name)).toContain('postgres');
});

test('databases that are dropped while they are listed are left out', async () => {
  const names = Array.from({ length: 8 }, (_, number) => `dropped_${db.settings.database}_${number}`);
  for (const name of names) await db.sql(`CREATE DATABASE ${name}`);
  const listing = readDatabases(db.settings, new AbortController().signal);
  for (const name of names.toReversed()) await db.sql(`DROP DATABASE ${name} WITH (FORCE)`);
  expect((await listing).map(({ name }) => name)).toContain(db.settings.database);
});

test('server settings that prevent following the log are faults with the statements that fix them', async () => {
  const server = await startPostgres({ settings: { max_replication_slots: '0', max_wal_senders: '0' } });
  try {
    const source = new PostgresSource(settingsOf(server.url), new AbortController().signal);
    const found = faults(await source.check([]));
    expect(found.map(({ sentence }) => sentence.split(/[; ]/, 3).join(' '))).toEqual([
      'wal_level is replica',
      'All 0 replication',
      'All 0 WAL',
      'The server has',
    ]);
    expect(found[0]?.sql).toContain("ALTER SYSTEM SET wal_level = 'logical';");
    await source.close();
  } finally {
    await server.stop();
  }
});
