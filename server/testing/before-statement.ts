import { expect } from 'vitest';
import type { ConsoleServices } from '../console/services.ts';

/**
 * Runs something once, just before the next statement outside a transaction that begins this way: simulates a
 * simultaneous event.
 * @returns a check that it was run
 */
export function beforeStatement(
  services: Pick<ConsoleServices, 'database'>,
  statement: string,
  act: () => Promise<unknown>,
): () => void {
  const { database } = services;
  services.database = Object.assign(Object.create(database), {
    async run(sql: string, values: (string | number | null)[]) {
      if (sql.startsWith(statement)) {
        services.database = database;
        await act();
      }
      return await database.run(sql, values);
    },
  });
  return () => expect(services.database, `'${statement}' was run`).toBe(database);
}
