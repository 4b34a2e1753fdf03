/** Compiled pages by the hash of what they are made of, in one SQLite file; bodies are read when a page is shown. */
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

/** A compiled page as it is stored: facts as JSON, the body as packed JSON. */
export interface StoredPage {
  facts: string;
  body: Uint8Array;
}

export interface ContentCache {
  facts(key: string): string | undefined;
  body(key: string): Uint8Array | undefined;
  put(pages: Iterable<readonly [key: string, page: StoredPage]>): void;
  /** Small facts about other files, e.g. the size of a picture. */
  note(key: string): string | undefined;
  putNote(key: string, value: string): void;
  /** Marks what is used and forgets what has not been for a long time. */
  keep(keys: Iterable<string>): void;
  close(): void;
  /** Why nothing is kept for the next start. */
  warning?: string;
}

const schema = `
  CREATE TABLE IF NOT EXISTS facts (key TEXT PRIMARY KEY, json TEXT NOT NULL, used INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS body (key TEXT PRIMARY KEY, data BLOB NOT NULL);
  CREATE TABLE IF NOT EXISTS note (key TEXT PRIMARY KEY, value TEXT NOT NULL);
`;
const today = (): number => Math.floor(Date.now() / 86_400_000);
const keptDays = 60;

/** Opens the cache; where the folder cannot be written, pages live in memory. */
export function openCache(dataDir: string, seedCacheFile?: string): ContentCache {
  const { database, warning } = openDatabase(dataDir);
  const own = statements(database);
  const seedDatabase = seedCacheFile && existsSync(seedCacheFile) ? openSeed(seedCacheFile) : undefined;
  const seed = seedDatabase && statements(seedDatabase);
  return {
    ...(warning && { warning }),
    facts: (key) => textOf(own.facts, key, 'json') ?? (seed && textOf(seed.facts, key, 'json')),
    body: (key) => dataOf(own.body, key) ?? (seed && dataOf(seed.body, key)),
    note: (key) => textOf(own.note, key, 'value') ?? (seed && textOf(seed.note, key, 'value')),
    putNote: (key, value) => void own.putNote.run(key, value),
    put(pages) {
      database.exec('BEGIN IMMEDIATE');
      for (const [key, page] of pages) {
        own.putFacts.run(key, page.facts, today());
        own.putBody.run(key, page.body);
      }
      database.exec('COMMIT');
    },
    keep: (keys) => keep(database, keys),
    close() {
      database.close();
      seedDatabase?.close();
    },
  };
}

function openDatabase(dataDir: string): { database: DatabaseSync; warning?: string } {
  const file = join(dataDir, 'content-cache.sqlite');
  try {
    mkdirSync(dataDir, { recursive: true });
    try {
      return { database: prepared(new DatabaseSync(file)) };
    } catch (error) {
      if (!existsSync(file) || !/not a database|malformed|corrupt/i.test(String(error))) throw error;
      // It is only a cache: a damaged file is made anew.
      for (const ending of ['', '-wal', '-shm']) rmSync(file + ending, { force: true });
      return { database: prepared(new DatabaseSync(file)) };
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const warning = `Compiled content is kept in memory only, because ${file} cannot be written: ${reason}`;
    return { database: prepared(new DatabaseSync(':memory:')), warning };
  }
}

function prepared(database: DatabaseSync): DatabaseSync {
  database.exec(
    'PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA busy_timeout=5000; PRAGMA cache_size=-4000;',
  );
  database.exec(schema);
  // Finds out now that the file cannot be written, not in the middle of the work.
  database.exec("BEGIN IMMEDIATE; INSERT OR REPLACE INTO note VALUES ('opened', '1'); COMMIT;");
  return database;
}

/** A seed that cannot be read is no loss. */
function openSeed(file: string): DatabaseSync | undefined {
  try {
    // The image's layer may be read-only, and then SQLite cannot make its lock files.
    const address = pathToFileURL(file);
    address.search = '?immutable=1';
    const database = new DatabaseSync(address, { readOnly: true });
    database.exec('SELECT key FROM facts LIMIT 1; SELECT key FROM body LIMIT 1; SELECT key FROM note LIMIT 1');
    return database;
  } catch {
    return undefined;
  }
}

function statements(database: DatabaseSync) {
  return {
    facts: database.prepare('SELECT json FROM facts WHERE key = ?'),
    body: database.prepare('SELECT data FROM body WHERE key = ?'),
    note: database.prepare('SELECT value FROM note WHERE key = ?'),
    putFacts: database.prepare('INSERT OR REPLACE INTO facts VALUES (?, ?, ?)'),
    putBody: database.prepare('INSERT OR REPLACE INTO body VALUES (?, ?)'),
    putNote: database.prepare('INSERT OR REPLACE INTO note VALUES (?, ?)'),
  };
}

function textOf(statement: StatementSync, key: string, column: string): string | undefined {
  const value = statement.get(key)?.[column];
  return typeof value === 'string' ? value : undefined;
}

function dataOf(statement: StatementSync, key: string): Uint8Array | undefined {
  const value = statement.get(key)?.data;
  return value instanceof Uint8Array ? value : undefined;
}

/** Writes at most once a day and page; a start that changes nothing writes nothing. */
function keep(database: DatabaseSync, keys: Iterable<string>): void {
  const old = new Set(
    database
      .prepare('SELECT key FROM facts WHERE used < ?')
      .all(today())
      .map((row) => String(row.key)),
  );
  if (old.size === 0) return;
  const touch = database.prepare('UPDATE facts SET used = ? WHERE key = ?');
  database.exec('BEGIN IMMEDIATE');
  for (const key of keys) if (old.has(key)) touch.run(today(), key);
  database.prepare('DELETE FROM facts WHERE used < ?').run(today() - keptDays);
  database.exec('DELETE FROM body WHERE key NOT IN (SELECT key FROM facts); COMMIT');
}
