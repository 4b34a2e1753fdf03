import type { Random } from '../engine/contract/random.ts';
import { alteredStructure } from './altered-statements.ts';

/** Additional tables beside those that are always altered, with their rows. */
export const wideStructure = `${alteredStructure};
  CREATE DOMAIN small AS int;
  CREATE SCHEMA other;
  CREATE TABLE twin (LIKE item INCLUDING ALL);
  CREATE TABLE paired (k text, id int, a small, b text, c text, PRIMARY KEY (k, id));
  INSERT INTO twin SELECT i, i, -i, 't', 'b', repeat('y', 3000) FROM generate_series(50, 150) AS i;
  INSERT INTO paired SELECT 'k' || i % 5, i, i, 'b', 'c' FROM generate_series(1, 100) AS i`;

/** Statements of which a user runs one; `turn` differs each time. */
export function wideWrites(random: Random, turn: number): string[] {
  const id = random.below(110);
  return [
    `UPDATE twin SET u = u + 100000, a = ${turn} WHERE id = ${id}`,
    `UPDATE twin SET id = ${2000 + turn} WHERE id = ${id}`,
    `DELETE FROM twin WHERE id = ${id}`,
    `INSERT INTO twin (id, u, a) VALUES (${id}, ${id * 7 + turn * 1000}, ${turn}) ON CONFLICT DO NOTHING`,
    `BEGIN; DELETE FROM item WHERE id < ${id}; SAVEPOINT s; INSERT INTO item (id, a) VALUES (${3000 + turn}, 3);
      ROLLBACK TO s; INSERT INTO item (id, a) SELECT i, ${turn} FROM generate_series(1, ${id}) AS i ON CONFLICT DO NOTHING; COMMIT`,
    `INSERT INTO paired (k, id, a) VALUES ('k${id % 5}', ${id}, ${turn}) ON CONFLICT (k, id) DO UPDATE SET a = ${turn}`,
    `UPDATE paired SET id = id + 200 WHERE k = 'k${id % 5}' AND id % 4 = 0`,
    `UPDATE paired SET k = 'q' || k WHERE id = ${id}`,
    `DELETE FROM paired WHERE id = ${id}`,
    `UPDATE paired SET c = b, b = c WHERE id % 3 = ${turn % 3}`,
  ];
}

/** A table that is altered, and what is written to it meanwhile. */
interface Altered {
  turn: number;
  table: string;
  /** The names of its key columns, and values that begin a new row. */
  key: string;
  id: number;
}

/**
 * Groups of statements of which an administrator runs one, each statement in its own transaction except for the last.
 */
export function wideAlterations(random: Random, turn: number, table: string): string[][] {
  const id = random.below(110);
  const plain = random.pick(['item', 'twin', 'paired']);
  const keyOf = (name: string) => (name === 'paired' ? 'k, id' : 'id');
  const any = { turn, table, key: keyOf(table), id };
  const unparted = { turn, table: plain, key: keyOf(plain), id };
  return [
    ...ofNames(any),
    ...ofTablesMadeAgain(unparted),
    ...ofKeys(unparted),
    ...ofColumns(any),
    ...ofPartitions(turn),
    ...ofTransactions(any),
    ...ofPublication(any),
    ...ofLabels(turn),
    ...ofSessions(any),
  ];
}

const exchanged = (table: string, one: string, two: string) =>
  `ALTER TABLE ${table} RENAME ${one} TO t; ALTER TABLE ${table} RENAME ${two} TO ${one}; ALTER TABLE ${table} RENAME t TO ${two}`;
const columnsExchanged = exchanged('paired', 'b', 'c');
const tablesExchanged = 'ALTER TABLE item RENAME TO t; ALTER TABLE twin RENAME TO item; ALTER TABLE t RENAME TO twin';

