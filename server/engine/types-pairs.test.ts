import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { PairJob, pairSpec } from '../testing/pair-job.ts';
import { findPostgres, logicalCluster, type PostgresServer, startPostgres } from '../testing/postgres.ts';
import { preparePostgres18 } from '../testing/postgres-18.ts';
import { newJob, openSourceDatabase, type SourceDatabase } from '../testing/postgres-source.ts';
import { corpus, corpusTypes, hostileSettings } from '../testing/type-corpus.ts';

/**
 * Every type of the corpus, as a column, in an array, under a domain and as a key, copied and streamed, between all
 * tested versions. What both servers hold is compared by SQL only.
 */

let newest: PostgresServer;
let removeNewest: () => void;

beforeAll(async () => {
  const { programs, remove } = preparePostgres18();
  removeNewest = remove;
  newest = await startPostgres({ ...logicalCluster, programs, epoch: 0 });
});

afterAll(async () => {
  await newest.stop();
  removeNewest();
});

/** How values are printed for the comparison, whatever the database and role have set. */
const printed = {
  DateStyle: 'ISO,YMD',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  extra_float_digits: '3',
  bytea_output: 'hex',
  lc_monetary: 'C',
  client_encoding: 'UTF8',
  search_path: 'pg_catalog',
  statement_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  default_transaction_isolation: 'read\\ committed',
};

function psql(db: SourceDatabase, input: string): string {
  const options = Object.entries(printed).map(([name, value]) => `-c ${name}=${value}`);
  return execFileSync(
    join(findPostgres() ?? '', 'psql'),
    ['-X', '-q', '-At', '-v', 'ON_ERROR_STOP=1', '-d', db.url, '-f', '-'],
    { encoding: 'utf8', input, env: { ...process.env, PGOPTIONS: options.join(' ') }, maxBuffer: 2 ** 26 },
  );
}

interface Kind {
  type: string;
  values: string[];
  /** An array type has no array type of its own, and some types have no order. */
  hasArray: boolean;
  hasKey: boolean;
}

/** Types that no B-tree sorts, so they cannot be a key. */
const unsorted = ['json', 'jsonpath', 'xml', 'point', 'line', 'lseg', 'box', 'path', 'polygon', 'circle'];

function kindsFor(versions: readonly number[]): Kind[] {
  const newer = versions.every((version) => version >= 17) ? ['infinity', '-infinity'] : [];
  return Object.entries(corpus).map(([type, values]) => ({
    type,
    values: type === 'interval' ? [...values, ...newer] : values,
    hasArray: !type.endsWith('[]') && type !== 'public.words',
    hasKey: !unsorted.includes(type),
  }));
}

async function make(db: SourceDatabase, kinds: readonly Kind[]): Promise<void> {
  await db.sql(corpusTypes);
  const tables = kinds.map(({ type, hasArray, hasKey }, number) => [
    `CREATE DOMAIN public.own_${number} AS ${type}`,
    `CREATE TABLE public.of_${number} (id integer PRIMARY KEY, v ${type}, a ${hasArray ? `${type}[]` : 'text'}, d public.own_${number})`,
    hasKey
      ? `CREATE TABLE public.key_${number} (k ${type}, d public.own_${number}, way integer, PRIMARY KEY (k, d, way))`
      : '',
  ]);
  await db.sql(tables.flat().filter(Boolean).join(';'));
}

/** Writes every value, in one of the two ways. */
async function fill(db: SourceDatabase, kinds: readonly Kind[], way: number): Promise<void> {
  for (const [number, { type, values, hasArray, hasKey }] of kinds.entries())
    for (const [place, value] of [...values, null].entries()) {
      const own = `CAST($1::text AS ${type})`;
      const array = hasArray ? `ARRAY[${own}, NULL, ${own}]` : 'NULL';
      await db.sql(`INSERT INTO public.of_${number} VALUES (${way * 1000 + place}, ${own}, ${array}, ${own})`, [value]);
      if (hasKey && value !== null)
        await db.sql(`INSERT INTO public.key_${number} VALUES (${own}, ${own}, ${way}) ON CONFLICT DO NOTHING`, [
          value,
        ]);
    }
}

/** Every cell as its server prints it, with the name of its table and row. */
function everything(kinds: readonly Kind[]): string {
  return kinds
    .flatMap(({ type, hasKey }, number) => [
      `SELECT '${type.replaceAll("'", "''")}', id, v::text, a::text, d::text FROM public.of_${number}`,
      ...(hasKey
        ? [`SELECT 'key ${type.replaceAll("'", "''")}', way, k::text, NULL, d::text FROM public.key_${number}`]
        : []),
    ])
    .join(' UNION ALL ');
}

/** Rows that one server has and the other does not: cells are compared as IS NOT DISTINCT FROM does. */
function differences(source: SourceDatabase, target: SourceDatabase, kinds: readonly Kind[]): string {
  const rows = psql(source, `COPY (${everything(kinds)}) TO STDOUT;`);
  return psql(
    target,
    `CREATE TEMPORARY TABLE theirs (kind text, row int, v text, a text, d text);
CREATE TEMPORARY TABLE ours AS SELECT * FROM theirs;
INSERT INTO ours ${everything(kinds)};
COPY theirs FROM STDIN;
${rows}\\.
(SELECT 'missing', * FROM (TABLE theirs EXCEPT ALL TABLE ours) AS m) UNION ALL (SELECT 'extra', * FROM (TABLE ours EXCEPT ALL TABLE theirs) AS e) LIMIT 50;`,
  );
}

async function beHostile(db: SourceDatabase): Promise<string> {
  const role = await db.role('SUPERUSER');
  for (const [name, value] of Object.entries(hostileSettings)) {
    await db.sql(`ALTER ROLE ${role} SET ${name} = ${value}`);
    await db.sql(`ALTER DATABASE ${db.settings.database} SET ${name} = ${value}`);
  }
  return role;
}

const oldest = 15;
const pairs = [oldest, 18].flatMap((from) => [oldest, 18].map((to): [number, number] => [from, to]));

test.each(pairs)('no value changes on the way from PostgreSQL %i to %i', async (from, to) => {
  const server = (version: number) => (version === oldest ? inject('postgresUrl') : newest.url);
  const [source, target] = [await openSourceDatabase(server(from)), await openSourceDatabase(server(to))];
  const kinds = kindsFor([from, to]);
  let job: PairJob | undefined;
  try {
    await make(source, kinds);
    await fill(source, kinds, 1);
    const users = { source: await beHostile(source), target: await beHostile(target) };
    const names = kinds.flatMap(({ hasKey }, number) => [`of_${number}`, ...(hasKey ? [`key_${number}`] : [])]);
    job = await PairJob.start(source, target, pairSpec(newJob(), names, { structure: true, parallel: 4 }), users);
    const { job: running } = job;
    const isSettled = (name: string) => ['live', 'blocked'].includes(job?.state(`public.${name}`) ?? '');
    await job.until(() => names.every(isSettled));
    expect(job.events).toEqual([]);
    expect(differences(source, target, kinds)).toBe('');
    await fill(source, kinds, 2);
    const end = await running.source.now();
    await job.until(() => (running.position?.order ?? '') >= end.order);
    expect(job.events).toEqual([]);
    expect(differences(source, target, kinds)).toBe('');
    const counted = psql(target, `SELECT count(*) FROM (${everything(kinds)}) AS rows;`);
    const values = kinds.reduce((sum, one) => sum + one.values.length + 1, 0);
    expect(Number(counted)).toBeGreaterThan(2 * values);
  } finally {
    await job?.stop();
    await Promise.all([source.close(), target.close()]);
  }
});
