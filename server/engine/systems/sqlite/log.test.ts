import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Change, RowChange } from '../../change.ts';
import { hasReached, type Position } from '../../position.ts';
import type { Source } from '../../source.ts';
import { openSqliteSink } from './sink.ts';
import { openSqliteSource } from './source.ts';

const job = 'canal0123456789a';
let folder: string;
let user: DatabaseSync;
let source: Source;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-sqlite-'));
  user = new DatabaseSync(join(folder, 'source.db'), { readBigInts: true });
  user.exec('PRAGMA journal_mode = WAL');
  source = open();
});

afterEach(async () => {
  await source.close();
  user.close();
  rmSync(folder, { recursive: true });
});

function open(): Source {
  return openSqliteSource({ folder, file: 'source.db' }, new AbortController().signal);
}

async function reserve(): Promise<Position> {
  return source.reserve(job, await source.catalog([]));
}

/** What is streamed from a position up to now. */
async function told(from: Position): Promise<Change[]> {
  const stream = await source.stream(job, from, await source.catalog([]));
  const end = await source.now();
  const changes: Change[] = [];
  for await (const some of stream) {
    changes.push(...some);
    const last = some.at(-1);
    if ((last?.kind === 'commit' || last?.kind === 'alive') && hasReached(last.position, end)) break;
  }
  return changes;
}

/** Rows and deleted keys, each once, as `+` or `-` and the first cell. */
async function keysTold(from: Position): Promise<string[]> {
  const rows = (await told(from)).filter((change): change is RowChange => change.kind === 'row');
  return [
    ...new Set(rows.map(({ before, after }) => (after ? `+${String(after[0])}` : `-${String(before?.[0])}`))),
  ].sort();
}

