import { type Figure, median } from './figure.ts';
import { live, ordered, startJob, stopJob } from './job.ts';
import { type Pair, release, type Side, specOf } from './pair.ts';

const table = 'CREATE TABLE entry (id bigint PRIMARY KEY, account int, note text, at timestamptz)';

/** How fast a backlog of one-row transactions is applied to the target, against a PostgreSQL subscription. */
export async function drain(
  pair: Pair,
  { transactions, turns }: { transactions: number; turns: number },
): Promise<Figure[]> {
  const sides = await pair.databases();
  const native = await pair.furtherTarget();
  for (const { sql } of [sides.source, sides.target, native]) await sql(table);
  await subscribe(sides.source, native);
  const spec = specOf(sides, 'SYNC', ['entry'], false);
  const first = startJob(spec);
  await live(first, ['entry']);
  await stopJob(first);

  const times: { ours: number; native: number }[] = [];
  for (let turn = 0; turn < turns; turn++) {
    const last = await write(sides.source, turn, transactions);
    const wait = { native: () => byNative(native, last), ours: () => byJob() };
    const byJob = async () => {
      const job = startJob(spec);
      const begun = await ordered(job);
      await sides.target.until('EXISTS (SELECT FROM entry WHERE id = $1)', [last]);
      const seconds = (performance.now() - begun) / 1000;
      await stopJob(job);
      return seconds;
    };
    // The order alternates, since the second one finds the disk warm.
    const order = turn % 2 === 0 ? (['native', 'ours'] as const) : (['ours', 'native'] as const);
    const taken = { ours: 0, native: 0 };
    for (const who of order) taken[who] = await wait[who]();
    times.push(taken);
  }
  await expectSame(sides.source, [sides.target, native]);
  await native.sql('DROP SUBSCRIPTION native');
  await release(sides, spec);

  const rate = (who: 'ours' | 'native') => transactions / median(times.map((taken) => taken[who]));
  const speed = (a: number) => `${Math.round(a).toLocaleString('en')} transactions/s`;
  return [
    {
      measure: 'drain, one row a transaction',
      ours: speed(rate('ours')),
      other: `native subscription, synchronous_commit=on: ${speed(rate('native'))}`,
      value: rate('ours') / rate('native'),
      unit: 'ratio',
      aim: { least: 0.9 },
    },
  ];
}

/** A disabled subscription that has a slot from now on. */
async function subscribe(source: Side, native: Side): Promise<void> {
  await source.sql('CREATE PUBLICATION native FOR TABLE entry');
  const { hostname, port, pathname } = new URL(source.url);
  const connection = `host=${hostname} port=${port} dbname=${pathname.slice(1)} user=postgres`;
  await native.sql(`CREATE SUBSCRIPTION native CONNECTION '${connection}' PUBLICATION native
    WITH (enabled = false, copy_data = false, synchronous_commit = 'on')`);
}

/** Half of the transactions insert a row, half change one. @returns the id of the last row */
async function write({ sql }: Side, turn: number, transactions: number): Promise<number> {
  const start = turn * transactions;
  await sql(`SET synchronous_commit = off`);
  await sql(`DO $$ BEGIN
    FOR i IN ${start} + 1 .. ${start + transactions} - 1 LOOP
      IF i % 2 = 1 THEN INSERT INTO entry VALUES (i, i % 1000, md5(i::text), clock_timestamp());
      ELSE UPDATE entry SET account = account + 1, at = clock_timestamp() WHERE id = i - 1;
      END IF;
      COMMIT;
    END LOOP; END $$`);
  await sql(`SET synchronous_commit = on`);
  const last = start + transactions;
  await sql(`INSERT INTO entry VALUES (${last}, 0, 'last', now())`);
  return last;
}

async function byNative(native: Side, last: number): Promise<number> {
  const begun = performance.now();
  await native.sql('ALTER SUBSCRIPTION native ENABLE');
  await native.until('EXISTS (SELECT FROM entry WHERE id = $1)', [last]);
  const seconds = (performance.now() - begun) / 1000;
  await native.sql('ALTER SUBSCRIPTION native DISABLE');
  return seconds;
}

async function expectSame({ sql }: Side, others: readonly Side[]): Promise<void> {
  const hash = `SELECT count(*) || ' ' || md5(string_agg(e::text, '' ORDER BY id)) FROM entry e`;
  const [[wanted] = []] = await sql(hash);
  for (const other of others) {
    const [[found] = []] = await other.sql(hash);
    if (found !== wanted) throw new Error('The rows of source and target differ after the drain.');
  }
}
