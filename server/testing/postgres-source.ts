import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { Change } from '../engine/change.ts';
import { hasReached, type Position } from '../engine/position.ts';
import type { ChangeStream } from '../engine/source.ts';
import { type PostgresSettings, postgresSettings } from '../engine/systems/postgresql/card.ts';
import { PostgresSource } from '../engine/systems/postgresql/source.ts';
import type { Table } from '../engine/table.ts';
import { createDatabase, dropDatabase, sessionWith } from './postgres.ts';

/** A test's own database, its user's session, and a source that reads it. */
export interface SourceDatabase {
  /** The database's address. */
  url: string;
  settings: PostgresSettings;
  source: PostgresSource;
  /** Ends all of the source's waits. */
  abort: AbortController;
  /** Runs statements as the superuser in the database; every cell is the server's text or null. */
  sql(text: string, values?: unknown[]): Promise<(string | null)[][]>;
  /** Another source for the same database. */
  open(settings?: Partial<PostgresSettings>): PostgresSource;
  /** The table as the catalogue describes it. */
  table(name: string): Promise<Table>;
  /** Creates a role that may sign in, and returns its name. */
  role(attributes: string): Promise<string>;
  /** Removes slots, publications, the database and its roles. */
  close(): Promise<void>;
}

/** A new job id, as used in slot names. */
export function newJob(): string {
  return `canal${randomBytes(6).toString('hex').slice(0, 11)}`;
}

export function settingsOf(url: string): PostgresSettings {
  const { hostname, port, pathname, username, password } = new URL(url);
  return postgresSettings.parse({
    host: hostname,
    port: Number(port),
    database: pathname.slice(1),
    user: username,
    password,
    tls: 'disable',
  });
}

/** Creates a database on a server, with a source for it. */
export async function openSourceDatabase(serverUrl: string): Promise<SourceDatabase> {
  const url = await createDatabase(serverUrl);
  const settings = settingsOf(url);
  const abort = new AbortController();
  const user = new pg.Client({
    connectionString: url,
    types: { getTypeParser: () => (text: string | Buffer) => text },
  });
  user.on('error', () => undefined);
  await user.connect();
  const sources: PostgresSource[] = [];
  const roles: string[] = [];
  const open = (changes: Partial<PostgresSettings> = {}) => {
    const source = new PostgresSource({ ...settings, ...changes }, abort.signal);
    sources.push(source);
    return source;
  };
  const source = open();
  const sql = async (text: string, values: unknown[] = []) => {
    const { rows } = await user.query<(string | null)[]>({ text, values, rowMode: 'array' });
    return rows ?? [];
  };
  return {
    url,
    settings,
    source,
    abort,
    sql,
    open,
    async table(name) {
      const found = (await source.catalog(['public'])).find((table) => table.name === name);
      if (!found) throw new Error(`The test created no table ${name}.`);
      return found;
    },
    async role(attributes) {
      const name = `role_${randomBytes(6).toString('hex')}`;
      await sql(`CREATE ROLE ${name} LOGIN ${attributes}`);
      roles.push(name);
      return name;
    },
    async close() {
      abort.abort();
      for (const one of sources) await one.close();
      await user.end();
      await dropDatabase(serverUrl, url);
      for (const role of roles) await sessionWith(serverUrl).query(`DROP ROLE ${role}`);
    },
  };
}

/**
 * Reads changes from a stream, from where the last call stopped, until it has delivered everything up to a position.
 */
export class Told {
  readonly #iterator: AsyncIterator<readonly Change[]>;
  readonly changes: Change[] = [];

  constructor(stream: ChangeStream) {
    this.#iterator = stream[Symbol.asyncIterator]();
  }

  /** @returns this call's changes */
  async until(position: Position): Promise<Change[]> {
    const start = this.changes.length;
    while (!this.changes.slice(start).some((change) => reaches(change, position))) {
      const { done, value } = await this.#iterator.next();
      if (done) throw new Error('The stream ended before the position.');
      this.changes.push(...value);
    }
    return this.changes.slice(start);
  }

  /** The error that ends the stream. */
  async failure(): Promise<unknown> {
    try {
      while (await this.next());
    } catch (error) {
      return error;
    }
    return undefined;
  }

  /** The stream's next item; undefined at its end. */
  async next(): Promise<readonly Change[] | undefined> {
    const { done, value } = await this.#iterator.next();
    if (!done) this.changes.push(...value);
    return done ? undefined : value;
  }
}

function reaches(change: Change, position: Position): boolean {
  return (change.kind === 'commit' || change.kind === 'alive') && hasReached(change.position, position);
}