test.each([
  [
    'a UNIQUE column',
    'CREATE TABLE t (id INTEGER PRIMARY KEY, u TEXT UNIQUE)',
    "INSERT OR REPLACE INTO t VALUES (2, 'a')",
  ],
  [
    'a UNIQUE column by UPDATE',
    'CREATE TABLE t (id INTEGER PRIMARY KEY, u TEXT UNIQUE)',
    "UPDATE OR REPLACE t SET u = 'a' WHERE id = 2",
  ],
  [
    'a collation',
    'CREATE TABLE t (id INTEGER PRIMARY KEY, u TEXT UNIQUE COLLATE NOCASE)',
    "INSERT OR REPLACE INTO t VALUES (2, 'A')",
  ],
  [
    'a unique index over an expression',
    'CREATE TABLE t (id INTEGER PRIMARY KEY, u TEXT); CREATE UNIQUE INDEX e ON t (id > 0 AND id < 0, lower(u) DESC)',
    "INSERT OR REPLACE INTO t VALUES (2, 'A')",
  ],
  [
    'a unique index with comments, an order right beside its expressions and a column named like an order',
    `CREATE TABLE t (id INTEGER PRIMARY KEY, u TEXT, desc TEXT DEFAULT 'd');
      CREATE UNIQUE INDEX e ON t (lower(u)DESC/* newest */, upper(u)/**/asc -- first
        , u || desc /* the column */, u || desc desc) WHERE id < 9 /* open`,
    "INSERT OR REPLACE INTO t (id, u) VALUES (2, 'a')",
  ],
  [
    'a partial unique index',
    "CREATE TABLE t (id INTEGER PRIMARY KEY, u TEXT); CREATE UNIQUE INDEX e ON t (u) WHERE id < 9 AND u <> ')' -- all",
    "INSERT OR REPLACE INTO t VALUES (2, 'a')",
  ],
  [
    'the rowid',
    'CREATE TABLE t (id INTEGER NOT NULL UNIQUE, u TEXT)',
    "INSERT OR REPLACE INTO t (rowid, id, u) VALUES (1, 2, 'b')",
  ],
  [
    'a generated column',
    'CREATE TABLE t (id INTEGER PRIMARY KEY, u TEXT, g TEXT UNIQUE AS (lower(u)))',
    "INSERT OR REPLACE INTO t (id, u) VALUES (2, 'A')",
  ],
  [
    'a generated column over columns that the UPDATE leaves alone',
    "CREATE TABLE t (id INTEGER PRIMARY KEY, u TEXT, b TEXT DEFAULT 'y', g TEXT UNIQUE AS (u || '-' || b))",
    "UPDATE OR REPLACE t SET u = 'a' WHERE id = 2",
  ],
  [
    'a generated column over another one, which it also names as text',
    `CREATE TABLE t (id INTEGER PRIMARY KEY, u TEXT, g TEXT AS (u || CAST(7.0 AS INT)), h TEXT GENERATED ALWAYS /* h */ AS
      (CASE WHEN g IS NOT NULL THEN 'h' || lower(g) END) STORED); CREATE UNIQUE INDEX e ON t (h || '')`,
    "INSERT OR REPLACE INTO t (id, u) VALUES (2, 'A')",
  ],
  [
    'a generated column that converts the value of its expression',
    `CREATE TABLE t (id INTEGER PRIMARY KEY, u TEXT, n TEXT DEFAULT '05', g INTEGER AS (n), h REAL AS (u));
      CREATE UNIQUE INDEX e ON t (g || h)`,
    "INSERT OR REPLACE INTO t (id, u) VALUES (2, 'a')",
  ],
  [
    'a generated column whose expression has an affinity that the column has not',
    'CREATE TABLE t (id INTEGER PRIMARY KEY, u, g AS (CAST(u AS TEXT))); CREATE UNIQUE INDEX e ON t ((g = 1))',
    'INSERT OR REPLACE INTO t (id, u) VALUES (2, 1)',
  ],
  [
    'a generated column over the default of a NOT NULL column',
    "CREATE TABLE t (id INTEGER PRIMARY KEY, u TEXT NOT NULL DEFAULT 'a', g TEXT UNIQUE AS (lower(u)))",
    'INSERT OR REPLACE INTO t (id, u) VALUES (2, NULL)',
  ],
  [
    'an expression that compares by a collation, with a default',
    `CREATE TABLE t (id INTEGER PRIMARY KEY, u TEXT, s TEXT COLLATE NOCASE NOT NULL DEFAULT 'open');
      CREATE UNIQUE INDEX e ON t (CASE WHEN s = 'open' THEN u END)`,
    "INSERT OR REPLACE INTO t VALUES (2, 'a', 'OPEN')",
  ],
  [
    'an expression that compares numbers with text',
    `CREATE TABLE t (id INTEGER PRIMARY KEY, u TEXT, n INTEGER NOT NULL DEFAULT '1', r REAL DEFAULT 1, x TEXT DEFAULT 1);
      CREATE UNIQUE INDEX e ON t (CASE WHEN n IN ('1') AND r = '1.0' AND x = 1 THEN u END)`,
    "INSERT OR REPLACE INTO t VALUES (2, 'a', 1, 1, '1')",
  ],
  [
    'an expression that compares values which the affinity of their columns leaves alone',
    `CREATE TABLE t (id INTEGER PRIMARY KEY, u TEXT, n INTEGER DEFAULT 'one', doc TEXT DEFAULT (jsonb('{"a":1}')));
      CREATE UNIQUE INDEX e ON t (CASE WHEN n = 'one' AND doc ->> 'a' = 1 THEN u END)`,
    "INSERT OR REPLACE INTO t (id, u) VALUES (2, 'a')",
  ],
  [
    'an expression that compares text with a value of a column without a type',
    `CREATE TABLE t (id INTEGER PRIMARY KEY, u TEXT, a DEFAULT 2, b TEXT DEFAULT '0');
      CREATE UNIQUE INDEX e ON t (u, CASE WHEN a < b THEN b ELSE a END)`,
    "INSERT OR REPLACE INTO t (id, u) VALUES (2, 'a')",
  ],
  [
    'a generated column over another one that stores a real as a whole number',
    `CREATE TABLE t (id INTEGER PRIMARY KEY, u TEXT, price REAL DEFAULT 12.5, cents INT AS (price * 100),
      code TEXT UNIQUE AS (u || '-' || cents))`,
    "INSERT OR REPLACE INTO t (id, u) VALUES (2, 'a')",
  ],
  [
    'the default of a NOT NULL column',
    "CREATE TABLE t (id INTEGER PRIMARY KEY, u TEXT NOT NULL UNIQUE DEFAULT ('' || 'a'))",
    'INSERT OR REPLACE INTO t VALUES (2, NULL)',
  ],
  [
    'a default set by UPDATE',
    "CREATE TABLE t (id INTEGER PRIMARY KEY, u TEXT NOT NULL UNIQUE DEFAULT 'a')",
    'UPDATE OR REPLACE t SET u = NULL WHERE id = 2',
  ],
  [
    'a default that is an identifier',
    'CREATE TABLE t (id INTEGER PRIMARY KEY, u TEXT NOT NULL UNIQUE ON CONFLICT REPLACE DEFAULT a)',
    'INSERT OR REPLACE INTO t VALUES (2, NULL)',
  ],
])('the stream contains a row that REPLACE deletes because of %s', async (_, schema, statement) => {
  user.exec(schema);
  user.exec(`INSERT INTO t (id, u) VALUES (1, 'a')${statement.startsWith('UPDATE') ? ", (2, 'x')" : ''}`);
  const start = await reserve();
  user.exec(statement);
  expect(user.prepare('SELECT count(*) AS n FROM t').get()).toEqual({ n: 1n });
  expect(await keysTold(start)).toEqual(['+i:2', '-i:1']);
});

