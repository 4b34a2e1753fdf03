import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';

/** How long until a server that does not answer is asked again, in milliseconds. */
const againMs = 50;

/** A test's own database session, reopened when its server was killed. */
export class TestDatabase {
  readonly url: string;
  #client: Promise<pg.Client> | undefined;
  #closed = false;

  /** @param url of a database; its `options` apply to each session */
  constructor(url: string) {
    this.url = url;
  }

  /**
   * A statement's rows, as arrays of texts and numbers. It waits for a server that is down, so a statement that writes
   * may run twice.
   */
  async ask(text: string): Promise<unknown[][]> {
    for (;;) {
      const session = this.#session();
      try {
        const { rows } = await (await session).query<unknown[]>({ text, rowMode: 'array' });
        return rows;
      } catch (error) {
        if (this.#closed || !isAway(error)) throw error;
        this.#forget(session);
        await wait(againMs);
      }
    }
  }

  /** Runs statements once. @returns how many rows they changed */
  async change(text: string): Promise<number> {
    const session = this.#session();
    try {
      const told: pg.QueryResult | pg.QueryResult[] = await (await session).query(text);
      return [told]
        .flat()
        .reduce((sum, { command, rowCount }) => sum + (isChange.test(command) ? (rowCount ?? 0) : 0), 0);
    } catch (error) {
      if (isAway(error)) this.#forget(session);
      else await (await session).query('ROLLBACK');
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await (await this.#client?.catch(() => undefined))?.end(); // a session that never began needs no end
  }

  #session(): Promise<pg.Client> {
    this.#client ??= this.#open();
    return this.#client;
  }

  async #open(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: this.url });
    // A session that ends between two statements is noticed by the next one.
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }

  #forget(gone: Promise<pg.Client>): void {
    if (this.#client === gone) this.#client = undefined;
    void gone.then((client) => client.end()).catch(() => undefined); // it has already ended
  }
}

/** The driver's own message about a lost session. */
const isOfDriver = /^(?:Connection terminated|Client has encountered a connection error|Client was closed)/;

const isChange = /^(?:INSERT|UPDATE|DELETE)$/;

/** Whether a server was killed, is starting, or closed the session. */
export function isAway(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return /^(?:57P|08)/.test(error.code ?? '');
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return /^(?:ECONNREFUSED|ECONNRESET|EPIPE)$/.test(code) || isOfDriver.test(error.message);
}
