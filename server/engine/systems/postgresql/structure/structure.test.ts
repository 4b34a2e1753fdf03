import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { findPostgres } from '../../../../testing/postgres.ts';
import { openSourceDatabase, type SourceDatabase } from '../../../../testing/postgres-source.ts';
import type { Sink, Statement } from '../../../sink.ts';
import type { Table } from '../../../table.ts';
import { openPostgresSink } from '../sink.ts';

let source: SourceDatabase;
let target: SourceDatabase;
let sink: Sink;
/** Whether the structure is created while rows arrive. */
let besideWriters: boolean;

beforeEach(async () => {
  source = await openSourceDatabase(inject('postgresUrl'));
  target = await openSourceDatabase(inject('postgresUrl'));
  sink = openPostgresSink(target.settings, target.abort.signal);
});

afterEach(async () => {
  await sink.close();
  await source.close();
  await target.close();
});

interface Made extends Statement {
  changed: boolean;
}

/** The statements of both phases, after running the missing ones; `changed` if one changed the target. */
async function make(rename: (table: Table) => Table = (table) => table): Promise<Made[]> {
  const tables = await source.source.catalog([]);
  const planned = await source.source.structure(tables, tables.map(rename), await sink.catalog([]), besideWriters);
  const isMade = await sink.findMade(planned);
  const statements = planned.map(
    (one, place): Made => ({ ...one, exists: one.exists || isMade[place] === true, changed: false }),
  );
  for (const phase of ['before', 'after']) {
    for (const statement of statements) {
      if (statement.phase === phase && !statement.exists) statement.changed = await sink.run(statement);
    }
  }
  return statements;
}

/** The structure as dumped by PostgreSQL's own program. */
function dump({ url }: SourceDatabase): string[] {
  const text = execFileSync(join(findPostgres() ?? '', 'pg_dump'), [
    '--schema-only',
    '--no-owner',
    '-d',
    url,
  ]).toString();
  return text.split('\n').filter((line) => line && !/^(--|\\|SET |SELECT pg_catalog.set_config)/.test(line));
}

const everything = `
  CREATE SCHEMA shop;
  CREATE SCHEMA "Odd ""names";
  CREATE EXTENSION citext SCHEMA shop;
  CREATE COLLATION shop.capitals (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
  CREATE TYPE shop.mood AS ENUM ('sad', 'it''s "ok"', 'happy');
  CREATE DOMAIN shop.percent AS numeric(5,2) DEFAULT 0 NOT NULL CONSTRAINT range CHECK (VALUE BETWEEN 0 AND 100);
  CREATE TYPE shop.inner_pair AS (a int, m shop.mood);
  CREATE TYPE shop.pair AS (x shop.inner_pair, y shop.percent[], z text COLLATE "C");
  CREATE TYPE shop.span AS RANGE (SUBTYPE = shop.percent);
  CREATE SEQUENCE shop.shared START 100 INCREMENT 5;
  CREATE TABLE shop.customer (
    id bigint GENERATED ALWAYS AS IDENTITY (START WITH 7 INCREMENT BY 3) PRIMARY KEY,
    name varchar(40) NOT NULL DEFAULT 'x''y',
    mail shop.citext UNIQUE,
    nick text COLLATE shop.capitals,
    mood shop.mood DEFAULT 'happy',
    rate shop.percent,
    pairs shop.pair[],
    spans shop.span, multi shop.span_multirange,
    made timestamp(3) with time zone DEFAULT now(),
    bits bit(8), flags "bit", letter "char", pad char(5), span interval day to second(3),
    total numeric(10,2), doubled numeric GENERATED ALWAYS AS (total * 2) STORED,
    CONSTRAINT positive CHECK (total > 0 OR name = ')'),
    CONSTRAINT tried CHECK (length(name) < 100) NOT VALID
  );
  CREATE UNIQUE INDEX lower_name ON shop.customer USING btree (lower(name) DESC NULLS LAST) INCLUDE (rate) WHERE total > 5;
  CREATE INDEX "Odd"" ON shop.customer USING" ON shop.customer USING hash (nick);
  CREATE TABLE shop."Order" (
    customer bigint REFERENCES shop.customer ON DELETE CASCADE ON UPDATE SET NULL DEFERRABLE INITIALLY DEFERRED,
    number serial,
    shared int DEFAULT nextval('shop.shared'),
    during int4range,
    parent int, parent_number int,
    PRIMARY KEY (customer, number),
    UNIQUE NULLS NOT DISTINCT (shared) DEFERRABLE,
    EXCLUDE USING gist (during WITH &&)
  );
  CREATE TABLE "Odd ""names"."Table ""1""" ("Id" smallserial PRIMARY KEY, "a b" bigint, "c)(" int,
    FOREIGN KEY ("a b", "c)(") REFERENCES shop."Order" (customer, number) MATCH FULL ON DELETE SET NULL);
  CREATE TABLE shop.log (at date NOT NULL, kind int NOT NULL, text text, PRIMARY KEY (at, kind)) PARTITION BY RANGE (at);
  CREATE TABLE shop.log_2025 PARTITION OF shop.log FOR VALUES FROM ('2025-01-01') TO ('2026-01-01') PARTITION BY LIST (kind);
  CREATE TABLE shop.log_2025_1 PARTITION OF shop.log_2025 FOR VALUES IN (1, 2);
  CREATE TABLE shop.log_rest PARTITION OF shop.log DEFAULT;
  CREATE INDEX log_text ON shop.log (text);
  CREATE TABLE shop.plain (a text, b int[] DEFAULT '{1,2}');
  SELECT nextval('shop.shared'), nextval('shop.shared');
  INSERT INTO shop.customer (name, total) VALUES ('a', 1), ('b', 2);
`;