test.each(['old', 'New'])('the stream contains the rows that REPLACE deletes from a table named %s', async (name) => {
  user.exec(`CREATE TABLE ${name} (id INTEGER PRIMARY KEY, u TEXT UNIQUE);
    INSERT INTO ${name} VALUES (1, 'a'), (2, 'b'), (3, 'c'), (4, 'd')`);
  const start = await reserve();
  user.exec(`INSERT OR REPLACE INTO ${name} VALUES (5, 'a'); UPDATE OR REPLACE ${name} SET u = 'b' WHERE id = 3`);
  expect(await keysTold(start)).toEqual(['+i:3', '+i:5', '-i:1', '-i:2']);
});

test('a condition keeps the triggers from an expression that fails on a row without it', async () => {
  user.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, u TEXT, n INTEGER);
    CREATE UNIQUE INDEX e ON t (json_extract(u, '$.k')) WHERE json_valid(u);
    INSERT INTO t VALUES (1, '{"k":1}', 0), (2, 'a text', 0)`);
  const start = await reserve();
  user.exec(`INSERT INTO t VALUES (3, 'another text', 0); UPDATE t SET n = 5 WHERE id = 2;
    INSERT OR REPLACE INTO t VALUES (4, '{"k":1}', 0)`);
  expect(await keysTold(start)).toEqual(['+i:2', '+i:3', '+i:4', '-i:1']);
});

test('the text of a trigger grows with each computed column in another one, and does not multiply', async () => {
  const links = Array.from({ length: 8 }, (_, at) => {
    const before = at === 0 ? 'u' : `g${at - 1}`;
    return `g${at} TEXT AS (CASE WHEN ${before} = 'x' THEN 'y' ELSE ${before} || 'z' END)`;
  });
  user.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, u TEXT, ${links.join()}); CREATE UNIQUE INDEX e ON t (g7)`);
  user.exec("INSERT INTO t (id, u) VALUES (1, 'a')");
  const start = await reserve();
  const { most } =
    user.prepare("SELECT max(length(sql)) AS most FROM sqlite_schema WHERE type = 'trigger'").get() ?? {};
  expect(Number(most)).toBeLessThan(100_000);
  user.exec("INSERT OR REPLACE INTO t (id, u) VALUES (2, 'a')");
  expect(await keysTold(start)).toEqual(['+i:2', '-i:1']);
});

