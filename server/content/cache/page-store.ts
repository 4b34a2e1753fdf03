import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import type { PackedPage } from '../packed-page.ts';

/** A row's content differs from what was written there. */
class DamagedRowError extends Error {}

/**
 * Compiled pages in one SQLite database. Each row has a checksum, because SQLite itself does not see a flipped byte.
 */
export interface PageStore {
  /** Facts as JSON; like every read, it throws DamagedRowError, or an SQLite error when the file is unusable. */
  facts(key: string): string | undefined;
  body(key: string): Uint8Array | undefined;
  note(key: string): string | undefined;
  /** Writes all or nothing. */
  put(pages: Iterable<readonly [key: string, page: PackedPage]>): void;
  putNote(key: string, value: string): void;
  /**
   * Marks pages as used today and forgets those that have not been used for `days`; notes of that age are taken again.
   */
  keep(keys: Iterable<string>, days: number): void;
  close(): void;
}

export interface PageStoreOptions {
  /** Days since 1970. */
  today: number;
  /** The file stops growing at this size; further writes fail as on a full disk. */
  maxBytes?: number;
  /** How long to wait for another process that holds the file; without it, no wait. */
  busyMs?: number;
  readOnly?: boolean;
}

/** Raised with every change to the tables: a file with another layout cannot be used. */
const layout = 2;
const pageBytes = 4096;
const tables = `
  CREATE TABLE facts (key TEXT PRIMARY KEY, value TEXT NOT NULL, sum INTEGER NOT NULL, used INTEGER NOT NULL);
  CREATE TABLE body (key TEXT PRIMARY KEY, value BLOB NOT NULL, sum INTEGER NOT NULL);
  CREATE TABLE note (key TEXT PRIMARY KEY, value TEXT NOT NULL, sum INTEGER NOT NULL, written INTEGER NOT NULL);
  PRAGMA user_version = ${layout};
`;

/**
 * Opens a database, or creates one.
 * @param location a path, `:memory:`, or a `file:` address with SQLite's options
 * @throws when it cannot be opened, is damaged, or is not one of ours
 */
export function openPageStore(location: string | URL, options: PageStoreOptions): PageStore {
  const database = new DatabaseSync(location, { readOnly: options.readOnly ?? false, timeout: options.busyMs ?? 0 });
  try {
    // Damage is detected and repaired, so no write waits for the disk. No write-ahead log: its second file is mapped
    // into memory, and truncating it kills the process.
    database.exec('PRAGMA cache_size=-4000; PRAGMA synchronous=OFF;');
    check(database);
    if (!options.readOnly) prepareToWrite(database, options.maxBytes);
    return storeOn(database, options);
  } catch (error) {
    database.close();
    throw error;
  }
}

function check(database: DatabaseSync): void {
  const found = database.prepare('PRAGMA quick_check(1)').get()?.quick_check;
  if (found !== 'ok') throw new Error(`it is damaged: ${String(found)}`);
  const isEmpty = database.prepare('SELECT 1 FROM sqlite_schema').get() === undefined;
  const version = database.prepare('PRAGMA user_version').get()?.user_version;
  if (!isEmpty && version !== layout) throw new Error('it was created by another version or another program.');
}

function prepareToWrite(database: DatabaseSync, maxBytes: number | undefined): void {
  database.exec('PRAGMA journal_mode=TRUNCATE;');
  if (maxBytes !== undefined) database.exec(`PRAGMA max_page_count=${Math.ceil(maxBytes / pageBytes)}`);
  if (database.prepare('SELECT 1 FROM sqlite_schema').get()) return;
  inTransaction(database, () => {
    // Another process may have been faster.
    if (!database.prepare('SELECT 1 FROM sqlite_schema').get()) database.exec(tables);
  });
}

function storeOn(database: DatabaseSync, { today, readOnly }: PageStoreOptions): PageStore {
  const facts = database.prepare('SELECT value, sum FROM facts WHERE key = ?');
  const body = database.prepare('SELECT value, sum FROM body WHERE key = ?');
  const note = database.prepare('SELECT value, sum FROM note WHERE key = ?');
  const putFacts = database.prepare('INSERT OR REPLACE INTO facts (key, value, sum, used) VALUES (?, ?, ?, ?)');
  const putBody = database.prepare('INSERT OR REPLACE INTO body (key, value, sum) VALUES (?, ?, ?)');
  const putNote = database.prepare('INSERT OR REPLACE INTO note (key, value, sum, written) VALUES (?, ?, ?, ?)');
  return {
    facts: (key) => textOf(facts, key),
    body: (key) => bytesOf(body, key),
    note: (key) => textOf(note, key),
    put: (pages) =>
      inTransaction(database, () => {
        for (const [key, page] of pages) {
          putFacts.run(key, page.facts, sumOf(key, page.facts), today);
          putBody.run(key, page.body, sumOf(key, page.body));
        }
      }),
    putNote: (key, value) => void putNote.run(key, value, sumOf(key, value), today),
    keep: (keys, days) => !readOnly && keep(database, keys, today, today - days),
    close: () => database.close(),
  };
}

/** Covers the key too: a row must not answer for another. */
function sumOf(key: string, value: string | Uint8Array): number {
  return crc32(value, crc32(key));
}

function textOf(statement: StatementSync, key: string): string | undefined {
  const row = statement.get(key);
  if (row === undefined) return undefined;
  if (typeof row.value === 'string' && sumOf(key, row.value) === row.sum) return row.value;
  throw new DamagedRowError(key);
}

function bytesOf(statement: StatementSync, key: string): Uint8Array | undefined {
  const row = statement.get(key);
  if (row === undefined) return undefined;
  if (row.value instanceof Uint8Array && sumOf(key, row.value) === row.sum) return row.value;
  throw new DamagedRowError(key);
}

function inTransaction(database: DatabaseSync, change: () => void): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    change();
    database.exec('COMMIT');
  } catch (error) {
    // A full disk has already ended it.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/** Writes at most once per day and page; a start that changes nothing writes nothing. */
function keep(database: DatabaseSync, keys: Iterable<string>, today: number, oldest: number): void {
  const usedBefore = database.prepare('SELECT key FROM facts WHERE used < ?').all(today);
  if (usedBefore.length === 0) return;
  const old = new Set(usedBefore.map((row) => row.key));
  const touch = database.prepare('UPDATE facts SET used = ? WHERE key = ?');
  inTransaction(database, () => {
    for (const key of keys) if (old.has(key)) touch.run(today, key);
    database.prepare('DELETE FROM facts WHERE used < ?').run(oldest);
    database.exec('DELETE FROM body WHERE key NOT IN (SELECT key FROM facts)');
    database.prepare('DELETE FROM note WHERE written < ?').run(oldest);
  });
}
