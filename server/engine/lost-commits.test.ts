import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest';
import { JobProcess } from '../testing/job-process.ts';
import { jobSpec, postgresSide, wholeTables } from '../testing/job-spec.ts';
import { patience } from '../testing/patience.ts';
import { createDatabase, logicalCluster, type PostgresServer, startPostgres } from '../testing/postgres.ts';
import { TestDatabase } from '../testing/rig/database.ts';
import { startWire, type Wire } from '../testing/rig/wire.ts';

/** A source whose users commit asynchronously: what they see, and a job reads, is lost when the server crashes. */

let server: PostgresServer;
let source: TestDatabase;
let target: TestDatabase;
let wire: Wire;
let running: JobProcess | undefined;

const rows = 'SELECT to_jsonb(item)::text FROM item ORDER BY id';
const count = async (database: TestDatabase, where: string) =>
  (await database.ask(`SELECT count(*)::int FROM item WHERE ${where}`))[0]?.[0];

beforeEach(async () => {
  // Only a commit itself flushes the log.
  const settings = { ...logicalCluster.settings, wal_writer_delay: '10s', wal_writer_flush_after: '1GB' };
  server = await startPostgres({ ...logicalCluster, settings });
  source = new TestDatabase(await createDatabase(server.url));
  target = new TestDatabase(await createDatabase(inject('postgresUrl')));
  await source.ask(`CREATE TABLE item (id int PRIMARY KEY, name text);
    INSERT INTO item SELECT i, 'item ' || i FROM generate_series(1, 100) i`);
});
afterEach(async () => {
  await running?.kill();
  await Promise.all([wire.close(), source.close(), target.close()]);
  await server.stop();
});

test.each(['SYNC', 'MIGRATION'] as const)('rows that a %s job copied survive a crash of the source', async (type) => {
  const reads = Promise.withResolvers<void>();
  const written = Promise.withResolvers<void>();
  const { hostname: host, port } = new URL(source.url);
  wire = await startWire({ host, port: Number(port) }, ({ from, message }) => {
    if (from !== 'job' || !message.body.includes('LOCK TABLE')) return 'pass';
    reads.resolve();
    return written.promise.then(() => 'pass');
  });
  const throughWire = new URL(source.url);
  throughWire.port = String(wire.port);
  const spec = jobSpec({
    type,
    source: postgresSide(throughWire.href),
    target: postgresSide(target.url),
    tables: wholeTables(['item']),
  });
  running = new JobProcess(spec);
  await reads.promise;
  await source.ask(`SET synchronous_commit = off`);
  await source.ask(`INSERT INTO item VALUES (101, 'new'); UPDATE item SET name = 'new' WHERE id = 5;
    DELETE FROM item WHERE id = 6`);
  written.resolve();
  const isCopied = async () => expect(await count(target, "name = 'new'").catch(() => 0)).toBe(2);
  await vi.waitFor(isCopied, patience);
  await running.kill();
  await server.killAndRestart();
  if (type === 'SYNC') {
    running = new JobProcess(spec);
    await source.ask("INSERT INTO item VALUES (200, 'later')");
    await vi.waitFor(async () => expect(await count(target, 'id = 200')).toBe(1), patience);
  }
  expect(await target.ask(rows)).toEqual(await source.ask(rows));
});
