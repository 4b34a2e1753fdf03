import { test as base, expect, inject, onTestFinished } from 'vitest';
import { heapFlags } from '../jobs/supervisor/child.ts';
import { openDatabasePair } from '../testing/database-pair.ts';
import { JobProcess } from '../testing/job-process.ts';
import { jobSpec, wholeTables } from '../testing/job-spec.ts';
import { patience } from '../testing/patience.ts';
import type { TestDatabase } from '../testing/rig/database.ts';

const test = base
  .extend('pair', async ({ task: _ }, { onCleanup }) => {
    const pair = await openDatabasePair(inject('postgresUrl'));
    onCleanup(() => pair.close());
    await pair.source.ask(`CREATE TABLE document (id int PRIMARY KEY, body jsonb, words text, name text UNIQUE);
      ALTER TABLE document ALTER words SET STORAGE EXTERNAL`);
    return pair;
  })
  .extend('job', async ({ pair }, { onCleanup }) => {
    const spec = jobSpec({ ...pair.sides, tables: wholeTables(['document']) });
    const job = new JobProcess(spec, { execArgv: heapFlags(256) });
    onCleanup(() => job.kill());
    await job.until(() => job.states()['public.document'] === 'live');
    return job;
  });

const rows = 'SELECT id, md5(body::text), md5(words), name FROM document ORDER BY id';

async function untilSame(job: JobProcess, source: TestDatabase, target: TestDatabase): Promise<void> {
  const wanted = JSON.stringify(await source.ask(rows));
  while (JSON.stringify(await target.ask(rows)) !== wanted) {
    const told = job.reports.length;
    await job.until((reports) => reports.length > told);
  }
}

/** A JSON text full of quotes, of about this many MB. */
const json = (mb: number) =>
  `(SELECT jsonb_agg('{"key": "value"}'::jsonb) FROM generate_series(1, ${Math.round((mb * 2 ** 20) / 18)}))`;

test('a row of 30 MB is followed within the memory of a small job', async ({ pair: { source, target }, job }) => {
  await source.ask(`INSERT INTO document VALUES (1, ${json(30)}, NULL, 'one')`);
  await untilSame(job, source, target);
});

test('rows with large values are followed as they are', async ({ pair: { source, target }, job }) => {
  // Beside small ones of the same transaction.
  await source.ask(`INSERT INTO document VALUES (1, ${json(3)}, repeat('é€"\\' || chr(10), 300000), 'one'),
    (2, '[]', repeat('x', 1048575), 'two'), (3, NULL, repeat('x', 1048576), NULL), (4, ${json(2)}, '', 'four')`);
  await source.ask(
    `UPDATE document SET body = ${json(1)} WHERE id = 1; UPDATE document SET name = 'other' WHERE id = 3`,
  );
  // A new key beside a value that the log leaves out, and unique values that rows exchange.
  await source.ask(`UPDATE document SET id = -id, body = ${json(2)} WHERE id = 1`);
  await source.ask(`BEGIN; UPDATE document SET name = NULL, body = ${json(2)} WHERE id = 2;
    UPDATE document SET name = 'two', body = ${json(2)} WHERE id = 4;
    UPDATE document SET name = 'four', body = ${json(1)} WHERE id = 2; COMMIT`);
  await untilSame(job, source, target);
  expect(await target.ask('SELECT id, name FROM document ORDER BY id')).toEqual([
    [-1, 'one'],
    [2, 'four'],
    [3, 'other'],
    [4, 'two'],
  ]);
});

/** Less than the rows of one statement would take. */
const smallHeap = { execArgv: ['--max-old-space-size=64'] };

test('many rows that the log contains only in part are read within the memory of a job', async ({
  pair: { source, target, sides },
}) => {
  // The filter needs a value that the log leaves out; the order of the key is not known to be the target's.
  await source.ask(`CREATE TABLE many (id text PRIMARY KEY, seen bool, body text);
    ALTER TABLE many ALTER body SET STORAGE EXTERNAL;
    INSERT INTO many SELECT i, false, repeat('x', 50000) FROM generate_series(1, 1500) AS i`);
  const tables = wholeTables(['many']).map((table) => ({ ...table, filter: "body LIKE 'x%'" }));
  const spec = jobSpec({ ...sides, tables, replays: true });
  const job = new JobProcess(spec, smallHeap);
  onTestFinished(() => job.kill());
  await job.until(() => job.states()['public.many'] === 'live');
  await source.ask('UPDATE many SET seen = true');
  const seen = () => target.ask('SELECT count(*) FROM many WHERE seen');
  await expect.poll(seen, patience).toEqual([['1500']]);
});

test('a table of large rows without a key is copied within the memory of a job', async ({
  pair: { source, target, sides },
}) => {
  await source.ask(`CREATE TABLE keyless (body text);
    INSERT INTO keyless SELECT repeat('x', 80000) FROM generate_series(1, 1000)`);
  const spec = jobSpec({ ...sides, tables: wholeTables(['keyless']), type: 'MIGRATION' });
  const job = new JobProcess(spec, smallHeap);
  onTestFinished(() => job.kill());
  expect(await job.end()).toMatchObject({ kind: 'ended', complete: true });
  expect(await target.ask('SELECT count(*) FROM keyless')).toEqual([['1000']]);
});
