import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Change, keyOf, keyText, type Row, UNCHANGED } from '../change.ts';
import { keyMark, type RangeMark } from '../mark.ts';
import { hasReached, type Position } from '../position.ts';
import type { Source } from '../source.ts';
import type { Table } from '../table.ts';
import type { ProvedSystem } from './proof.ts';
import { Random } from './random.ts';
import { Users, userTables } from './users.ts';

/** A fresh database of a family with the tables of `users.ts`, and what a test does to it without the engine. */
export interface SourceHarness {
  system: ProvedSystem;
  /** Opens the source as a new process would. */
  open(signal: AbortSignal): Source;
  /** Runs statements as a user in one transaction. */
  write(statements: readonly string[], end: 'COMMIT' | 'ROLLBACK'): Promise<void>;
  /** The statement that empties a table. */
  truncate(table: string): string;
  /** All rows, read with the family's own SQL, as cells in column order. */
  rows(table: Table): Promise<Row[]>;
  /** Names of what a job left behind in the database. */
  leftovers(job: string): Promise<string[]>;
  close(): Promise<void>;
}

const job = 'canal0123456789a';
const whole: RangeMark = { from: null, to: null, after: null, done: false };
const kinds = [
  'insert',
  'update',
  'delete',
  'key change',
  'unique value handed over',
  'savepoint',
  'truncate',
  'rollback',
  'large transaction',
];