test.each(['lower(u)', "u ->> '$.a'", "replace(u, '=', '')", "CASE WHEN u IS NOT NULL THEN 'a' || u END"])(
  'triggers over %s keep the text of earlier versions, so that the table is not copied again',
  async (expression) => {
    user.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, u TEXT); CREATE UNIQUE INDEX e ON t (${expression})`);
    await reserve();
    const { sql } = user.prepare(`SELECT sql FROM sqlite_schema WHERE name = 'millrace_${job}_bi_t'`).get() ?? {};
    expect(sql).toContain(`WHERE ((${expression}) = (SELECT ${expression} FROM (SELECT NEW."u" AS "u")));`);
  },
);

test('a column that no unique index uses can be dropped while the log is kept', async () => {
  user.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, u TEXT, "Odd ""Name" TEXT, other TEXT);
    CREATE UNIQUE INDEX e ON t (lower(u), upper("odd ""name"))`);
  user.exec("INSERT INTO t VALUES (1, 'a', 'b', 'c')");
  const start = await reserve();
  user.exec('ALTER TABLE t DROP COLUMN other');
  user.exec("INSERT OR REPLACE INTO t VALUES (2, 'A', 'B')");
  expect(await keysTold(start)).toEqual(['+i:2', '-i:1']);
});

test('a position shows its place in the log', async () => {
  user.exec('CREATE TABLE t (id INTEGER PRIMARY KEY)');
  await reserve();
  user.exec('INSERT INTO t VALUES (1), (2)');
  const { order, resume } = await source.now();
  expect([Number(order), resume.split(' ').at(-1)]).toEqual([3, '3']);
});

test("the stream contains the effects of the application's triggers, cascades and upserts", async () => {
  user.exec(`
    PRAGMA foreign_keys = ON;
    CREATE TABLE parent (id INTEGER PRIMARY KEY, n INTEGER DEFAULT 0);
    CREATE TABLE child (name TEXT PRIMARY KEY NOT NULL, parent INTEGER REFERENCES parent ON DELETE CASCADE);
    CREATE TRIGGER count AFTER INSERT ON child BEGIN UPDATE parent SET n = n + 1 WHERE id = NEW.parent; END;
    INSERT INTO parent (id) VALUES (1), (2);
    INSERT INTO child VALUES ('a', 1);
  `);
  const start = await reserve();
  user.exec("INSERT INTO child VALUES ('b', 2)");
  expect(await keysTold(start)).toEqual(['+i:2', '+t:b']);
  user.exec('DELETE FROM parent WHERE id = 1; INSERT INTO parent (id) VALUES (2) ON CONFLICT DO UPDATE SET n = 7');
  expect(await keysTold(start)).toEqual(['+i:2', '+t:b', '-i:1', '-t:a']);
});

test('after statements that fail halfway, each log sequence is used only once', async () => {
  user.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, u INTEGER UNIQUE)');
  const start = await reserve();
  user.exec('INSERT INTO t VALUES (1, 1)');
  const stream = await source.stream(job, start, await source.catalog([]));
  const iterator = stream[Symbol.asyncIterator]();
  const sequences: string[] = [];
  for (let round = 0; round < 5; round++) {
    expect(() =>
      user.exec(`INSERT OR FAIL INTO t VALUES (${round + 10}, ${round + 10}), (${round + 20}, 1)`),
    ).toThrow();
    for (;;) {
      const last = (await iterator.next()).value?.at(-1);
      if (last?.kind !== 'commit') continue;
      sequences.push(last.position.order);
      stream.acknowledge(last.position);
      break;
    }
    // Acknowledged rows are deleted before the next ones are looked for.
    await iterator.next();
  }
  await stream.close();
  expect(sequences).toEqual([...new Set(sequences)].sort());
});

