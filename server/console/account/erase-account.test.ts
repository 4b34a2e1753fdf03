import { expect, test } from 'vitest';
import { z } from 'zod';
import { openTestConsole } from '../../testing/console.ts';

// Both stores have the same migrations.
test('each table that refers to accounts has an index for it, so that erasing one reads none as a whole', async () => {
  const backend = await openTestConsole();
  const { database } = backend.services;
  const unindexed = await database.all(
    z.object({ name: z.string() }),
    `SELECT tables.name FROM sqlite_master AS tables, pragma_foreign_key_list(tables.name) AS reference
     WHERE tables.type = 'table' AND reference."table" = 'account' AND NOT EXISTS (
       SELECT 1 FROM pragma_index_list(tables.name) AS own, pragma_index_info(own.name) AS place
       WHERE own.partial = 0 AND place.seqno = 0 AND place.name = reference."from")`,
  );
  expect(unindexed).toEqual([]);
  await backend.close();
});
