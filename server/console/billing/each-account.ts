import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { type Queries, type SqlValue, StorageSilent } from '../../storage/database.ts';
import { takeTurn } from '../account/take-turn.ts';
import type { ConsoleServices } from '../services.ts';
import { takesWrites } from '../tasks/takes-writes.ts';

const uidRow = z.object({ uid: z.string() });

/** For how many accounts the work was done, and for how many it failed. */
export interface Billed {
  made: number;
  failed: number;
}

/** The query that selects accounts, and the work for each. */
interface Work {
  accounts: string;
  parameters: readonly SqlValue[];
  /** Its name in the log. */
  what: string;
  /** Does a part of it. @returns whether the account is done */
  make(queries: Queries, uid: string): Promise<boolean>;
}

/** Does work for each account in separate transactions: a failure is logged and does not hold up the others. */
export async function eachAccount(
  { database, log }: ConsoleServices,
  { accounts, parameters, what, make }: Work,
): Promise<Billed> {
  const billed = { made: 0, failed: 0 };
  for (const { uid } of await database.all(uidRow, accounts, parameters)) {
    try {
      let isDone: boolean;
      do {
        isDone = await database.transaction(async (queries) => {
          await takeTurn(queries, uid);
          return make(queries, uid);
        });
        // Requests get their turn.
        await setImmediate();
      } while (!isDone);
      billed.made += 1;
    } catch (error) {
      // The others could not reach the store either.
      if (error instanceof StorageSilent && !(await takesWrites(database))) throw error;
      log.error({ err: error, uid }, `${what} of an account failed and will be retried`);
      billed.failed += 1;
    }
  }
  return billed;
}
