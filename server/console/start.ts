import { once } from 'node:events';
import { join } from 'node:path';
import type { ConsoleConfig } from '../config/console.ts';
import { readSiteData } from '../content/data/site-data.ts';
import { drain } from '../http/drain.ts';
import { createPublicServer } from '../http/server.ts';
import type { Log } from '../log.ts';
import { createSender } from '../senders/create-sender.ts';
import type { Database } from '../storage/database.ts';
import { lockFile } from '../storage/file-lock.ts';
import { migrate } from '../storage/migrate.ts';
import { openPostgres } from '../storage/postgres.ts';
import { openSqlite } from '../storage/sqlite.ts';
import { createConsole } from './app.ts';
import { marketplaces } from './marketplace/marketplaces.ts';
import { openPageViews } from './page-view/page-views.ts';
import { openPayments } from './saas/stripe.ts';
import { openSecretKey } from './secret-key.ts';
import type { ConsoleServices } from './services.ts';
import { ssoProviders } from './sso/providers.ts';
import { startTasks } from './tasks/run-tasks.ts';
import { scheduleTask } from './tasks/schedule-task.ts';

/** Name of the SQLite file in `DATA_DIR`. */
export const storeFile = 'console.sqlite';
const migrations = join(import.meta.dirname, 'migrations');
const builtInDir = join(import.meta.dirname, '../../content');
const drainLimits = { acceptMs: 500, totalMs: 8_000 };

export interface RunningConsole {
  /** Where it listens, for the site's proxy. */
  url: string;
  stop(): Promise<void>;
}

/** Opens the store of the console, on the newest migration. @param asServer keeps other servers off a SQLite file */
export async function openStore(config: ConsoleConfig, log: Log, asServer: boolean): Promise<Database> {
  const file = join(config.dataDir, storeFile);
  const unlock = asServer && config.databaseUrl === undefined ? lockFile(file) : undefined;
  const database = config.databaseUrl === undefined ? openSqlite(file) : openPostgres(config.databaseUrl, log);
  const run = await migrate(database, migrations);
  if (run.length > 0) log.info({ migrations: run, store: database.kind }, 'the database is up to date');
  return {
    ...database,
    async close() {
      await database.close();
      unlock?.();
    },
  };
}

/** Brand and prices, from the operator's content or the built-in one. */
export function readOffer({ contentDir, siteBrand }: ConsoleConfig): Pick<ConsoleServices, 'brand' | 'pricing'> {
  const { brand, pricing } = readSiteData(contentDir, builtInDir, siteBrand).data;
  return { brand, pricing };
}

/** Starts the console backend on the loopback address; throws an Error with one sentence when it cannot be started. */
export async function startConsole(config: ConsoleConfig, log: Log): Promise<RunningConsole> {
  const database = await openStore(config, log, true);
  const offer = readOffer(config);
  const sender = createSender(config, offer.brand.name, log);
  const secretKey = openSecretKey(config.secretKey, config.dataDir);
  const services: ConsoleServices = {
    config,
    log,
    database,
    secretKey,
    ...offer,
    payments: openPayments(config),
    pageViews: openPageViews(database, log),
    builtDownloads: join(import.meta.dirname, '../../dist/downloads'),
    send: sender.send,
    sso: ssoProviders(config, Date.now),
    marketplaces: marketplaces(config, { secretKey, log, now: Date.now }),
    now: Date.now,
  };
  await scheduleTask(database, { kind: 'delete-old', key: 'hourly', payload: '', dueAt: Date.now() });
  await scheduleTask(database, { kind: 'bills', key: 'hourly', payload: '', dueAt: Date.now() });
  const stopTasks = startTasks(services);
  const server = createPublicServer(createConsole(services), { log });
  server.listen({ port: config.consolePort, host: '127.0.0.1' });
  try {
    await once(server, 'listening');
  } catch (cause) {
    await stopTasks();
    await database.close();
    throw new Error(
      `Port ${config.consolePort} is in use by another program: end that one or set CONSOLE_PORT to another number (0 takes any free one).`,
      { cause },
    );
  }
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : config.consolePort;
  log.info({ url: `http://127.0.0.1:${port}`, store: database.kind }, 'the console backend is listening');
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      await drain(server, drainLimits);
      await stopTasks();
      sender.close();
      await services.pageViews.close();
      await database.close();
    },
  };
}