test('rows read now belong to the newest transaction, however old their logged keys are', async () => {
  user.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT)');
  const start = await reserve();
  user.exec(
    'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10001) INSERT INTO t (id) SELECT i FROM n',
  );
  const [table] = await source.catalog([]);
  if (!table) throw new Error('There is a table.');
  const early = await source.read(table, { keys: [['i:1']] });
  user.exec("UPDATE t SET v = 'new' WHERE id = 1");
  const changes = await told(start);
  const [begin, row] = changes;
  expect(row).toMatchObject({ kind: 'row', after: ['i:1', 't:new'] });
  expect(early.rows).toEqual([['i:1', null]]);
  expect(begin?.kind === 'begin' && early.sees(begin.transaction)).toBe(false);
  expect(changes.filter(({ kind }) => kind === 'commit')).toHaveLength(2);
});

test('a transaction streamed again has as many messages, even after one of its tables is dropped', async () => {
  user.exec('CREATE TABLE gone (id INTEGER PRIMARY KEY); CREATE TABLE t (id INTEGER PRIMARY KEY)');
  const from = await reserve();
  user.exec('BEGIN; INSERT INTO gone VALUES (1), (2); INSERT INTO t VALUES (3); COMMIT');
  const messages = async () => (await told(from)).filter(({ kind }) => kind === 'row' || kind === 'truncate');
  expect(await messages()).toHaveLength(3);
  user.exec('DROP TABLE gone');
  const again = await messages();
  expect(again).toHaveLength(3);
  expect(again.at(-1)).toMatchObject({ kind: 'row', after: ['i:3'] });
});

test('the log reports its size, and discards what was acknowledged', async () => {
  user.exec('CREATE TABLE t (id INTEGER PRIMARY KEY)');
  expect(await source.retained(job)).toBeNull();
  const start = await reserve();
  const empty = (await source.retained(job)) ?? 0;
  user.exec(
    'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) INSERT INTO t SELECT i FROM n',
  );
  expect(await source.retained(job)).toBeGreaterThan(empty + 5_000);
  const stream = await source.stream(job, start, await source.catalog([]));
  for await (const changes of stream) {
    const last = changes.at(-1);
    if (last?.kind === 'commit') stream.acknowledge(last.position);
    else break;
  }
  await stream.close();
  // The newest row stays.
  expect(await source.retained(job)).toBeLessThan(empty + 100);
  await source.release(job);
  expect(await source.retained(job)).toBeNull();
});

test("cells state their value's type, and values arrive exactly", async () => {
  user.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, v); CREATE TABLE r (id INTEGER PRIMARY KEY, v REAL)');
  const insert = user.prepare('INSERT INTO t (v) VALUES (?)');
  const values = [
    9_223_372_036_854_775_807n,
    -9_223_372_036_854_775_808n,
    0.1 + 0.2,
    -0,
    3,
    Number.POSITIVE_INFINITY,
    5e-324,
    'a\0b',
    '',
    '\uFFFD',
    '€😀',
    new Uint8Array([0, 255]),
    new Uint8Array(),
    null,
  ];
  for (const value of values) insert.run(value);
  user.exec("INSERT INTO t (v) VALUES (CAST(x'ff41' AS TEXT))");
  const [, table] = (await source.catalog([])).toSorted((one, other) => (one.name < other.name ? -1 : 1));
  if (!table) throw new Error('There is a table.');
  const chunk = await source.read(table, { range: { from: null, to: null, after: null, done: false }, limit: 100 });
  expect(chunk.rows.map(([, cell]) => cell)).toEqual([
    'i:9223372036854775807',
    'i:-9223372036854775808',
    'r:0.30000000000000004',
    'r:-0',
    'r:3',
    'r:Infinity',
    'r:5e-324',
    't:a\0b',
    't:',
    't:\uFFFD',
    't:€😀',
    new Uint8Array([0, 255]),
    new Uint8Array(),
    null,
    'x:ff41',
  ]);

  const target = new DatabaseSync(join(folder, 'target.db'));
  target.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, v)');
  const sink = openSqliteSink({ folder, file: 'target.db' }, new AbortController().signal);
  const { epoch } = await sink.takeOver(job);
  const load = { table, rows: chunk.rows, absent: [], replace: null, conflict: 'replace' } as const;
  await sink.load(load, { job, epoch });
  await sink.close();
  target.exec(`ATTACH '${join(folder, 'source.db')}' AS s`);
  const same = target.prepare(
    'SELECT count(*) AS n FROM t JOIN s.t AS o USING (id) WHERE typeof(t.v) = typeof(o.v) AND hex(t.v) = hex(o.v)',
  );
  expect(same.get()).toEqual({ n: values.length + 1 });
  target.close();
});

