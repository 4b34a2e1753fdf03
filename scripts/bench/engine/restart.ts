import { type Figure, median } from './figure.ts';
import { live, startJob, stopJob } from './job.ts';
import { type Pair, release, specOf } from './pair.ts';

const table = 'CREATE TABLE beat (id int PRIMARY KEY)';

/** From kill -9 of the job process to the first row applied by the next one, which is started at once. */
export async function restart(pair: Pair, { turns }: { turns: number }): Promise<Figure[]> {
  const sides = await pair.databases();
  for (const { sql } of [sides.source, sides.target]) await sql(table);
  const spec = specOf(sides, 'SYNC', ['beat'], false);
  let job = startJob(spec);
  await live(job, ['beat']);
  const times: number[] = [];
  for (let turn = 0; turn < turns; turn++) {
    const begun = performance.now();
    await job.kill();
    job = startJob(spec);
    await sides.source.sql('INSERT INTO beat VALUES ($1)', [turn]);
    await sides.target.until('EXISTS (SELECT FROM beat WHERE id = $1)', [turn]);
    times.push((performance.now() - begun) / 1000);
  }
  await stopJob(job);
  await release(sides, spec);
  return [
    {
      measure: 'kill -9 → first row applied',
      ours: `of ${turns}: ${median(times).toFixed(1)} s in the middle`,
      other: '–',
      value: Math.max(...times),
      unit: 's',
      aim: { most: 2 },
    },
  ];
}
