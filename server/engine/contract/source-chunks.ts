import { expect, test } from 'vitest';
import { type Change, keyOf, keyText, type Row } from '../change.ts';
import { keyMark, type RangeMark } from '../mark.ts';
import { hasReached } from '../position.ts';
import type { Source } from '../source.ts';
import type { Table } from '../table.ts';
import { sorted } from './sorted.ts';
import { commits, job, type TestedSource } from './tested-source.ts';

const whole: RangeMark = { from: null, to: null, after: null, done: false };

/** How rows are read for a copy, and what a chunk sees. */
export function readContract(parts: () => TestedSource): void {
  test('the chunks of all ranges hold every row exactly once, and so does a full read', async () => {
    const { harness, source, tables } = parts();
    await writeManyRows(parts());
    for (const table of tables) {
      const rows: Row[] = [];
      for (const range of await source.ranges(table, 4)) rows.push(...(await readRange(source, table, range)));
      expect(sorted(rows)).toEqual(sorted(await harness.rows(table)));
      const all: Row[] = [];
      for await (const some of source.readAll(table)) all.push(...some);
      expect(sorted(all)).toEqual(sorted(rows));
    }
  });

  test('a chunk of wide rows ends at a size limit, and the next one continues after it', async () => {
    const { harness, source, tables } = parts();
    const ids = Array.from({ length: 20 }, (_, id) => String(id + 1));
    const wide = 'x'.repeat(2 ** 20);
    for (const id of ids) await harness.write([`INSERT INTO plain (id, big) VALUES (${id}, '${wide}')`], 'COMMIT');
    const plain = tables.find(({ name }) => name === 'plain');
    if (!plain) throw new Error('The harness made no table plain.');
    const lengths: number[] = [];
    const rows: Row[] = [];
    for (let range: RangeMark | null = whole; range; ) {
      const chunk = await source.read(plain, { range, limit: 100 });
      lengths.push(chunk.rows.length);
      rows.push(...chunk.rows);
      range = chunk.last && { ...range, after: keyMark(chunk.last) };
    }
    expect(Math.max(...lengths)).toBeLessThanOrEqual(10);
    expect(rows).toHaveLength(20);
    expect(new Set(rows.map((row) => keyText(keyOf(plain, row)))).size).toBe(20);
  });

  test('a read returns the rows after one key up to and including another, or the rows with given keys', async () => {
    const { source, tables } = parts();
    await writeManyRows(parts());
    for (const table of tables) {
      const rows = await readRange(source, table, whole);
      const keys = rows.slice(3, 6).map((row) => keyMark(keyOf(table, row)));
      const range = { ...whole, from: keys[0] ?? null, to: keys[2] ?? null };
      const chunk = await source.read(table, { range, limit: 50 });
      expect(sorted(chunk.rows)).toEqual(sorted(rows.slice(4, 6)));
      expect(chunk.last).toBeNull();
      const part = await source.read(table, { keys: rows.slice(3, 6).map((row) => keyOf(table, row)) });
      expect(sorted(part.rows)).toEqual(sorted(rows.slice(3, 6)));
    }
  });

  test('a chunk sees what was committed before its snapshot, and nothing after', async () => {
    const { follow, harness, source, tables } = parts();
    const [table] = tables;
    if (!table) throw new Error('There are tables.');
    const start = await source.reserve(job, tables);
    await harness.write([`INSERT INTO plain (id, a) VALUES (1, 'x')`], 'COMMIT');
    const first = await follow(start);
    const early = begins(first);
    const chunk = await source.read(table, { range: whole, limit: 10 });
    const snapshot = await source.snapshot();
    await harness.write([`UPDATE plain SET a = 'y' WHERE id = 1`], 'COMMIT');
    const changes = await follow(commits(first).at(-1) ?? start);
    const late = begins(changes);
    expect(late.length).toBeGreaterThan(0);
    for (const { sees } of [chunk, snapshot]) {
      expect(early.map(sees)).toEqual(early.map(() => true));
      expect(late.map(sees)).toEqual(late.map(() => false));
    }
    const { sees } = await source.snapshot();
    expect(late.map(sees)).toEqual(late.map(() => true));
    const newer = await source.read(table, { keys: [] });
    expect(late.map(newer.sees)).toEqual(late.map(() => true));
    expect(hasReached(newer.end, chunk.end)).toBe(true);
    expect(hasReached(newer.end, commits(changes).at(-1) ?? start)).toBe(true);
  });
}

async function writeManyRows({ harness }: TestedSource): Promise<void> {
  const plain = Array.from({ length: 100 }, (_, id) => `INSERT INTO plain (id, big) VALUES (${id * 7 - 300}, 'v')`);
  const pairs = Array.from({ length: 60 }, (_, id) => `INSERT INTO pair (k1, k2) VALUES ('k${id % 7}', ${id})`);
  await harness.write([...plain, ...pairs], 'COMMIT');
}

async function readRange(source: Source, table: Table, range: RangeMark): Promise<Row[]> {
  const chunk = await source.read(table, { range, limit: 13 });
  if (chunk.last === null) return [...chunk.rows];
  return [...chunk.rows, ...(await readRange(source, table, { ...range, after: keyMark(chunk.last) }))];
}

function begins(transactions: readonly Change[][]): string[] {
  return transactions.flat().flatMap((change) => (change.kind === 'begin' ? [change.transaction] : []));
}
