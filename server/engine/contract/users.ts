import type { Random } from './random.ts';

/** What a user sends in one transaction, in SQL that every family understands. */
export interface UserTransaction {
  statements: string[];
  end: 'COMMIT' | 'ROLLBACK';
}

/** Tables that the source contract's users write to; a harness creates them in its family's SQL. */
export const userTables = {
  /** Columns id (integer, primary key), a and big (text), code (text, unique). */
  plain: 'plain',
  /** Columns big (text), k1 (text) and k2 (integer) as primary key, code (text, unique). */
  pair: 'pair',
} as const;

type Name = keyof typeof userTables;

/** The unique code, by key. */
type State = Record<Name, Map<string, string | null>>;

const keys = 30;

/** A seeded stream of user actions; no statement fails, since it remembers the rows. */
export class Users {
  readonly #random: Random;
  readonly #truncate: (table: string) => string;
  readonly #count: (kind: string) => void;
  #state: State = { plain: new Map(), pair: new Map() };
  #values = 0;

  /** @param truncate the statement that empties a table */
  constructor(random: Random, truncate: (table: string) => string, count: (kind: string) => void) {
    this.#random = random;
    this.#truncate = truncate;
    this.#count = count;
  }

  next(): UserTransaction {
    const before = structuredClone(this.#state);
    const size = this.#random.chance(0.05) ? 200 : 1 + this.#random.below(5);
    if (size === 200) this.#count('large transaction');
    const statements: string[] = [];
    while (statements.length < size) statements.push(...this.#statements());
    if (!this.#random.chance(0.1)) return { statements, end: 'COMMIT' };
    this.#count('rollback');
    this.#state = before;
    return { statements, end: 'ROLLBACK' };
  }

  #statements(): string[] {
    const table = this.#random.pick<Name>(['plain', 'pair']);
    const rows = this.#state[table];
    const kind = rows.size < 3 ? 0 : this.#random.below(100);
    if (kind < 30) return this.#insert(table);
    const key = this.#random.pick([...rows.keys()]);
    if (kind < 55) return this.#did('update', `UPDATE ${table} SET big = '${this.#text()}' WHERE ${where(table, key)}`);
    if (kind < 70) return this.#delete(table, key);
    if (kind < 80) return this.#move(table, key);
    if (kind < 88) return this.#handOver(table, key, this.#random.pick([...rows.keys()]));
    if (kind < 94) return [...this.#delete(table, key), ...this.#insert(table, key)];
    if (kind < 98) return this.#savepoint(table);
    return this.#empty(table);
  }

  #did(kind: string, ...statements: string[]): string[] {
    this.#count(kind);
    return statements;
  }

  #insert(table: Name, key = this.#freeKey(table)): string[] {
    if (!key) return [];
    const code = this.#random.chance(0.5) ? this.#text() : null;
    this.#state[table].set(key, code);
    const columns = table === 'plain' ? 'id, a, big, code' : 'k1, k2, big, code';
    const other = table === 'plain' ? `${key}, '${this.#text()}'` : key;
    return this.#did(
      'insert',
      `INSERT INTO ${table} (${columns}) VALUES (${other}, '${this.#text()}', ${literal(code)})`,
    );
  }

  #delete(table: Name, key: string): string[] {
    this.#state[table].delete(key);
    return this.#did('delete', `DELETE FROM ${table} WHERE ${where(table, key)}`);
  }

  #move(table: Name, key: string): string[] {
    const to = this.#freeKey(table);
    const rows = this.#state[table];
    if (!to) return [];
    rows.set(to, rows.get(key) ?? null);
    rows.delete(key);
    const set = table === 'plain' ? `id = ${to}` : to.replace(/(.*), (.*)/, 'k1 = $1, k2 = $2');
    return this.#did('key change', `UPDATE ${table} SET ${set} WHERE ${where(table, key)}`);
  }

  /** Hands a unique value from row to row. */
  #handOver(table: Name, giver: string, taker: string): string[] {
    const rows = this.#state[table];
    const code = rows.get(giver) ?? null;
    if (giver === taker || code === null) return [];
    rows.set(giver, null);
    rows.set(taker, code);
    return this.#did(
      'unique value handed over',
      `UPDATE ${table} SET code = NULL WHERE ${where(table, giver)}`,
      `UPDATE ${table} SET code = '${code}' WHERE ${where(table, taker)}`,
    );
  }

  #savepoint(table: Name): string[] {
    const before = structuredClone(this.#state);
    const undone = this.#insert(table);
    this.#state = before;
    return this.#did('savepoint', 'SAVEPOINT one', ...undone, 'ROLLBACK TO SAVEPOINT one', 'RELEASE SAVEPOINT one');
  }

  #empty(table: Name): string[] {
    this.#state[table].clear();
    return this.#did('truncate', this.#truncate(table));
  }

  /** The literals of a key that no row has. */
  #freeKey(table: Name): string | undefined {
    const number = this.#random.below(keys);
    const key = table === 'plain' ? String(number) : `'k${number % 5}', ${Math.floor(number / 5)}`;
    return this.#state[table].has(key) ? undefined : key;
  }

  #text(): string {
    return `v${this.#values++}`;
  }
}

function where(table: Name, key: string): string {
  return table === 'plain' ? `id = ${key}` : `(k1, k2) = (${key})`;
}

function literal(text: string | null): string {
  return text === null ? 'NULL' : `'${text}'`;
}