describe.each([
  ['without writers', false],
  ['alongside writers', true],
])('created %s', (_when, isBeside) => {
  beforeEach(() => {
    besideWriters = isBeside;
  });

  test('every kind of structure is reproduced exactly, and can be created again', async () => {
    await source.sql(everything);
    await make();
    expect(dump(target)).toEqual(dump(source));
    const values = `SELECT schemaname, sequencename, last_value FROM pg_sequences ORDER BY 1, 2`;
    expect(await target.sql(values)).toEqual(await source.sql(values));
    const again = await make();
    // The target itself compares the sequence values.
    expect(again.filter(({ kind, exists }) => kind !== 'sequence' && !exists)).toEqual([]);
    expect(again.filter(({ changed }) => changed)).toEqual([]);
    expect(again.filter(({ kind }) => kind === 'partition')).toHaveLength(3);
    expect(dump(target)).toEqual(dump(source));
  });

  test('keys come before the copy; indexes, checks and foreign keys after it', async () => {
    await source.sql(everything);
    const statements = await make();
    const kinds = (phase: string) => new Set(statements.filter((one) => one.phase === phase).map(({ kind }) => kind));
    expect(kinds('before')).toEqual(new Set(['schema', 'type', 'sequence', 'table', 'partition', 'key']));
    expect(kinds('after')).toEqual(new Set(['index', 'check', 'foreign-key', 'sequence']));
  });

  test('schemas, tables and columns are renamed in every text that names them', async () => {
    await source.sql(`
    CREATE TABLE a (id serial, n int, "from" int CHECK ("from" > 0), other int, during int4range,
      PRIMARY KEY (id) INCLUDE (other), UNIQUE NULLS NOT DISTINCT (n), EXCLUDE USING gist (during WITH &&),
      EXCLUDE USING gist (int4range(n, other) WITH &&));
    CREATE TABLE b (id int PRIMARY KEY, a int REFERENCES a ON DELETE SET NULL, aa int REFERENCES a (n));
    CREATE INDEX other ON b (a);
    CREATE INDEX odd ON a (other DESC, "from") INCLUDE (n) WITH (fillfactor = 70);
    CREATE INDEX part ON a (other) WHERE "from" > 1;
    SELECT nextval('a_id_seq'), nextval('a_id_seq');
  `);
    const renamed = (table: Table): Table => ({
      ...table,
      schema: 'moved',
      name: `${table.name}_x`,
      columns: table.columns.map((column) => (table.name === 'a' ? { ...column, name: `${column.name}_y` } : column)),
    });
    const statements = await make(renamed);
    const note = statements.find(({ kind, table }) => kind === 'table' && table === 'moved.a_x')?.note;
    expect(note).toBe('Not replicated: constraint a_from_check, constraint a_int4range_excl, index part.');
    const lines = dump(target).join('\n');
    expect(lines).toMatch(/FOREIGN KEY \(a\) REFERENCES moved.a_x\(id_y\) ON DELETE SET NULL/);
    expect(lines).toMatch(/FOREIGN KEY \(aa\) REFERENCES moved.a_x\(n_y\)/);
    expect(lines).toMatch(/CREATE INDEX other ON moved.b_x USING btree \(a\)/);
    expect(lines).toMatch(/UNIQUE NULLS NOT DISTINCT \(n_y\)/);
    expect(lines).toMatch(/PRIMARY KEY \(id_y\) INCLUDE \(other_y\)/);
    expect(lines).toMatch(/EXCLUDE USING gist \(during_y WITH &&\)/);
    expect(lines).toMatch(
      /INDEX odd ON moved.a_x USING btree \(other_y DESC, from_y\) INCLUDE \(n_y\) WITH \(fillfactor='70'\)/,
    );
    expect(await target.sql('INSERT INTO moved.a_x (n_y) VALUES (1) RETURNING id_y')).toEqual([['3']]);
    await make(renamed);
    expect(dump(target).join('\n')).toBe(lines);
  });

  test('partitions have renamed columns, and are left out if their key cannot be carried', async () => {
    await source.sql(`
    CREATE FUNCTION own(int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT $1';
    CREATE TABLE plain (id int, "a,b" text) PARTITION BY RANGE (id, "a,b" COLLATE "C" text_pattern_ops);
    CREATE TABLE plain_1 PARTITION OF plain FOR VALUES FROM (1, 'a') TO (9, 'b') PARTITION BY LIST ("a,b");
    CREATE TABLE plain_1a PARTITION OF plain_1 FOR VALUES IN ('a', 'x');
    CREATE TABLE computed (id int, n int) PARTITION BY RANGE ((id + n));
    CREATE TABLE computed_1 PARTITION OF computed FOR VALUES FROM (1) TO (9);
    CREATE TABLE below (id int, n int) PARTITION BY RANGE (id);
    CREATE TABLE below_1 PARTITION OF below FOR VALUES FROM (1) TO (9) PARTITION BY LIST ((n % 3));
    CREATE TABLE called (id int, n int) PARTITION BY RANGE (own(id));
    CREATE TABLE called_1 PARTITION OF called FOR VALUES FROM (1) TO (9);
  `);
    const statements = await make((table) => ({
      ...table,
      columns: table.columns.map((column) =>
        table.name === 'called' ? column : { ...column, name: `${column.name}_y` },
      ),
    }));
    const notes = statements.flatMap(({ kind, table, note }) => (kind === 'table' ? [[table, note]] : []));
    expect(Object.fromEntries(notes)).toEqual({
      'public.plain': undefined,
      'public.computed': 'Not replicated: partitions.',
      'public.below': 'Not replicated: partitions.',
      'public.called': 'Not replicated: partitions.',
    });
    const keys = 'SELECT partrelid::regclass, pg_get_partkeydef(partrelid) FROM pg_partitioned_table ORDER BY 1';
    expect(await target.sql(keys)).toEqual([
      ['plain', 'RANGE (id_y, "a,b_y" COLLATE "C" text_pattern_ops)'],
      ['plain_1', 'LIST ("a,b_y")'],
    ]);
    expect(await target.sql("INSERT INTO plain VALUES (2, 'x') RETURNING tableoid::regclass")).toEqual([['plain_1a']]);
  });

  test('left-out columns are not created, nor is anything over them', async () => {
    await source.sql(`
    CREATE TABLE a (id int PRIMARY KEY, secret serial NOT NULL UNIQUE, n int, CONSTRAINT two CHECK (n > secret), CHECK (n > 0));
    CREATE TABLE b (id int PRIMARY KEY, a int REFERENCES a (secret), n int REFERENCES a);
    CREATE INDEX over_two ON a (n, secret);
    CREATE INDEX unsure ON a ((n + 1));
    CREATE INDEX sure ON a (n);
    CREATE TABLE c (id int, secret int, n int, PRIMARY KEY (id) INCLUDE (secret), EXCLUDE USING gist (int4range(n, secret) WITH &&));
  `);
    const all = await source.source.catalog([]);
    const tables = all.map((table) => ({ ...table, columns: table.columns.filter(({ name }) => name !== 'secret') }));
    const statements = await source.source.structure(tables, tables, [], besideWriters);
    for (const phase of ['before', 'after'])
      for (const statement of statements) if (statement.phase === phase) await sink.run(statement);
    const note = statements.find(({ kind, table }) => kind === 'table' && table === 'public.a')?.note;
    expect(note).toBe('Not replicated: constraint a_secret_key, constraint two, index over_two, index unsure.');
    const text = dump(target).join('\n');
    expect(text).not.toMatch(/secret|two|unsure|EXCLUDE/);
    expect(text).toMatch(/ADD CONSTRAINT c_pkey PRIMARY KEY \(id\);/);
    expect(text).toMatch(/CREATE INDEX sure ON public.a/);
    expect(text).toMatch(/CHECK \(\(n > 0\)\)/);
    expect(text).toMatch(/FOREIGN KEY \(n\) REFERENCES public.a\(id\)/);
  });

  test('a constraint that target rows violate leaves nothing, and a namesake is not mistaken for it', async () => {
    await source.sql(
      'CREATE TABLE t (id int PRIMARY KEY, a int CONSTRAINT large CHECK (a > 5), b int, CONSTRAINT t_u UNIQUE (a))',
    );
    await target.sql(
      'CREATE TABLE t (id int PRIMARY KEY, a int, b int); INSERT INTO t VALUES (1, 1); CREATE UNIQUE INDEX t_u ON t (b)',
    );
    await expect(make()).rejects.toMatchObject({ code: 'CONSTRAINT_REFUSED' });
    const constraints = () =>
      target.sql(
        "SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = 't'::regclass AND contype IN ('c', 'u')",
      );
    expect(await constraints()).toEqual([[expect.stringMatching(/^t_u_/), 'UNIQUE (a)']]);
    await target.sql('UPDATE t SET a = 6');
    await make();
    expect(await constraints()).toHaveLength(2);
  });

  test('a deferrable constraint is created in one step', async () => {
    await source.sql('CREATE TABLE t (id int PRIMARY KEY, a int UNIQUE DEFERRABLE, b int UNIQUE)');
    const steps = (await make()).flatMap(({ kind, sql, steps }) => (kind === 'index' ? [[sql, steps?.length]] : []));
    expect(steps).toEqual([
      [expect.stringMatching(/ADD CONSTRAINT "?t_a_key"? UNIQUE \(a\) DEFERRABLE$/), undefined],
      [expect.stringContaining('t_b_key'), besideWriters ? 2 : undefined],
    ]);
  });

  test('what is not carried is listed by name', async () => {
    await source.sql(`
    CREATE FUNCTION own() RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT 1';
    CREATE FUNCTION fire() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
    CREATE TABLE outside (id int PRIMARY KEY);
    CREATE TABLE t (id int PRIMARY KEY, n int DEFAULT own(), CONSTRAINT own_check CHECK (n > own()), o int REFERENCES outside);
    CREATE INDEX own_index ON t ((n + own()));
    CREATE TRIGGER own_trigger BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION fire();
    CREATE POLICY own_policy ON t;
    GRANT SELECT ON t TO PUBLIC;
  `);
    const [table] = (await source.source.catalog([])).filter(({ name }) => name === 't');
    if (!table) throw new Error('There is a table.');
    const statements = await source.source.structure([table], [table], [], besideWriters);
    expect(statements.find(({ kind }) => kind === 'table')?.note).toBe(
      'Not replicated: grants, policy own_policy, trigger own_trigger, default of n, constraint own_check, constraint t_o_fkey, index own_index.',
    );
    expect(statements.some(({ sql }) => /own|outside/.test(sql))).toBe(false);
  });

  test('what only some partitions have is listed by name', async () => {
    await source.sql(`
    CREATE TABLE parted (id int PRIMARY KEY, n int CHECK (n > 0), o int REFERENCES parted) PARTITION BY RANGE (id);
    CREATE INDEX of_all ON parted (n);
    CREATE TABLE parted_1 PARTITION OF parted FOR VALUES FROM (1) TO (9) PARTITION BY RANGE (id);
    CREATE TABLE parted_1a PARTITION OF parted_1 FOR VALUES FROM (1) TO (5);
    CREATE UNIQUE INDEX of_one ON parted_1a (n);
    ALTER TABLE parted_1a ADD CONSTRAINT small CHECK (n < 100), ADD CONSTRAINT single UNIQUE (o);
  `);
    const statements = await make();
    expect(statements.flatMap(({ note }) => note ?? [])).toEqual([
      'Not replicated: constraint single of partition public.parted_1a, constraint small of partition public.parted_1a, index of_one of partition public.parted_1a.',
    ]);
  });

  test('a sequence that columns share stays one, whatever their tables are called', async () => {
    await source.sql(`
    CREATE TABLE first (id serial PRIMARY KEY) PARTITION BY RANGE (id);
    CREATE TABLE first_1 PARTITION OF first FOR VALUES FROM (1) TO (9);
    CREATE TABLE second (id int PRIMARY KEY DEFAULT nextval('first_id_seq'));
    CREATE TABLE own (id serial PRIMARY KEY) PARTITION BY RANGE (id);
    CREATE TABLE own_1 PARTITION OF own FOR VALUES FROM (1) TO (9);
    SELECT nextval('first_id_seq'), nextval('own_id_seq');
  `);
    await make((table) => ({ ...table, name: `${table.name}_y` }));
    expect(await target.sql('INSERT INTO first_y DEFAULT VALUES RETURNING id')).toEqual([['2']]);
    expect(await target.sql('INSERT INTO second_y DEFAULT VALUES RETURNING id')).toEqual([['3']]);
    expect(await target.sql('SELECT sequencename FROM pg_sequences ORDER BY 1')).toEqual([
      ['first_id_seq'],
      [expect.stringMatching(/^own_id_seq_/)],
    ]);
  });

  test('an existing table gets the columns that it lacks, and sequences never go back', async () => {
    await source.sql(
      'CREATE TABLE t (id serial PRIMARY KEY, a text, b int NOT NULL DEFAULT 3); SELECT nextval($$t_id_seq$$)',
    );
    await target.sql(
      'CREATE TABLE t (id serial PRIMARY KEY, a text); INSERT INTO t VALUES (1); SELECT setval($$t_id_seq$$, 50)',
    );
    const statements = await make();
    expect(statements.filter(({ exists }) => !exists).map(({ kind }) => kind)).toEqual(['column', 'sequence']);
    expect(await target.sql("SELECT b, nextval('t_id_seq') FROM t")).toEqual([['3', '51']]);
  });

  test('indexes are created even if two schemas share their names or the target uses them otherwise', async () => {
    const long = `i${'é'.repeat(31)}`;
    const create = (schema: string) => `CREATE SCHEMA ${schema}; CREATE TABLE ${schema}.item (
      id int, code text, v int, w int4range, CONSTRAINT item_pkey PRIMARY KEY (id), CONSTRAINT item_u UNIQUE (v),
      CONSTRAINT item_x EXCLUDE USING gist (w WITH &&), CONSTRAINT item_v CHECK (v > 0));
    CREATE UNIQUE INDEX item_code ON ${schema}.item (code) WITH (fillfactor = 70);
    CREATE INDEX "${long}" ON ${schema}.item (lower(code)) WHERE v > 5`;
    await source.sql(`${create('a')}; ${create('b')}`);
    await target.sql(`CREATE SEQUENCE item_u;
    CREATE TABLE item_b (id int NOT NULL, code text, v int, w int4range); CREATE INDEX item_code ON item_b (v)`);
    const made = async () => {
      await make((table) => ({ ...table, schema: 'public', name: `item_${table.schema}` }));
      return await target.sql(`SELECT tablename, regexp_replace(indexdef, '^CREATE (UNIQUE )?INDEX .* USING ', '\\1')
      FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1, 2`);
    };
    const wanted = [
      "UNIQUE btree (code) WITH (fillfactor='70')",
      'UNIQUE btree (id)',
      'UNIQUE btree (v)',
      'btree (lower(code)) WHERE (v > 5)',
      'gist (w)',
    ];
    const both = [...wanted.map((one) => ['item_a', one]), ...[...wanted, 'btree (v)'].map((one) => ['item_b', one])];
    expect((await made()).sort()).toEqual(both.sort());
    const before = dump(target);
    expect(before.filter((line) => line.includes('CONSTRAINT item_v CHECK'))).toHaveLength(2);
    expect((await made()).sort()).toEqual(both);
    expect(dump(target)).toEqual(before);
  });
});
