import { afterEach, beforeEach, expect, inject, onTestFinished, test, vi } from 'vitest';
import { PairJob, pairSpec } from '../../../testing/pair-job.ts';
import { newJob, openSourceDatabase, type SourceDatabase } from '../../../testing/postgres-source.ts';

let source: SourceDatabase;
let target: SourceDatabase;
let running: PairJob | undefined;

beforeEach(async () => {
  const server = inject('postgresUrl');
  [source, target] = [await openSourceDatabase(server), await openSourceDatabase(server)];
  for (const { sql } of [source, target]) await sql('CREATE TABLE public.item (id int PRIMARY KEY)');
  await source.sql('CREATE TABLE public.other (id int PRIMARY KEY)');
});

afterEach(async () => {
  await running?.stop();
  running = undefined;
  await Promise.all([source.close(), target.close()]);
});

test('an idle source can discard its log even after the clock was set back', async () => {
  const clock = vi.spyOn(Date, 'now');
  onTestFinished(() => clock.mockRestore());
  const id = newJob();
  running = await PairJob.start(source, target, pairSpec(id, ['item']));
  await running.untilState('public.item', 'live');
  const anHourAgo = Date.now() - 3_600_000;
  clock.mockReturnValue(anHourAgo);
  await source.sql('INSERT INTO public.other VALUES (1)');
  const [[end] = []] = await source.sql('SELECT pg_current_wal_lsn()');
  const forgets = 'SELECT FROM pg_replication_slots WHERE slot_name = $1 AND confirmed_flush_lsn >= $2';
  await expect.poll(() => source.sql(forgets, [`millrace_${id}`, end])).toHaveLength(1);
});
