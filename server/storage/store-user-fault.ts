import { RecurringFault } from '../recurring-fault.ts';
import { StorageSilent } from './database.ts';

/** A fault of work on the store that may recur. A store that does not answer logs so itself, once for all who use it. */
export class StoreUserFault extends RecurringFault {
  override failed(error: unknown, about?: object): void {
    if (!(error instanceof StorageSilent)) super.failed(error, about);
  }
}
