import { migrations } from '../console/open-store.ts';
import { type Database, StorageError, StorageSilent } from '../storage/database.ts';
import { requireKnown } from '../storage/migrate.ts';

/** How often to check. */
const everyMs = 10_000;

/** Checks whether a newer version has changed the store, as one does when it starts beside this one. */
export function watchSchemaVersion(database: Database): { outdated: Promise<StorageError>; stopWatching(): void } {
  const { promise, resolve } = Promise.withResolvers<StorageError>();
  const look = () =>
    requireKnown(database, migrations, 'start that version').catch((error: unknown) => {
      // A store that does not answer is logged by its users.
      if (error instanceof StorageError && !(error instanceof StorageSilent)) resolve(error);
    });
  const timer = setInterval(look, everyMs).unref();
  return { outdated: promise, stopWatching: () => clearInterval(timer) };
}