/** Declares the tests that every source must pass. */
export function sourceContract(family: string, fresh: () => Promise<SourceHarness>): void {
  describe(`source contract: ${family}`, () => {
    let harness: SourceHarness;
    let source: Source;
    let ended: AbortController;
    let tables: Table[];

    beforeEach(async ({ task }) => {
      harness = await fresh();
      task.meta.proves = { kind: 'side', system: harness.system, side: 'source' };
      ended = new AbortController();
      source = harness.open(ended.signal);
      const names: string[] = Object.values(userTables);
      tables = (await source.catalog([])).filter(({ name }) => names.includes(name));
    });

    afterEach(async () => {
      await source.release(job);
      await source.close();
      ended.abort();
      await harness.close();
    });

    /** Everything that is in the log now. */
    async function follow(from: Position): Promise<Change[][]> {
      const own = harness.open(ended.signal);
      const stream = await own.stream(job, from, tables);
      try {
        return await readUntil(stream, await own.now());
      } finally {
        await stream.close();
        await own.close();
      }
    }

    async function expectSame(copy: Copy): Promise<void> {
      for (const table of tables) expect(copy.rows(table)).toEqual(sorted(await harness.rows(table)));
    }

    test('describes the tables with their keys', () => {
      expect(tables.map(({ name }) => name).sort()).toEqual(['pair', 'plain']);
      for (const table of tables) {
        const key = table.key.map((column) => table.columns[column]?.name);
        expect(key).toEqual(table.name === 'plain' ? ['id'] : ['k1', 'k2']);
        expect(table.exactKey).toBe(true);
      }
    });

    /** Users write while the stream is read. @returns what the stream had delivered at each of its commits */
    async function writeAndFollow(users: Users, start: Position): Promise<{ position: Position; copy: Copy }[]> {
      const stream = await source.stream(job, start, tables);
      const iterator = stream[Symbol.asyncIterator]();
      const told = [{ position: start, copy: new Copy() }];
      const copy = new Copy();
      for (let round = 0; round < 40; round++) {
        for (const { statements, end } of [users.next(), users.next(), users.next()]) {
          await harness.write(statements, end);
        }
        const transactions = await readUntil({ [Symbol.asyncIterator]: () => iterator }, await source.now());
        for (const transaction of transactions) {
          copy.replay(transaction);
          told.push(...commits([transaction]).map((position) => ({ position, copy: copy.clone() })));
        }
        await expectSame(copy);
      }
      await stream.close();
      return told;
    }

    test.each([1, 2, 3])('a copy resumed from an earlier commit matches the source (seed %i)', async (seed) => {
      const counts = new Map<string, number>();
      const users = new Users(new Random(seed), harness.truncate, (kind) =>
        counts.set(kind, (counts.get(kind) ?? 0) + 1),
      );
      const told = await writeAndFollow(users, await source.reserve(job, tables));
      for (const kind of kinds) expect(counts.get(kind), kind).toBeGreaterThan(0);
      expect(told.length).toBeGreaterThan(20);
      for (const { position, copy } of told.filter((_, index) => index % 5 === 0)) {
        for (const transaction of await follow(position)) copy.replay(transaction);
        await expectSame(copy);
      }
    });

    test('positions sort in commit order', async () => {
      const start = await source.reserve(job, tables);
      await harness.write(["INSERT INTO plain (id, a) VALUES (1, 'x')"], 'COMMIT');
      const [first] = commits(await follow(start));
      await harness.write(["INSERT INTO plain (id, a) VALUES (2, 'y')"], 'COMMIT');
      const later = commits(await follow(start)).at(-1);
      expect(first && later && later.order > first.order && first.order > start.order).toBe(true);
      expect(hasReached(await source.now(), later ?? start)).toBe(true);
    });

    test('acknowledged changes are no longer needed, and reserving again starts from there', async () => {
      const start = await source.reserve(job, tables);
      await harness.write(["INSERT INTO plain (id, a) VALUES (1, 'x')"], 'COMMIT');
      await harness.write(["INSERT INTO plain (id, a) VALUES (2, 'y')"], 'COMMIT');
      let position = start;
      do {
        const stream = await source.stream(job, start, tables);
        position = commits(await readUntil(stream, await source.now())).at(-1) ?? start;
        stream.acknowledge(position);
        await stream.close();
        // A source that is slow to end a stream is abandoned, perhaps before it has taken in the last acknowledgement.
      } while ((await source.reserve(job, tables)).order === start.order);
      await harness.write(["INSERT INTO plain (id, a) VALUES (3, 'z')"], 'COMMIT');
      const again = await source.reserve(job, tables);
      // A source may deliver the newest change once more.
      expect(again.order > start.order && again.order <= position.order).toBe(true);
      const changes = (await follow(position)).flat().filter((change) => change.kind === 'row');
      expect(changes).toHaveLength(1);
      expect((await follow(again)).flat()).toContainEqual(changes[0]);
    });

    test('a table that is included later is streamed with the others, from the same position', async () => {
      const plain = tables.filter(({ name }) => name === 'plain');
      const pair = tables.filter(({ name }) => name === 'pair');
      await expect(source.include(job, pair)).rejects.toMatchObject({ code: 'SLOT_MISSING' });
      expect(await harness.leftovers(job)).toEqual([]);
      const start = await source.reserve(job, plain);
      await source.include(job, pair);
      await source.include(job, pair);
      const statements = ["INSERT INTO plain (id, a) VALUES (1, 'x')", "INSERT INTO pair (k1, k2) VALUES ('k', 1)"];
      await harness.write(statements, 'COMMIT');
      const rows = (await follow(start)).flat().filter((change) => change.kind === 'row');
      expect(rows.map(({ table }) => table.name)).toEqual(['plain', 'pair']);
    });

    async function writeManyRows(): Promise<void> {
      const plain = Array.from({ length: 100 }, (_, id) => `INSERT INTO plain (id, big) VALUES (${id * 7 - 300}, 'v')`);
      const pairs = Array.from({ length: 60 }, (_, id) => `INSERT INTO pair (k1, k2) VALUES ('k${id % 7}', ${id})`);
      await harness.write([...plain, ...pairs], 'COMMIT');
    }

    async function readRange(table: Table, range: RangeMark): Promise<Row[]> {
      const chunk = await source.read(table, { range, limit: 13 });
      if (chunk.last === null) return [...chunk.rows];
      return [...chunk.rows, ...(await readRange(table, { ...range, after: keyMark(chunk.last) }))];
    }

    test('the chunks of all ranges hold every row exactly once, and so does a full read', async () => {
      await writeManyRows();
      for (const table of tables) {
        const rows: Row[] = [];
        for (const range of await source.ranges(table, 4)) rows.push(...(await readRange(table, range)));
        expect(sorted(rows)).toEqual(sorted(await harness.rows(table)));
        const all: Row[] = [];
        for await (const some of source.readAll(table)) all.push(...some);
        expect(sorted(all)).toEqual(sorted(rows));
      }
    });

    test('a chunk of wide rows ends at a size limit, and the next one continues after it', async () => {
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
      await writeManyRows();
      for (const table of tables) {
        const rows = await readRange(table, whole);
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

    test('an idle stream reports that it is alive, and ends with its job', async () => {
      const start = await source.reserve(job, tables);
      const stream = await source.stream(job, start, tables);
      const iterator = stream[Symbol.asyncIterator]();
      const first = await iterator.next();
      expect(first.done).not.toBe(true);
      const waiting = untilEnd(iterator);
      ended.abort();
      await waiting;
      ended = new AbortController();
      source = harness.open(ended.signal);
    });

    test('releasing a job leaves nothing behind, and can be repeated', async () => {
      await source.reserve(job, tables);
      await harness.write(["INSERT INTO plain (id, a) VALUES (1, 'x')"], 'COMMIT');
      expect(await harness.leftovers(job)).not.toEqual([]);
      await source.release(job);
      expect(await harness.leftovers(job)).toEqual([]);
      await source.release(job);
      await harness.write(["INSERT INTO plain (id, a) VALUES (2, 'x')"], 'COMMIT');
    });
  });
}

/** Tables as the stream delivers them. */
class Copy {
  readonly #tables: Map<string, Map<string, Row>>;

  constructor(tables = new Map<string, Map<string, Row>>()) {
    this.#tables = tables;
  }

  clone(): Copy {
    return new Copy(new Map([...this.#tables].map(([name, rows]) => [name, new Map(rows)])));
  }

  rows(table: Table): Row[] {
    return sorted([...this.#of(table).values()]);
  }

  replay(changes: readonly Change[]): void {
    for (const change of changes) {
      if (change.kind === 'truncate') for (const table of change.tables) this.#of(table).clear();
      if (change.kind === 'row') this.#row(change.table, change.before, change.after);
    }
  }

  #row(table: Table, before: Row | null, after: Row | null): void {
    const rows = this.#of(table);
    const old = before ?? after;
    if (!old) throw new Error('A change tells a row.');
    const from = keyText(keyOf(table, old));
    const known = rows.get(from);
    if (before) rows.delete(from);
    if (!after) return;
    const row = after.map((cell, column) => (cell === UNCHANGED ? (known?.[column] ?? null) : cell));
    rows.set(keyText(keyOf(table, row)), row);
  }

  #of(table: Table): Map<string, Row> {
    const rows = this.#tables.get(table.id) ?? new Map<string, Row>();
    this.#tables.set(table.id, rows);
    return rows;
  }
}

/** Transactions until the stream has passed a position. */
async function readUntil(stream: AsyncIterable<readonly Change[]>, end: Position): Promise<Change[][]> {
  const transactions: Change[][] = [];
  const open: Change[] = [];
  const iterator = stream[Symbol.asyncIterator]();
  for (let position: Position | null = null; !hasReached(position, end); ) {
    const { done, value } = await iterator.next();
    if (done) throw new Error('The stream ended by itself.');
    for (const change of value) {
      if (change.kind !== 'alive') open.push(change);
      if (change.kind === 'commit') transactions.push(open.splice(0));
      if (change.kind === 'commit' || change.kind === 'alive') position = change.position;
    }
  }
  return transactions;
}

async function untilEnd(iterator: AsyncIterator<unknown>): Promise<void> {
  try {
    while (!(await iterator.next()).done);
  } catch {
    // A source may end with the signal's error; what counts is that it ends.
  }
}

function commits(transactions: readonly Change[][]): Position[] {
  return transactions.flat().flatMap((change) => (change.kind === 'commit' ? [change.position] : []));
}

function begins(transactions: readonly Change[][]): string[] {
  return transactions.flat().flatMap((change) => (change.kind === 'begin' ? [change.transaction] : []));
}

function sorted(rows: readonly Row[]): Row[] {
  return [...rows].sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
}
