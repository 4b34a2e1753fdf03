import type { Random } from '../engine/contract/random.ts';
import type { JobSpec, TableSelection } from '../engine/job.ts';
import type { AlteredColumn } from './altered-databases.ts';

/** What a job does with altered tables, by what its target contains afterwards. */
export const alteredKinds: Record<
  string,
  { table?: Partial<TableSelection>; job?: Partial<JobSpec>; replays?: boolean }
> = {
  'has the same rows': {},
  'has the same rows, also by replays': { replays: true },
  'has those rows that meet a condition': { table: { filter: 'a % 3 <> 1 AND length(id::text) < 4' } },
  'has the rows under other names, without a column': {
    table: { renamed: { a: 'alpha', b: 'beta' }, letters: 'upper', without: ['big'] },
  },
  'has the rows in the columns of its own': { job: { ddl: 'ignore' } },
};

/** A source's tables with their rows. */
export const alteredStructure = `
  CREATE TYPE mood AS ENUM ('a', 'b');
  CREATE TABLE item (id int PRIMARY KEY, u int UNIQUE, a int NOT NULL DEFAULT 0, b text, m mood DEFAULT 'a', big text);
  ALTER TABLE item ALTER big SET STORAGE EXTERNAL;
  CREATE TABLE parted (id int PRIMARY KEY, a int, b text) PARTITION BY RANGE (id);
  CREATE TABLE parted_0 PARTITION OF parted FOR VALUES FROM (0) TO (50);
  CREATE TABLE parted_1 PARTITION OF parted FOR VALUES FROM (50) TO (100) PARTITION BY RANGE (id);
  CREATE TABLE parted_1a PARTITION OF parted_1 FOR VALUES FROM (50) TO (75);
  CREATE TABLE parted_1b PARTITION OF parted_1 FOR VALUES FROM (75) TO (100);
  INSERT INTO item SELECT i, i, i, 'b', 'a', repeat('x', 3000) FROM generate_series(1, 100) AS i;
  INSERT INTO parted SELECT i, i, 'b' FROM generate_series(0, 99) AS i`;

/** Statements of which a user runs one; `turn` differs each time. */
export function writes(random: Random, turn: number): string[] {
  const id = random.below(110);
  return [
    `INSERT INTO item (id, u) SELECT i, i + ${turn * 1000} FROM generate_series(${id}, ${id + random.below(10)}) AS i
      ON CONFLICT DO NOTHING`,
    `UPDATE item SET a = ${turn} WHERE id % 7 = ${turn % 7}`,
    `UPDATE item SET u = u + 100000 WHERE id = ${id}`,
    `UPDATE item SET id = ${1000 + turn} WHERE id = ${id}`,
    `DELETE FROM item WHERE id = ${id}`,
    `INSERT INTO parted (id) VALUES (${id % 100}) ON CONFLICT DO NOTHING`,
    `UPDATE parted SET a = ${turn} WHERE id % 5 = ${turn % 5}`,
    `DELETE FROM parted WHERE id = ${id}`,
    `UPDATE parted AS p SET id = 99 - id WHERE id = ${id} AND NOT EXISTS (SELECT FROM parted WHERE id = 99 - p.id)`,
  ];
}

interface Altering {
  random: Random;
  turn: number;
  names: readonly string[];
  /** One of them. */
  table: string;
  columns: readonly AlteredColumn[];
  /** Whether the target follows the source's definitions. */
  isFollowed: boolean;
}

/**
 * Groups of statements of which an administrator runs one, each statement in its own transaction except for the last.
 */
export function alterations({ random, turn, names, table, columns, isFollowed }: Altering): string[][] {
  const own = columns.filter(({ name }) => !['id', 'k', 'u', 'a'].includes(name));
  const { name, type } = random.pick([...own, { name: 'a', type: 'integer' }]);
  const value = type === 'text' ? `'then ${turn}'` : type === 'integer' || type === 'bigint' ? turn : 'NULL';
  const [part = '', bounds] = random.pick([
    ['parted_0', '(0) TO (50)'],
    ['parted_1', '(50) TO (100)'],
  ]);
  const counted = [`UPDATE ${table} SET a = a + 1`];
  const dropped = [`ALTER TABLE ${table} DROP COLUMN ${name}`];
  // A domain does not change to another type implicitly.
  const isDomain = columns.some((column) => column.name === 'a' && column.type === 'small');
  return [
    [`ALTER TABLE ${table} ADD x${turn} text DEFAULT 'default ${turn}'`],
    [`ALTER TABLE ${table} ADD x${turn} uuid DEFAULT gen_random_uuid()`],
    [`ALTER TABLE ${table} ADD x${turn} text DEFAULT 'd'; UPDATE ${table} SET x${turn} = 'own' WHERE id % 2 = 0`],
    // The target's column is unchanged when definitions are not followed.
    ...(isFollowed
      ? [
          name !== 'a' ? dropped : isDomain ? counted : [`ALTER TABLE ${table} ALTER a TYPE bigint`],
          [
            `ALTER TABLE ${table} RENAME ${name} TO r${turn}`,
            `UPDATE ${table} SET r${turn} = ${value} WHERE id % 4 = 1`,
            `ALTER TABLE ${table} RENAME r${turn} TO ${name}`,
          ],
          [`ALTER TABLE ${table} RENAME ${name} TO y${turn}`, `ALTER TABLE ${table} RENAME y${turn} TO ${name}`],
        ]
      : [name === 'a' ? counted : dropped]),
    [
      `ALTER TABLE parted DETACH PARTITION ${part}`,
      `UPDATE ${part} SET a = ${turn} WHERE id % 3 = 0; DELETE FROM ${part} WHERE id % 11 = ${turn % 11}`,
      `ALTER TABLE parted ATTACH PARTITION ${part} FOR VALUES FROM ${bounds}`,
    ],
    [`TRUNCATE ${random.pick([...names, 'parted_0', 'parted_1', 'parted_1a'])}`],
    [`VACUUM FULL ${table}`],
    [`ALTER TABLE item REPLICA IDENTITY ${random.pick(['FULL', 'DEFAULT'])}`],
    [`ALTER TYPE mood ADD VALUE 'm${turn}'`],
  ];
}
