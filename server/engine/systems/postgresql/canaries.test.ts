import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { JobProcess } from '../../../testing/job-process.ts';
import { pairSpec } from '../../../testing/pair-job.ts';
import { newJob, openSourceDatabase, type SourceDatabase } from '../../../testing/postgres-source.ts';

/** Row values, keys and passwords must not appear in any report, event, error or output line of a job process. */

const marker = 'CANARY_8264';

let source: SourceDatabase;
let target: SourceDatabase;
let running: JobProcess | undefined;

beforeEach(async () => {
  const server = inject('postgresUrl');
  [source, target] = [await openSourceDatabase(server), await openSourceDatabase(server)];
});

afterEach(async () => {
  await running?.kill();
  running = undefined;
  await Promise.all([source.close(), target.close()]);
});

/**
 * Why the target refuses a row, with the code that people read: each table has a different reason, with the marker in
 * it.
 */
const refusals: Record<string, [target: string, code: string]> = {
  unique_value: ['id text PRIMARY KEY, v text UNIQUE, n int', 'UNIQUE_REFUSED'],
  check_value: [`id text PRIMARY KEY, v text CHECK (v NOT LIKE '${marker}%'), n int`, 'CONSTRAINT_REFUSED'],
  null_value: ['id text PRIMARY KEY, v text, n int NOT NULL', 'CONSTRAINT_REFUSED'],
  long_value: ['id text PRIMARY KEY, v varchar(3), n int', 'VALUE_REFUSED'],
  number_value: ['id text PRIMARY KEY, v int, n int', 'VALUE_REFUSED'],
  address_value: ['id text PRIMARY KEY, v inet, n int', 'VALUE_REFUSED'],
  json_value: ['id text PRIMARY KEY, v json, n int', 'VALUE_REFUSED'],
  enum_value: ['id text PRIMARY KEY, v public.mood, n int', 'VALUE_REFUSED'],
  domain_value: ['id text PRIMARY KEY, v public.short, n int', 'CONSTRAINT_REFUSED'],
  uuid_value: ['id text PRIMARY KEY, v uuid, n int', 'VALUE_REFUSED'],
  excluded_value: [`id text PRIMARY KEY, v text, n int, EXCLUDE USING hash (v WITH =)`, 'UNIQUE_REFUSED'],
  partition_value: [`id text, v text, n int, PRIMARY KEY (id)`, 'PARTITION_MISSING'],
};

async function make(): Promise<string[]> {
  await target.sql(
    `CREATE TYPE public.mood AS ENUM ('calm'); CREATE DOMAIN public.short AS text CHECK (length(VALUE) < 3)`,
  );
  for (const [name, [columns]] of Object.entries(refusals)) {
    await source.sql(`CREATE TABLE public.${name} (id text PRIMARY KEY, v text, n int)`);
    const by = name === 'partition_value' ? ` PARTITION BY LIST (id)` : '';
    await target.sql(`CREATE TABLE public.${name} (${columns})${by}`);
  }
  return Object.keys(refusals);
}

/** Rows whose key and value contain the marker; if two have the same value, the second is refused. */
async function write(names: readonly string[]): Promise<void> {
  for (const name of names)
    await source.sql(
      `INSERT INTO public.${name} VALUES ('${marker} key 1', '${marker} value'), ('${marker} key 2', '${marker} value')`,
    );
}

/** Tables for which the job has reported a refusal. */
function told(job: JobProcess): Set<string> {
  const words = job.reports.flatMap((report) => {
    if (report.kind === 'event' && report.level !== 'info') return [report.table ?? ''];
    return report.kind === 'tables' ? report.tables.flatMap(({ fault, source: name }) => (fault ? [name] : [])) : [];
  });
  return new Set(words.map((name) => name.replace('public.', '')));
}

test.each(['copied', 'streamed from the log'])(
  'no value of a row that was %s appears in what a job reports',
  async (way) => {
    const names = await make();
    const spec = {
      ...pairSpec(newJob(), names),
      source: { family: 'postgresql', settings: { ...source.settings, password: `${marker} password` } },
      target: { family: 'postgresql', settings: { ...target.settings, password: `${marker} password` } },
    };
    if (way === 'copied') await write(names);
    running = new JobProcess(spec);
    const job = running;
    if (way !== 'copied') {
      await job.until(() => names.every((name) => job.states()[`public.${name}`] === 'live'));
      await write(names);
    }
    await job.until(() => told(job).size === names.length);
    expect([...told(job)].sort()).toEqual([...names].sort());
    await job.kill();
    expect(JSON.stringify(job.reports)).not.toContain(marker);
    expect(job.said).not.toContain(marker);
    const codes = job.tables();
    for (const [name, [, code]] of Object.entries(refusals)) {
      const faults = codes
        .filter((one) => one.source === `public.${name}` && one.fault)
        .map(({ fault }) => fault?.code);
      // A parked row leaves its table without a fault.
      expect(faults.every((one) => one === code)).toBe(true);
    }
  },
);

test('an error that no rule covers stops the job without revealing a value', async () => {
  const [name = ''] = await make();
  await target.sql(`
    CREATE FUNCTION public.complain() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      RAISE EXCEPTION '%', NEW USING DETAIL = NEW.v, HINT = NEW.id, ERRCODE = 'ZZ999'; END $$;
    CREATE TRIGGER complain AFTER INSERT ON public.${name} FOR EACH ROW EXECUTE FUNCTION public.complain();
    ALTER TABLE public.${name} ENABLE ALWAYS TRIGGER complain, DROP CONSTRAINT ${name}_v_key`);
  await write([name]);
  running = new JobProcess({
    ...pairSpec(newJob(), [name]),
    source: { family: 'postgresql', settings: source.settings },
    target: { family: 'postgresql', settings: target.settings },
  });
  expect(await running.end()).toMatchObject({ kind: 'failed', fault: { code: 'UNEXPECTED' } });
  expect(JSON.stringify(running.reports) + running.said).not.toContain(marker);
});

test('a refused password appears in nothing that a job reports', async () => {
  running = new JobProcess({
    ...pairSpec(newJob(), ['t']),
    source: { family: 'postgresql', settings: { ...source.settings, user: 'nobody_here', password: marker } },
    target: { family: 'postgresql', settings: target.settings },
  });
  expect(await running.end()).toMatchObject({ kind: 'failed', fault: { code: 'SIGN_IN_NOT_ALLOWED' } });
  expect(JSON.stringify(running.reports) + running.said).not.toContain(marker);
});
