import type pg from 'pg';
import type { ZodType } from 'zod';
import { EngineError, type ErrorPlace } from '../../errors.ts';
import type { PostgresSettings } from './card.ts';
import { beganInRecovery, connect, type SessionOptions } from './connect.ts';
import { engineError } from './errors.ts';

/** Sessions that are kept open for reuse. */
const keptSessions = 4;
/** How often a question is asked before the retry is left to the job. */
const askAttempts = 5;

/** Sessions of one side, opened on demand; as many at once as there are users. */
export class Sessions {
  readonly #settings: PostgresSettings;
  readonly #options: SessionOptions;
  readonly #idle = new Set<pg.Client>();
  #closed = false;

  constructor(settings: PostgresSettings, options: SessionOptions) {
    this.#settings = settings;
    this.#options = options;
  }

  /**
   * Lends a session. After an error, it is not reused, so that no transaction is left open.
   * @throws EngineError
   */
  async use<T>(work: (session: pg.Client) => Promise<T>, place: ErrorPlace = {}): Promise<T> {
    const session = await this.#take();
    try {
      const result = await work(session);
      await this.#putBack(session);
      return result;
    } catch (error) {
      session.connection.stream.destroy();
      const told = engineError(error, { side: this.#options.side, ...place });
      throw beganInRecovery(session) ? inRecovery(told) : told;
    }
  }

  /**
   * Lends a session for read-only work, which is repeated after a server fault: for example, if a table was dropped
   * while it was read.
   * @throws EngineError
   */
  async ask<T>(work: (session: pg.Client) => Promise<T>, place: ErrorPlace = {}): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.use(work, place);
      } catch (error) {
        const isOfServer = error instanceof EngineError && error.code === 'SERVER_FAULT';
        if (!isOfServer || attempt === askAttempts) throw error;
      }
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#idle].map((session) => session.end()));
    this.#idle.clear();
  }

  async #take(): Promise<pg.Client> {
    if (this.#closed || this.#options.signal.aborted)
      throw new EngineError('CONNECTION_LOST', { side: this.#options.side });
    // The one used last: each session that asks something new reads the catalogue into its own memory first.
    const session = [...this.#idle].at(-1);
    if (!session) return await this.#open();
    this.#idle.delete(session);
    return session;
  }

  async #open(): Promise<pg.Client> {
    const session = await connect(this.#settings, this.#options);
    session.once('end', () => this.#idle.delete(session));
    return session;
  }

  async #putBack(session: pg.Client): Promise<void> {
    // A session that was cut off in the middle of an answer cannot be reused.
    if (session.connection.stream.destroyed) return;
    if (this.#closed || this.#idle.size >= keptSessions) await session.end();
    else this.#idle.add(session);
  }
}

/** SQLSTATEs of what only a primary can do: report the end of its log, and write. */
const onlyPrimary = ['55000', '25006'];

/** A standby that replaces a primary is promoted at some point; the job waits for that. */
function inRecovery(error: EngineError): EngineError {
  if (!onlyPrimary.includes(error.place.state ?? '')) return error;
  return new EngineError('SERVER_SHUTTING_DOWN', { ...error.place, subject: 'a standby that has not been promoted' });
}

/**
 * Queries rows whose only column is JSON text.
 * @throws EngineError
 */
export async function askJson<T>(
  session: pg.ClientBase,
  schema: ZodType<T>,
  text: string,
  values: readonly unknown[] = [],
): Promise<T[]> {
  const { rows } = await session.query<[string]>({ text, values: [...values], rowMode: 'array' });
  return rows.map(([json]) => schema.parse(JSON.parse(json)));
}

/** Queries one row of texts. @throws EngineError */
export async function askRow(
  session: pg.ClientBase,
  text: string,
  values: readonly unknown[] = [],
): Promise<(string | null)[]> {
  const { rows } = await session.query<(string | null)[]>({ text, values: [...values], rowMode: 'array' });
  return rows[0] ?? [];
}
