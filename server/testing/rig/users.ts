import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { Random } from '../../engine/contract/random.ts';
import { isAway, TestDatabase } from './database.ts';

/** The source's tables; `pulse` counts each user's transactions. */
export const tables = ['account', 'entry', 'document', 'reading', 'pulse'] as const;

/** Rows that one transaction changes now and then. */
const largeRows = 10_000;

export const schema = `
  CREATE TYPE mood AS ENUM ('calm', 'It''s "quoted"');
  CREATE TABLE account (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text UNIQUE, balance numeric,
    feeling mood, doubled numeric GENERATED ALWAYS AS (balance * 2) STORED);
  CREATE TABLE entry (year int, number int, account bigint REFERENCES account ON DELETE SET NULL, note text,
    PRIMARY KEY (year, number));
  CREATE TABLE document (id text PRIMARY KEY, body text, tags text[], title text, CHECK (title <> ''));
  ALTER TABLE document ALTER body SET STORAGE EXTERNAL;
  CREATE INDEX document_title ON document (title);
  CREATE TABLE reading (id int PRIMARY KEY, value int);
  CREATE TABLE pulse (id int PRIMARY KEY, n bigint NOT NULL);
  INSERT INTO account (name, balance, feeling) SELECT 'account ' || i, i, 'calm' FROM generate_series(1, 1000) i;
  INSERT INTO entry SELECT 2000 + i % 20, i, 1 + i % 1000, 'note' FROM generate_series(1, 3000) i;
  INSERT INTO document SELECT 'd' || i, repeat(i::text, 900), ARRAY['a', NULL, i::text], 'title' FROM generate_series(1, 400) i;
  INSERT INTO reading SELECT i, 0 FROM generate_series(1, ${largeRows}) i;
  INSERT INTO pulse SELECT i, 0 FROM generate_series(0, 9) i`;

/** One transaction that is larger than a slice of the rig's own jobs. */
export const writeLarge = 'UPDATE reading SET value = value + 1';

/** Which users write, and how often each commits. */
const userCount = 3;
const everyMs = 80;
/**
 * Conflicts between users: deadlocks, each other's unique values, and accounts that another one deletes; and a cancel
 * that was meant for a wait, and arrived in the statement after it.
 */
const isTheirOwn = (error: unknown) =>
  isDeadlock(error) || (error instanceof pg.DatabaseError && /^(?:23505|23503|57014)$/.test(error.code ?? ''));

export function isDeadlock(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '40P01';
}

/** Users who write to the source until they are stopped, about a thousand changes a second together. */
export class Users {
  readonly #random: Random;
  readonly #all: Promise<void>[];
  readonly #begun = performance.now();
  /** What they wait for before they write; undefined when nothing holds them back. */
  #hold: PromiseWithResolvers<void> | undefined;
  #stopped = false;
  changes = 0;

  /** @param onFailure receives what keeps one of them from writing */
  constructor(url: string, random: Random, onFailure: (error: unknown) => void) {
    this.#random = random;
    this.#all = Array.from({ length: userCount }, (_, number) => this.#write(new TestDatabase(url), number + 1));
    for (const one of this.#all) one.catch(onFailure);
  }

  /** Changes a second so far. */
  get rate(): number {
    return (1_000 * this.changes) / (performance.now() - this.#begun);
  }

  /** No user begins another transaction. */
  holdBack(): void {
    this.#hold ??= Promise.withResolvers<void>();
  }

  goOn(): void {
    this.#hold?.resolve();
    this.#hold = undefined;
  }

  /** Resolves with each user's last commit. @throws what kept one of them from writing */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.goOn();
    await Promise.all(this.#all);
  }

  async #write(database: TestDatabase, user: number): Promise<void> {
    for (let due = performance.now(); !this.#stopped; due += everyMs) {
      // No one makes up for what a server missed while it was down.
      due = Math.max(due, performance.now() - everyMs);
      await wait(Math.max(0, due - performance.now()));
      await this.#hold?.promise;
      try {
        this.changes += await database.change(`BEGIN; ${this.#statements(user)}; ${this.#end()}`);
      } catch (error) {
        if (!isAway(error) && !isTheirOwn(error)) throw error;
      }
    }
    await database.close();
  }

  #end(): string {
    return this.#random.chance(0.05) ? 'ROLLBACK' : 'COMMIT';
  }

  #statements(user: number): string {
    const random = this.#random;
    const account = 1 + random.below(1_000);
    const entry = random.below(3_000);
    const offset = random.below(300);
    const some = (count: number) =>
      `id IN (SELECT id FROM document ORDER BY id OFFSET ${offset} LIMIT ${count} FOR UPDATE)`;
    const kinds = [
      `INSERT INTO account (name, balance) SELECT 'new ' || gen_random_uuid(), 1.10 FROM generate_series(1, 5)`,
      `UPDATE account SET balance = balance + 0.01, feeling = 'It''s "quoted"' WHERE id BETWEEN ${account} AND ${account + 25}`,
      `UPDATE account SET name = 'tmp ' || gen_random_uuid() WHERE id BETWEEN ${account} AND ${account + 1};
        UPDATE account SET name = 'account ' || ${account} WHERE id = ${account + 1}`,
      `DELETE FROM account WHERE id IN (SELECT id FROM account ORDER BY id DESC LIMIT 4 FOR UPDATE)`,
      `INSERT INTO entry SELECT 2000 + i % 20, i, 1 + i % 900, 'again' FROM generate_series(${entry}, ${entry + 10}) i
        ON CONFLICT DO NOTHING`,
      `UPDATE entry SET number = -number, note = NULL WHERE number BETWEEN ${entry} AND ${entry + 9}`,
      `UPDATE entry SET note = 'noted by ${user}' WHERE number BETWEEN ${entry} AND ${entry + 35}`,
      `DELETE FROM entry WHERE abs(number) BETWEEN ${entry} AND ${entry + 9}`,
      // Large values are not in the log when they do not change.
      `UPDATE document SET title = 'partial ' || n FROM pulse WHERE pulse.id = ${user} AND document.${some(12)}`,
      `UPDATE document SET id = 'moved ' || gen_random_uuid() WHERE ${some(4)}`,
      `UPDATE document SET id = 'moved ' || gen_random_uuid(), body = repeat('${entry}', 700) WHERE ${some(2)}`,
      `DELETE FROM document WHERE ${some(4)};
        INSERT INTO document SELECT 'n' || gen_random_uuid(), repeat('${entry}', 900), '{}', 'new' FROM generate_series(1, 4)`,
      `WITH gone AS (DELETE FROM document WHERE ${some(1)} RETURNING *) INSERT INTO document SELECT id, title, tags, title FROM gone`,
    ];
    const rare = [
      // When commits wait for a standby, this one does not.
      [0.3, 'SET LOCAL synchronous_commit = local'],
      [0.004, writeLarge],
      [
        0.001,
        `TRUNCATE document; INSERT INTO document SELECT 'd' || i, repeat(i::text, 900), '{}', 'after' FROM generate_series(1, 400) i`,
      ],
    ] as const;
    return [
      `UPDATE pulse SET n = n + 1 WHERE id = ${user}`,
      ...Array.from({ length: 4 }, () => random.pick(kinds)),
      ...rare.flatMap(([chance, statement]) => (random.chance(chance) ? [statement] : [])),
    ].join('; ');
  }
}
