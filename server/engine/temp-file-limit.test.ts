import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { JobProcess } from '../testing/job-process.ts';
import { jobSpec, postgresSide, wholeTables } from '../testing/job-spec.ts';
import { createDatabase, dropSlots } from '../testing/postgres.ts';
import { TestDatabase } from '../testing/rig/database.ts';

let source: TestDatabase;
let target: TestDatabase;
let running: JobProcess | undefined;

beforeEach(async () => {
  const server = inject('postgresUrl');
  source = new TestDatabase(await createDatabase(server));
  target = new TestDatabase(await createDatabase(server));
});
afterEach(async () => {
  await running?.kill();
  await dropSlots((sql) => source.ask(sql));
  await Promise.all([source.close(), target.close()]);
});

test('a job continues on its own once the target allows temporary files large enough for an index', async () => {
  await source.ask(`CREATE TABLE item (id int PRIMARY KEY, name text);
    INSERT INTO item SELECT i, repeat(md5(i::text), 10) FROM generate_series(1, 30000) i;
    CREATE INDEX by_name ON item (name)`);
  const database = new URL(target.url).pathname.slice(1);
  const settings = { temp_file_limit: '1MB', maintenance_work_mem: '1MB', max_parallel_maintenance_workers: '0' };
  for (const [name, value] of Object.entries(settings))
    await target.ask(`ALTER DATABASE ${database} SET ${name} = '${value}'`);
  const spec = jobSpec({
    source: postgresSide(source.url),
    target: postgresSide(target.url),
    tables: wholeTables(['item']),
  });
  running = new JobProcess(spec);
  const fault = { code: 'TEMP_FILE_LIMIT', retry: 'timed' };
  expect(await running.end()).toMatchObject({ kind: 'failed', fault });

  await target.ask(`ALTER DATABASE ${database} RESET temp_file_limit`);
  const job = new JobProcess(spec);
  running = job;
  const isMade = (told: string) => told.startsWith('Indexes, constraints and sequences were created at the target');
  await job.until((reports) => reports.some((report) => report.kind === 'event' && isMade(report.sentence)));
  const [indexes] = await target.ask(`SELECT count(*)::int FROM pg_indexes WHERE indexname = 'by_name'`);
  expect(indexes).toEqual([1]);
});