test('the catalogue states what identifies a row, and whether equal keys have equal cells', async () => {
  user.exec(`
    CREATE TABLE alias (id INTEGER PRIMARY KEY);
    CREATE TABLE keyless (a, b);
    CREATE TABLE nullable (k TEXT PRIMARY KEY);
    CREATE TABLE text (k TEXT PRIMARY KEY NOT NULL);
    CREATE TABLE sqlitelike (k TEXT COLLATE NOCASE PRIMARY KEY NOT NULL);
    CREATE TABLE nocase (k TEXT COLLATE NOCASE PRIMARY KEY NOT NULL);
    CREATE TABLE untyped (k PRIMARY KEY NOT NULL);
    CREATE TABLE "real" (k REAL PRIMARY KEY NOT NULL);
    CREATE TABLE rowless (b TEXT, a TEXT, PRIMARY KEY (a, b)) WITHOUT ROWID;
    CREATE TABLE otherwise (k TEXT COLLATE NOCASE NOT NULL, PRIMARY KEY (k COLLATE BINARY));
    CREATE TABLE further (k TEXT COLLATE NOCASE NOT NULL, n INT NOT NULL UNIQUE, PRIMARY KEY (k COLLATE BINARY));
    CREATE TABLE "any" (k ANY NOT NULL PRIMARY KEY) STRICT;
    CREATE TABLE "unique" (a, b INTEGER NOT NULL UNIQUE);
    CREATE TABLE "partial" (a, b INTEGER NOT NULL); CREATE UNIQUE INDEX p ON "partial" (b) WHERE b > 0;
    CREATE VIRTUAL TABLE words USING fts5 (text);
  `);
  const tables = await source.catalog([]);
  expect(Object.fromEntries(tables.map(({ name, key, exactKey }) => [name, [...key, exactKey]]))).toMatchObject({
    alias: [0, true],
    keyless: [false],
    nullable: [false],
    text: [0, true],
    nocase: [0, false],
    sqlitelike: [0, false],
    untyped: [0, false],
    real: [0, false],
    rowless: [1, 0, true],
    otherwise: [false],
    further: [1, true],
    any: [0, false],
    unique: [1, true],
    partial: [false],
  });
  expect(tables.map(({ name }) => name)).not.toContain('words');
  const findings = await source.check(tables);
  const warned = (name: string) => findings.find(({ table }) => table === name)?.sentence;
  expect(warned('main.nullable')).toMatch(/allows NULL/);
  expect(warned('main.otherwise')).toMatch(/compares k by another collation/);
});

