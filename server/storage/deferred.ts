import { setTimeout as delay } from 'node:timers/promises';
import { errorMessage } from '../error-message.ts';
import type { Log } from '../log.ts';
import { RecurringFault } from '../recurring-fault.ts';
import { type Database, StorageRefused, StorageSilent } from './database.ts';

const againMs = 3_000;
/** A read-only store answers some requests and refuses others: it answers again after this long without a failure. */
const quietMs = 5_000;

/** A database that may open after its users have started. */
export interface DeferredDatabase extends Database {
  /** Whether it is open. */
  isOpen(): boolean;
  /** Resolves once it is open; never if it is closed first. */
  readonly opened: Promise<void>;
}

/**
 * Opens a database: now or, if it does not answer, as soon as it does. Until then every request to it fails with
 * StorageSilent.
 * @param open opens it and checks that it can be used; once the server runs, any failure is logged and retried
 * @throws what the first call of `open` throws when an operator must correct a setting: StorageRefused and everything
 * else but StorageSilent
 */
export async function openDeferred(
  kind: Database['kind'],
  open: () => Promise<Database>,
  log: Log,
): Promise<DeferredDatabase> {
  const beginFault = () =>
    new RecurringFault(log, {
      lasts: 'the store cannot be opened: pages are served, calls get 503, and opening is retried every few seconds',
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
    // While fixing it, the operator sees at once what is still wrong.
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

  /** Logs a store that does not answer once, and not for each call, task and health check. */
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
