import pino from 'pino';
import { readConsoleConfig } from '../../server/config/console.ts';
import { ConfigError } from '../../server/config/read-settings.ts';
import { openServices } from '../../server/console/open-services.ts';
import { openStore } from '../../server/console/open-store.ts';
import type { ConsoleServices } from '../../server/console/services.ts';
import { AppError } from '../../server/errors.ts';
import { StorageError } from '../../server/storage/database.ts';

/** Wrong use of a command: the sentence is all that its user needs. */
export class UsageError extends Error {}

/** Runs an operator's command; what goes wrong for the operator to mend is one sentence and exit code 1, wrong use 2. */
export async function runCommand(usage: string, work: (services: ConsoleServices) => Promise<void>): Promise<void> {
  try {
    const config = readConsoleConfig(process.env);
    const log = pino({ level: 'warn' }, pino.destination(2));
    // A server may be running on the same store.
    const { services, close } = openServices(config, log, await openStore(config, log, false));
    try {
      await work(services);
    } finally {
      await close();
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

/** What visitors sent may hold characters that a terminal obeys. */
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

/** A moment for people, in UTC. */
export const moment = (at: number) => new Date(at).toISOString().slice(0, 16).replace('T', ' ');
