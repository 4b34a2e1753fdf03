import pino from 'pino';
import { openServices } from '../../server/backend/open-services.ts';
import { readConsoleConfig } from '../../server/config/console.ts';
import { ConfigError } from '../../server/config/read-settings.ts';
import { opensStored } from '../../server/console/account/password-key.ts';
import { openStore } from '../../server/console/open-store.ts';
import { hasSecretKey, otherKey } from '../../server/console/secret-key.ts';
import type { ConsoleServices } from '../../server/console/services.ts';
import { errorMessage } from '../../server/error-message.ts';
import { AppError } from '../../server/errors.ts';
import type { Log } from '../../server/log.ts';
import { StorageError } from '../../server/storage/database.ts';

/** Wrong use of a command: the user needs only the sentence and the usage. */
export class UsageError extends Error {}

/** A failure that the operator can fix; the sentence is for the operator. */
export class CommandError extends Error {}

/** The reason why a command that needs exclusive use of the store does nothing. */
export const running = 'The server is running: stop it first.';

/** Runs a command's work; a failure that the operator can fix is one sentence and exit code 1, wrong use is 2. */
export async function reportErrors(usage: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof UsageError) {
      console.error(`${error.message}\n\n${usage}`);
      process.exitCode = 2;
    } else if (isForOperator(error)) {
      console.error(error.message);
      process.exitCode = 1;
    } else throw error;
  }
}

/** Runs a command on the console's store, which a server may be using at the same time. */
export function runCommand(usage: string, work: (services: ConsoleServices) => Promise<void>): Promise<void> {
  return reportErrors(usage, async () => {
    const { services, close } = await open();
    try {
      await work(services);
    } finally {
      await close();
    }
  });
}

/** The log of a command, on standard error. */
export function commandLog(): Log {
  return pino({ level: 'warn' }, pino.destination(2));
}

async function open() {
  const config = readConsoleConfig(process.env);
  const log = commandLog();
  const database = await openStore(config, log, false);
  try {
    const opened = await openServices(config, log, database, Date.now, false);
    const { secretKey } = opened.services;
    // No server could read data written with another key.
    if (hasSecretKey(config.secretKey, config.dataDir) && !(await opensStored(database, secretKey)))
      throw new CommandError(otherKey(config.secretKey, config.dataDir));
    return opened;
  } catch (cause) {
    await database.close();
    // As at a server's start: the operator must repair a damaged key or content folder.
    throw new CommandError(errorMessage(cause), { cause });
  }
}

function isForOperator(error: unknown): error is Error {
  const expected = [ConfigError, StorageError, AppError, CommandError];
  // The system's own message names the file or the address.
  return expected.some((kind) => error instanceof kind) || (error instanceof Error && 'syscall' in error);
}

/** Refuses an unknown status, which would find nothing. @param status empty for all */
export function requireStatus(status: string, known: readonly string[]): void {
  if (status !== '' && !known.includes(status)) throw new UsageError(`There is no status “${status}”.`);
}

/** Visitors' input may contain terminal control characters. */
const printable = (cell: string | number | undefined) => String(cell).replace(/\p{Cc}|\p{Cf}/gu, '\ufffd');

/** Writes rows as a table with aligned columns. */
export function printTable(rows: readonly Record<string, string | number>[]): void {
  const [first] = rows;
  if (!first) {
    console.log('Nothing found.');
    return;
  }
  const names = Object.keys(first);
  const widths = names.map((name) => Math.max(name.length, ...rows.map((row) => printable(row[name]).length)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd();
  console.log(line(names));
  for (const row of rows) console.log(line(names.map((name) => printable(row[name]))));
}

const mostRows = 200;

/** How many rows a list reads: with a filter, such as a status, all that match. */
export function mostListed(filter: string): number {
  return filter === '' ? mostRows + 1 : 1_000_000;
}

/** Writes what a list has read, the newest first. @param filters what would list the others */
export function printNewest(rows: readonly Record<string, string | number>[], filter: string, filters: string): void {
  const shown = filter === '' ? rows.slice(0, mostRows) : rows;
  printTable(shown);
  if (shown.length < rows.length) console.log(`Only the newest ${mostRows} are listed: name ${filters} for others.`);
}
