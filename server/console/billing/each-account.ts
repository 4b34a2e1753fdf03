import { z } from 'zod';
import { type Queries, type SqlValue, StorageSilent } from '../../storage/database.ts';
import { takeTurn } from '../account/take-turn.ts';
import type { ConsoleServices } from '../services.ts';

const uidRow = z.object({ uid: z.string() });

/** Of how many accounts the work was done, and of how many not. */
export interface Billed {
  made: number;
  failed: number;
}

/** Which accounts a query names, and what is done for each. */
interface Work {
  accounts: string;
  parameters: readonly SqlValue[];
  /** As the log names it. */
  what: string;
  make(queries: Queries, uid: string): Promise<void>;
}

/** Does work for each account in a transaction of its own: one that fails is told and holds up no other. */
export async function eachAccount(
  { database, log }: ConsoleServices,
  { accounts, parameters, what, make }: Work,
): Promise<Billed> {
  const billed = { made: 0, failed: 0 };
  for (const { uid } of await database.all(uidRow, accounts, parameters)) {
    try {
      await database.transaction(async (queries) => {
        await takeTurn(queries, uid);
        await make(queries, uid);
      });
      billed.made += 1;
    } catch (error) {
      // The others would find no store either.
      if (error instanceof StorageSilent) throw error;
      log.error({ err: error, uid }, `${what} of an account failed and is tried again`);
      billed.failed += 1;
    }
  }
  return billed;
}
