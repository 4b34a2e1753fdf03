import { type Figure, percentile } from './figure.ts';
import { live, memoryOf, startJob, stopJob } from './job.ts';
import { startLoad } from './load.ts';
import { type Pair, release, type Side, specOf } from './pair.ts';

const tables = Array.from({ length: 50 }, (_, index) => `item_${index + 1}`);
const transactionsASecond = 1_000;
/** The first seconds are left out, since the process has just started. */
const warmUpMs = 3_000;
const lookAtMemoryMs = 1_000;

/** Latency from commit to commit, by both servers' commit timestamps, at 1,000 transactions a second; and memory. */
export async function latency(pair: Pair, { seconds }: { seconds: number }): Promise<Figure[]> {
  const sides = await pair.databases();
  for (const { sql } of [sides.source, sides.target])
    await sql(
      tables.map((name) => `CREATE TABLE ${name} (id uuid PRIMARY KEY, amount numeric, note text);`).join('\n'),
    );
  const spec = specOf(sides, 'SYNC', tables, false);
  const job = startJob(spec);
  await live(job, tables);
  const memory: number[] = [];
  const looking = setInterval(async () => memory.push((await memoryOf(job)).now), lookAtMemoryMs);
  const script = `\\set t random(1, ${tables.length})
    INSERT INTO item_:t VALUES (gen_random_uuid(), random() * 1000, repeat('n', 60));`;
  const load = await startLoad(sides.source, script, transactionsASecond, seconds);
  await load.over;
  const sent = await commits(sides.source);
  await sides.target.until(`(SELECT sum(c)::int = $1 FROM (${each('count(*) AS c')}) AS counts)`, [sent.size]);
  clearInterval(looking);
  const came = await commits(sides.target);
  await stopJob(job);
  await release(sides, spec);

  const begun = [...sent.values()].reduce((earliest, at) => Math.min(earliest, at), Number.POSITIVE_INFINITY);
  const times = [...sent]
    .filter(([, at]) => at >= begun + warmUpMs)
    .map(([id, at]) => (came.get(id) ?? Number.NaN) - at)
    .sort((a, b) => a - b);
  const figure = (name: string, value: number, most: number): Figure => ({
    measure: `latency, ${tables.length} tables, ${name}`,
    ours: `${Math.round(sent.size / seconds).toLocaleString('en')} transactions/s, ${seconds} s`,
    other: '–',
    value,
    unit: 'ms',
    aim: { most },
  });
  return [
    figure('p50', percentile(times, 50), 10),
    figure('p99', percentile(times, 99), 100),
    figure('max', times.at(-1) ?? Number.NaN, 500),
    {
      measure: 'memory, steady',
      ours: `the most of ${memory.length} looks, one a second`,
      other: '–',
      value: Math.max(...memory),
      unit: 'MB',
      aim: { most: 130 },
    },
  ];
}

const each = (columns: string) => tables.map((name) => `SELECT ${columns} FROM ${name}`).join(' UNION ALL ');

/** Commit time of each row by its id, in epoch milliseconds. */
async function commits({ sql }: Side): Promise<Map<string, number>> {
  const rows = await sql(each('id, extract(epoch FROM pg_xact_commit_timestamp(xmin)) * 1000'));
  return new Map(rows.map(([id, at]) => [id ?? '', Number(at)]));
}