test('an altered table is reported, and still followed if its rows keep their key', async () => {
  user.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, u TEXT)');
  const start = await reserve();
  const stream = await source.stream(job, start, await source.catalog([]));
  const iterator = stream[Symbol.asyncIterator]();
  expect((await iterator.next()).value).toMatchObject([{ kind: 'alive' }]);
  user.exec("CREATE UNIQUE INDEX late ON t (u); INSERT INTO t VALUES (1, 'a')");
  expect((await iterator.next()).value).toMatchObject([{ kind: 'schema', table: { id: 't' } }]);
  user.exec("INSERT OR REPLACE INTO t VALUES (2, 'a'); ALTER TABLE t ADD COLUMN n INTEGER DEFAULT 7");
  expect((await iterator.next()).value).toMatchObject([{ kind: 'schema', table: { columns: { length: 3 } } }]);
  const changes = (await iterator.next()).value?.filter((change: Change) => change.kind === 'row');
  expect(changes?.at(-1)?.after).toEqual(['i:2', 't:a', 'i:7']);
  await stream.close();
});

test('a position from another log is refused', async () => {
  user.exec('CREATE TABLE t (id INTEGER PRIMARY KEY)');
  const start = await reserve();
  await source.release(job);
  await expect(told(start)).rejects.toMatchObject({ code: 'SLOT_MISSING' });
  await reserve();
  await expect(told(start)).rejects.toMatchObject({ code: 'SOURCE_WENT_BACK' });
});

test('no file outside the folder is opened', async () => {
  const outside = mkdtempSync(join(tmpdir(), 'millrace-outside-'));
  new DatabaseSync(join(outside, 'other.db')).close();
  symlinkSync(join(outside, 'other.db'), join(folder, 'link.db'));
  symlinkSync(join(outside, 'new.db'), join(folder, 'dangling.db'));
  symlinkSync(outside, join(folder, 'deep'));
  for (const file of ['../x.db', join(outside, 'other.db'), 'link.db', 'dangling.db', 'deep/other.db', '.']) {
    const sink = openSqliteSink({ folder, file }, new AbortController().signal);
    const code = file === 'dangling.db' ? 'FILE_MISSING' : 'FILE_OUTSIDE';
    await expect(sink.catalog([]), file).rejects.toMatchObject({ code });
    await sink.close();
  }
  rmSync(outside, { recursive: true });
});

test('a missing source file, or one that is no database, is reported as such', async () => {
  writeFileSync(
    join(folder, 'text.db'),
    'It is a text, and long enough to be read as the header of a database would be.',
  );
  for (const [file, code] of [
    ['gone.db', 'FILE_MISSING'],
    ['text.db', 'FILE_UNREADABLE'],
  ] as const) {
    const other = openSqliteSource({ folder, file }, new AbortController().signal);
    await expect(other.catalog([]), file).rejects.toMatchObject({ code });
    await other.close();
  }
});

test('a sink waits for a locked database, up to a limit', async () => {
  user.exec('CREATE TABLE t (id INTEGER PRIMARY KEY)');
  user.exec('BEGIN IMMEDIATE');
  const waits: number[] = [];
  const { realSurroundings } = await import('./connect.ts');
  const surroundings = {
    ...realSurroundings,
    wait: async (milliseconds: number) => {
      if (waits.push(milliseconds) === 3) user.exec('COMMIT');
    },
  };
  const sink = openSqliteSink({ folder, file: 'source.db' }, new AbortController().signal, surroundings);
  expect((await sink.takeOver(job)).epoch).toBe(1);
  expect(waits).toHaveLength(3);
  await sink.close();
});

test('a table altered between the catalogue reading and the stream is reported as altered', async () => {
  user.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, u TEXT, gone TEXT)');
  const start = await reserve();
  const described = await source.catalog([]);
  user.exec("ALTER TABLE t DROP COLUMN gone; INSERT INTO t VALUES (1, 'a')");
  const stream = await source.stream(job, start, described);
  const iterator = stream[Symbol.asyncIterator]();
  expect((await iterator.next()).value).toMatchObject([{ kind: 'schema', table: { columns: { length: 2 } } }]);
  const changes = (await iterator.next()).value?.filter((change: Change) => change.kind === 'row');
  expect(changes?.at(-1)?.after).toEqual(['i:1', 't:a']);
  await stream.close();
});
