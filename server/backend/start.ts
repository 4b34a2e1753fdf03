import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ConsoleConfig } from '../config/console.ts';
import { storeFile } from '../console/data-dir.ts';
import { openStore } from '../console/open-store.ts';
import { startTasks } from '../console/tasks/run-tasks.ts';
import { scheduleTask } from '../console/tasks/schedule-task.ts';
import type { RequestLevel } from '../http/access-log.ts';
import { drain } from '../http/drain.ts';
import { listen } from '../http/listen.ts';
import { createPublicServer } from '../http/server.ts';
import { Supervisor } from '../jobs/supervisor/supervisor.ts';
import type { Log } from '../log.ts';
import { type Database, type StorageError, StorageSilent } from '../storage/database.ts';
import { openDeferred } from '../storage/deferred.ts';
import { createBackend } from './app.ts';
import { compareClocks } from './compare-clocks.ts';
import { type OpenServices, openServices } from './open-services.ts';
import { watchSchemaVersion } from './watch-schema-version.ts';

const drainLimits = { acceptMs: 500, totalMs: 8_000 };
/** For a running task, granted once before sending is stopped and once after. */
const taskGraceMs = 1_000;

export interface RunningBackend {
  /** The address on which it listens, for the site's proxy. */
  url: string;
  /** Ends live events and job processes: stopping the site must not wait for them. */
  stopJobs(): Promise<void>;
  /** Resolves with the reason once a newer version has changed the store: this version must then stop writing to it. */
  outdated: Promise<StorageError>;
  stop(): Promise<void>;
}

/**
 * Starts the console backend on the loopback address. If its store does not answer or is damaged, calls get 503 until
 * it can be opened.
 * @param level of its requests in the log: `debug` beside the site, whose lines say the same
 * @throws an Error with one sentence when it cannot start with its settings
 */
export async function startBackend(config: ConsoleConfig, log: Log, level: RequestLevel): Promise<RunningBackend> {
  const kind = config.databaseUrl === undefined ? 'sqlite' : 'postgres';
  const database = await openDeferred(kind, storeOpener(config, log), log);
  const { services, stopSending, close } = await openServicesOn(database, config, log);
  let stopTasks = async () => {};
  let supervisor: Supervisor | undefined;
  const work = database.opened.then(async () => {
    if (services.jobs.stopping.signal.aborted) return;
    stopTasks = startTasks(services);
    supervisor = new Supervisor(services);
    await supervisor.ready;
  });
  let jobsEnd: Promise<void> | undefined;
  const stopJobs = () => {
    services.jobs.stopping.abort();
    jobsEnd ??= supervisor?.stop() ?? Promise.resolve();
    return jobsEnd;
  };
  // Before any call can ask what is running.
  if (database.isOpen()) await work;
  const server = createPublicServer(createBackend(services, level), { log });
  try {
    await listen(server, { port: config.consolePort, host: '127.0.0.1' }, 'CONSOLE_PORT');
  } catch (error) {
    await stopJobs();
    await stopTasks();
    await close();
    throw error;
  }
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : config.consolePort;
  log.info({ url: `http://127.0.0.1:${port}`, store: kind }, 'the console backend is listening');
  const { outdated, stopWatching } = watchSchemaVersion(database);
  return {
    url: `http://127.0.0.1:${port}`,
    stopJobs,
    outdated,
    async stop() {
      stopWatching();
      const tasksEnd = stopTasks();
      const grace = () => Promise.race([tasksEnd, delay(taskGraceMs, undefined, { ref: false })]);
      await Promise.all([drain(server, drainLimits), stopJobs()]);
      await grace();
      // Waiting for a silent mail server or gateway would take longer than a stop may.
      stopSending();
      // Any other task is picked up again once its lease ends, as after a kill.
      await grace();
      await close();
    },
  };
}

async function openServicesOn(database: Database, config: ConsoleConfig, log: Log): Promise<OpenServices> {
  try {
    return await openServices(config, log, database);
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Opens the store and schedules its recurring tasks. */
function storeOpener(config: ConsoleConfig, log: Log): () => Promise<Database> {
  const file = join(config.dataDir, storeFile);
  // A store that existed is never recreated while someone repairs it.
  const mayBeMade = config.databaseUrl !== undefined || !existsSync(file);
  return async () => {
    if (!mayBeMade && !existsSync(file)) {
      throw new StorageSilent(
        `${file} is gone: restore a backup with npm run restore, or start the server again to begin with an empty store.`,
      );
    }
    const database = await openStore(config, log, true);
    try {
      await compareClocks(database, log);
      await scheduleTask(database, { kind: 'delete-old', key: 'hourly', payload: '', dueAt: Date.now() });
      await scheduleTask(database, { kind: 'bills', key: 'hourly', payload: '', dueAt: Date.now() });
      await scheduleTask(database, { kind: 'poll-refunds', key: 'hourly', payload: '', dueAt: Date.now() });
      return database;
    } catch (error) {
      await database.close();
      throw error;
    }
  };
}