const ofNames = ({ turn, table, id }: Altered): string[][] => [
  [columnsExchanged],
  [
    columnsExchanged,
    `UPDATE paired SET b = 'b${turn}', c = 'c${turn}' WHERE id % 5 = 2`,
    `INSERT INTO paired (k, id, a, b, c) VALUES ('k9', ${4000 + turn}, 1, 'one', 'two')`,
    columnsExchanged,
  ],
  [tablesExchanged],
  [
    tablesExchanged,
    `UPDATE item SET a = ${turn} WHERE id % 3 = 0`,
    `DELETE FROM twin WHERE id = ${id}`,
    tablesExchanged,
  ],
  [
    `ALTER TABLE ${table} RENAME TO away`,
    `UPDATE away SET a = ${turn} WHERE id % 6 = 1`,
    `DELETE FROM away WHERE id = ${id}`,
    `ALTER TABLE away RENAME TO ${table}`,
  ],
  [
    `ALTER TABLE ${table} SET SCHEMA other`,
    `UPDATE other.${table} SET a = ${turn} WHERE id % 6 = 2`,
    `ALTER TABLE other.${table} SET SCHEMA public`,
  ],
];

function ofTablesMadeAgain({ turn, table }: Altered): string[][] {
  const made = `CREATE TABLE made (LIKE ${table} INCLUDING ALL); INSERT INTO made SELECT * FROM ${table} WHERE id % 9 <> 1`;
  const replaced = `${made}; ALTER TABLE ${table} RENAME TO old_${turn}; ALTER TABLE made RENAME TO ${table}`;
  const written = `UPDATE ${table} SET a = ${turn} WHERE id % 2 = 0`;
  const old = `UPDATE old_${turn} SET a = -5`;
  return [
    [`${made}; DROP TABLE ${table}; ALTER TABLE made RENAME TO ${table}`],
    [replaced, old, written],
    [replaced, written, old, `DROP TABLE ${table}; ALTER TABLE old_${turn} RENAME TO ${table}`],
  ];
}

function ofKeys({ turn, table, key, id }: Altered): string[][] {
  const without = `ALTER TABLE ${table} DROP CONSTRAINT ${table}_pkey`;
  const withKey = (columns: string) => `ADD CONSTRAINT ${table}_pkey PRIMARY KEY (${columns})`;
  const doubled = (a: number) => [
    `INSERT INTO ${table} (${key}, a) SELECT ${key}, ${a} FROM ${table} WHERE id % 10 = 1`,
    `DELETE FROM ${table} WHERE a = ${a}`,
  ];
  const counted = `UPDATE ${table} SET a = a + 1 WHERE id % 4 = 2`;
  return [
    [`${without}, ${withKey(`${key}, a`)}`, ...doubled(70_000 + turn), counted, `${without}, ${withKey(key)}`],
    [`${without}; ALTER TABLE ${table} ${withKey(key)}`],
    [
      `ALTER TABLE ${table} REPLICA IDENTITY FULL; ${without}`,
      ...doubled(80_000),
      `ALTER TABLE ${table} ${withKey(key)}; ALTER TABLE ${table} REPLICA IDENTITY DEFAULT`,
    ],
    [
      `CREATE UNIQUE INDEX by_${turn} ON ${table} (a, ${key})`,
      `UPDATE ${table} SET a = 0 WHERE a IS NULL; ALTER TABLE ${table} ALTER a SET NOT NULL;
        ALTER TABLE ${table} REPLICA IDENTITY USING INDEX by_${turn}`,
      counted,
      `UPDATE ${table} SET id = id + 5000 WHERE id = ${id}`,
      `ALTER TABLE ${table} REPLICA IDENTITY DEFAULT; DROP INDEX by_${turn}`,
    ],
    [
      `ALTER TABLE ${table} REPLICA IDENTITY NOTHING`,
      `INSERT INTO ${table} (${key}) VALUES (${key === 'id' ? '' : "'z', "}${6000 + turn})`,
      `ALTER TABLE ${table} REPLICA IDENTITY DEFAULT`,
    ],
  ];
}

