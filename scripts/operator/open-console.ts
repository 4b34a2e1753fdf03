import pino from 'pino';
import { type ConsoleConfig, readConsoleConfig } from '../../server/config/console.ts';
import { ConfigError } from '../../server/config/read-settings.ts';
import { marketplaces } from '../../server/console/marketplace/marketplaces.ts';
import { openPageViews } from '../../server/console/page-view/page-views.ts';
import { openPayments } from '../../server/console/saas/stripe.ts';
import { openSecretKey } from '../../server/console/secret-key.ts';
import type { ConsoleServices } from '../../server/console/services.ts';
import { ssoProviders } from '../../server/console/sso/providers.ts';
import { openStore, readOffer } from '../../server/console/start.ts';
import { AppError } from '../../server/errors.ts';
import { createSender } from '../../server/senders/create-sender.ts';
import { StorageError } from '../../server/storage/database.ts';

/** Wrong use of a command: the sentence is all that its user needs. */
export class UsageError extends Error {}

/** Opens the console's store beside a running server and its services, for one command. */
async function openConsole(config: ConsoleConfig): Promise<ConsoleServices> {
  const log = pino({ level: 'warn' }, pino.destination(2));
  const database = await openStore(config, log, false);
  const offer = readOffer(config);
  const secretKey = openSecretKey(config.secretKey, config.dataDir);
  return {
    config,
    log,
    database,
    secretKey,
    ...offer,
    payments: openPayments(config),
    pageViews: openPageViews(database, log),
    builtDownloads: '',
    send: createSender(config, offer.brand.name, log).send,
    sso: ssoProviders(config, Date.now),
    marketplaces: marketplaces(config, { secretKey, log, now: Date.now }),
    now: Date.now,
  };
}

/** Runs an operator's command; what goes wrong for the operator to mend is one sentence and exit code 1, wrong use 2. */
export async function runCommand(usage: string, work: (services: ConsoleServices) => Promise<void>): Promise<void> {
  try {
    const services = await openConsole(readConsoleConfig(process.env));
    try {
      await work(services);
    } finally {
      await services.pageViews.close();
      await services.database.close();
    }
  } catch (error) {
    if (error instanceof UsageError) {
      console.error(`${error.message}\n\n${usage}`);
      process.exitCode = 2;
    } else if (error instanceof ConfigError || error instanceof StorageError || error instanceof AppError) {
      console.error(error.message);
      process.exitCode = 1;
    } else throw error;
  }
}

/** Writes rows as a table with aligned columns. */
export function printTable(rows: readonly Record<string, string | number>[]): void {
  const [first] = rows;
  if (!first) {
    console.log('Nothing found.');
    return;
  }
  const names = Object.keys(first);
  const widths = names.map((name) => Math.max(name.length, ...rows.map((row) => String(row[name]).length)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd();
  console.log(line(names));
  for (const row of rows) console.log(line(names.map((name) => String(row[name]))));
}

/** A moment for people, in UTC. */
export const moment = (at: number) => new Date(at).toISOString().slice(0, 16).replace('T', ' ');
