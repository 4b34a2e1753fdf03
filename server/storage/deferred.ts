import { setTimeout as delay } from 'node:timers/promises';
import { errorMessage } from '../error-message.ts';
import type { Log } from '../log.ts';
import { RecurringFault } from '../recurring-fault.ts';
import { type Database, StorageRefused, StorageSilent } from './database.ts';

const againMs = 3_000;
/** A store that only reads answers some and refuses others in turns: it answers again after this long without a failure. */
const quietMs = 5_000;

/** A database that may be opened later than its users start. */
export interface DeferredDatabase extends Database {
  /** Whether it is open. */
  isOpen(): boolean;
  /** Resolves once it is open; never when it is closed before. */
  readonly opened: Promise<void>;
}

/**
 * Opens a database: now or, where it does not answer, as soon as it does. Until then whatever is asked of it fails with
 * StorageSilent.
 * @param open opens it and sees that it may be used; once the server runs, any failure is told and tried again
 * @throws what the first call of `open` throws where a setting is wrong, which a person has to mend: all but StorageSilent,
 * and StorageRefused
 */
export async function openDeferred(
  kind: Database['kind'],
  open: () => Promise<Database>,
  log: Log,
): Promise<DeferredDatabase> {
  const beginFault = () =>
    new RecurringFault(log, {
      lasts: 'the store cannot be opened: pages are served, calls get 503, and it is tried again every few seconds',
      over: 'the store is open',
    });
  let fault = beginFault();
  const silence = new RecurringFault(log, {
    lasts: 'the store does not answer: calls get 503',
    over: 'the store answers again',
  });
  let silentAt = Number.NEGATIVE_INFINITY;
  const opened = Promise.withResolvers<void>();
  const closing = new AbortController();
  let database: Database | undefined;
  let reason: unknown;

  async function attempt(): Promise<void> {
    database = await open();
    fault.succeeded();
    opened.resolve();
  }

  function note(error: unknown): void {
    // Whoever mends it sees at once what is still wrong.
    if (reason !== undefined && errorMessage(error) !== errorMessage(reason)) fault = beginFault();
    reason = error;
    fault.failed(error);
  }

  async function attemptUntilOpen(): Promise<void> {
    while (!database) {
      try {
        await delay(againMs, undefined, { signal: closing.signal });
      } catch {
        return; // closed
      }
      await attempt().catch(note);
    }
  }

  function openDatabase(): Database {
    if (database) return database;
    throw new StorageSilent('The store is not open', { cause: reason });
  }

  /** Tells a store that does not answer once, and not for each call, task and health check. */
  async function ask<Result>(work: (store: Database) => Promise<Result>): Promise<Result> {
    const store = openDatabase();
    try {
      const result = await work(store);
      if (performance.now() - silentAt > quietMs) silence.succeeded();
      return result;
    } catch (error) {
      if (error instanceof StorageSilent) {
        silentAt = performance.now();
        silence.failed(error);
      }
      throw error;
    }
  }

  await attempt().catch((error: unknown) => {
    if (!(error instanceof StorageSilent) || error instanceof StorageRefused) throw error;
    note(error);
  });
  const trying = attemptUntilOpen();

  return {
    kind,
    isOpen: () => database !== undefined,
    opened: opened.promise,
    all: (schema, sql, parameters) => ask((store) => store.all(schema, sql, parameters)),
    one: (schema, sql, parameters) => ask((store) => store.one(schema, sql, parameters)),
    run: (sql, parameters) => ask((store) => store.run(sql, parameters)),
    script: (sql) => ask((store) => store.script(sql)),
    transaction: (work) => ask((store) => store.transaction(work)),
    exclusively: (work) => ask((store) => store.exclusively(work)),
    hold: (lock) => ask((store) => store.hold(lock)),
    isHeld: (lock) => ask((store) => store.isHeld(lock)),
    async close() {
      closing.abort();
      await trying;
      await database?.close();
    },
  };
}