function ofColumns({ turn, table }: Altered): string[][] {
  const written = `UPDATE ${table} SET a = ${turn} WHERE id % 2 = 1`;
  return [
    [`ALTER TABLE ${table} ALTER b TYPE text USING b || '+'`],
    [
      `ALTER TABLE ${table} ALTER b TYPE varchar(200)`,
      `UPDATE ${table} SET b = 'v' WHERE id % 5 = 3`,
      `ALTER TABLE ${table} ALTER b TYPE text`,
    ],
    [
      `ALTER TABLE ${table} ADD n${turn} int DEFAULT 5`,
      `UPDATE ${table} SET n${turn} = id WHERE id % 2 = 1`,
      `ALTER TABLE ${table} ALTER n${turn} TYPE bigint USING n${turn} * 2`,
      `UPDATE ${table} SET n${turn} = 4 WHERE id % 3 = 1`,
    ],
    [`ALTER TABLE ${table} DROP b, ADD b text DEFAULT 'anew ${turn}'`],
    [`ALTER TABLE ${table} DROP b`, written, `ALTER TABLE ${table} ADD b text DEFAULT 'anew ${turn}'`],
    [`ALTER TABLE ${table} DROP b`, written, `ALTER TABLE ${table} ADD b text`],
    [`ALTER TABLE ${table} RENAME b TO c${turn}; ALTER TABLE ${table} ADD b text DEFAULT 'beside'`],
    [`ALTER TABLE ${table} ADD g${turn} int GENERATED ALWAYS AS (id * 2) STORED`],
    [`ALTER TABLE ${table} ALTER b SET DEFAULT 'default ${turn}'`],
    [`ALTER TABLE ${table} ADD i${turn} int GENERATED BY DEFAULT AS IDENTITY`],
  ];
}

const ofPartitions = (turn: number): string[][] => [
  [
    `BEGIN; ALTER TABLE parted DETACH PARTITION parted_0;
      CREATE TABLE half_${turn} PARTITION OF parted FOR VALUES FROM (0) TO (20);
      CREATE TABLE rest_${turn} PARTITION OF parted FOR VALUES FROM (20) TO (50);
      INSERT INTO parted SELECT * FROM parted_0; DROP TABLE half_${turn}, rest_${turn};
      ALTER TABLE parted ATTACH PARTITION parted_0 FOR VALUES FROM (0) TO (50); COMMIT`,
  ],
  ...['DROP TABLE', 'TRUNCATE'].map((end) => [
    `CREATE TABLE more_${turn} PARTITION OF parted FOR VALUES FROM (${200 + turn * 10}) TO (${210 + turn * 10})`,
    `INSERT INTO parted (id, a) SELECT i, ${turn} FROM generate_series(${200 + turn * 10}, ${209 + turn * 10}) AS i`,
    `${end} more_${turn}`,
  ]),
  [
    `CREATE TABLE full_${turn} (LIKE parted INCLUDING ALL);
      INSERT INTO full_${turn} (id, a) SELECT i, ${turn} FROM generate_series(${600 + turn * 10}, ${609 + turn * 10}) AS i;
      ALTER TABLE parted ATTACH PARTITION full_${turn} FOR VALUES FROM (${600 + turn * 10}) TO (${610 + turn * 10})`,
    `UPDATE parted SET a = a + 1 WHERE id >= ${605 + turn * 10}`,
  ],
  [
    'ALTER TABLE parted_1 DETACH PARTITION parted_1a',
    `UPDATE parted_1a SET a = ${turn}; DELETE FROM parted_1a WHERE id % 3 = 0`,
    'ALTER TABLE parted_1 ATTACH PARTITION parted_1a FOR VALUES FROM (50) TO (75)',
  ],
  [
    'ALTER TABLE parted_0 SET UNLOGGED',
    `UPDATE parted SET a = ${turn} WHERE id < 40`,
    'ALTER TABLE parted_0 SET LOGGED',
  ],
  [
    'ALTER TABLE parted_0 RENAME TO p0',
    'TRUNCATE p0',
    'INSERT INTO parted (id, a) VALUES (3, 3), (4, 4)',
    'ALTER TABLE p0 RENAME TO parted_0',
  ],
  [`BEGIN; TRUNCATE parted_1b; INSERT INTO parted (id, a) SELECT i, ${turn} FROM generate_series(80, 90) AS i; COMMIT`],
];

