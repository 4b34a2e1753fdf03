import type { Figure } from './figure.ts';
import { live, memoryOf, startJob, stopJob } from './job.ts';
import { type Pair, release, specOf } from './pair.ts';

const rows = 1_100_000;
const table = 'CREATE TABLE bulk (id bigint PRIMARY KEY, account int, note text, at timestamptz)';

/** Peak memory of the process after one transaction of 1.1 million rows. */
export async function memory(pair: Pair): Promise<Figure[]> {
  const sides = await pair.databases();
  for (const { sql } of [sides.source, sides.target]) await sql(table);
  const spec = specOf(sides, 'SYNC', ['bulk'], false);
  const job = startJob(spec);
  await live(job, ['bulk']);
  const { now: before } = await memoryOf(job);
  const begun = performance.now();
  await sides.source.sql(
    `INSERT INTO bulk SELECT i, i % 1000, md5(i::text) || md5((-i)::text), clock_timestamp() FROM generate_series(1, ${rows}) i`,
  );
  const written = performance.now();
  await sides.target.until(`EXISTS (SELECT FROM bulk WHERE id = ${rows})`);
  const applied = performance.now();
  const { most } = await memoryOf(job);
  await stopJob(job);
  await release(sides, spec);
  const seconds = (from: number, to: number) => ((to - from) / 1000).toFixed(1);
  return [
    {
      measure: `memory, a transaction of ${rows.toLocaleString('en')} rows`,
      ours: `${Math.round(before)} MB before, applied ${seconds(written, applied)} s after its commit`,
      other: `written in ${seconds(begun, written)} s`,
      value: most,
      unit: 'MB',
      aim: { most: 300 },
    },
  ];
}
