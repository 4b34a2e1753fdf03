import { expect, onTestFinished, test } from 'vitest';
import { logicalCluster, startPostgres } from '../../../testing/postgres.ts';
import { openSourceDatabase } from '../../../testing/postgres-source.ts';

test('a user who cannot write log messages waits until the server has flushed its log', async () => {
  const server = await startPostgres({ settings: { ...logicalCluster.settings, wal_writer_delay: '2s' } });
  onTestFinished(() => server.stop());
  const db = await openSourceDatabase(server.url);
  onTestFinished(() => db.close());
  const user = await db.role('');
  await db.sql(`CREATE TABLE public.item (id int PRIMARY KEY); ALTER TABLE public.item OWNER TO ${user};
    REVOKE EXECUTE ON FUNCTION pg_logical_emit_message(boolean, text, text) FROM PUBLIC`);
  const source = db.open({ user });
  const table = await db.table('item');
  await db.sql('SET synchronous_commit = off; INSERT INTO public.item VALUES (1)');
  const { rows, end } = await source.read(table, {
    range: { from: null, to: null, after: null, done: false },
    limit: 10,
  });
  expect(rows).toEqual([['1']]);
  expect(await db.sql('SELECT pg_current_wal_flush_lsn() >= $1::pg_lsn', [end.resume])).toEqual([['t']]);
});