const ofTransactions = ({ turn, table, key }: Altered): string[][] => [
  ['TRUNCATE item, parted, twin'],
  ['TRUNCATE paired, parted_0 RESTART IDENTITY'],
  [`BEGIN; TRUNCATE ${table}; INSERT INTO ${table} (${key}) VALUES (${key === 'id' ? '' : "'t', "}7); COMMIT`],
  [`BEGIN; TRUNCATE ${table}; ROLLBACK`],
  [`BEGIN; SAVEPOINT s; TRUNCATE ${table}; ROLLBACK TO s; UPDATE ${table} SET a = ${turn}; COMMIT`],
  ['VACUUM', 'ANALYZE'],
  ['CLUSTER item USING item_pkey'],
  [`REINDEX TABLE ${table}`],
];

const ofPublication = ({ turn, table, id }: Altered): string[][] => [
  [
    `-- publication DROP TABLE ${table}`,
    `UPDATE ${table} SET a = ${turn} WHERE id % 2 = 1; DELETE FROM ${table} WHERE id = ${id}`,
    `-- publication ADD TABLE ${table}`,
  ],
  [`-- publication DROP TABLE ${table}`],
  [
    "-- publication SET (publish = 'insert, update')",
    `DELETE FROM ${table} WHERE id % 8 = 3`,
    "-- publication SET (publish = 'insert, update, delete, truncate')",
  ],
  [
    '-- publication SET (publish_via_partition_root = false)',
    `UPDATE parted SET a = ${turn}`,
    '-- publication SET (publish_via_partition_root = true)',
  ],
];

const ofLabels = (turn: number): string[][] => [
  ["ALTER TYPE mood RENAME VALUE 'a' TO 'z'", "ALTER TYPE mood RENAME VALUE 'z' TO 'a'"],
  [
    "ALTER TYPE mood RENAME VALUE 'a' TO 'z'",
    "UPDATE item SET m = 'z' WHERE id % 3 = 2",
    "ALTER TYPE mood RENAME VALUE 'z' TO 'a'",
  ],
  [`ALTER TYPE mood ADD VALUE 'm${turn}' BEFORE 'b'`, `UPDATE item SET m = 'm${turn}' WHERE id % 9 = 4`],
  [
    `CREATE TYPE mood2 AS ENUM ('b', 'a', 'q'); ${['item', 'twin']
      .map(
        (table) => `ALTER TABLE ${table} ALTER m DROP DEFAULT, ALTER m TYPE mood2
        USING CASE m::text WHEN 'a' THEN 'a' ELSE 'q' END::mood2`,
      )
      .join('; ')}; DROP TYPE mood; ALTER TYPE mood2 RENAME TO mood`,
  ],
];

/** Sessions end, and another session has an open transaction alongside. */
const ofSessions = ({ turn, table }: Altered): string[][] => [
  ['-- end sessions source'],
  ['-- end sessions target'],
  ...[
    `UPDATE ${table} SET a = ${turn} WHERE id % 3 = 1`,
    `INSERT INTO item (id, a) VALUES (${7000 + turn}, ${turn})`,
    `SELECT 1 FROM ${table}`,
    'TRUNCATE parted_1a',
    `ALTER TABLE ${table} ADD o${turn} text DEFAULT 'o'`,
  ].map((statement) => ['-- other BEGIN', `-- other ${statement}`]),
  ['-- other COMMIT'],
  ['-- other COMMIT'],
  ['-- other ROLLBACK'],
];
