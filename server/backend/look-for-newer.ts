import { migrations } from '../console/open-store.ts';
import { type Database, StorageError, StorageSilent } from '../storage/database.ts';
import { requireKnown } from '../storage/migrate.ts';

/** How often it is looked. */
const everyMs = 10_000;

/** Looks whether a newer version has changed the store: one that starts beside this one does so. */
export function lookForNewer(database: Database): { outdated: Promise<StorageError>; stopLooking(): void } {
  const { promise, resolve } = Promise.withResolvers<StorageError>();
  const look = () =>
    requireKnown(database, migrations, 'start that one').catch((error: unknown) => {
      // A store that does not answer is told by those who use it.
      if (error instanceof StorageError && !(error instanceof StorageSilent)) resolve(error);
    });
  const timer = setInterval(look, everyMs).unref();
  return { outdated: promise, stopLooking: () => clearInterval(timer) };
}
