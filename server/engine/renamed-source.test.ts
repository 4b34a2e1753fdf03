import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { type DatabasePair, openDatabasePair } from '../testing/database-pair.ts';
import { JobProcess } from '../testing/job-process.ts';
import { jobSpec, wholeTables } from '../testing/job-spec.ts';
import type { TestDatabase } from '../testing/rig/database.ts';
import type { JobSpec } from './job.ts';

/** A job that follows, whose source tables swap names while no process runs. */

let pair: DatabasePair;
let source: TestDatabase;
let target: TestDatabase;
let spec: JobSpec;
let running: JobProcess | undefined;

beforeEach(async () => {
  pair = await openDatabasePair(inject('postgresUrl'));
  ({ source, target } = pair);
  spec = jobSpec({ ...pair.sides, tables: wholeTables(['item', 'other']) });
  await source.ask(`CREATE TABLE item (id int PRIMARY KEY); CREATE TABLE other (id int PRIMARY KEY);
    INSERT INTO item VALUES (1); INSERT INTO other VALUES (2)`);
});
afterEach(async () => {
  await running?.kill();
  await pair.close();
});

const idOf = async (name: string) => String((await source.ask(`SELECT '${name}'::regclass::oid`))[0]?.[0]);

/** The latest report on each table, by its id. */
const told = () =>
  Object.fromEntries((running?.tables() ?? []).map(({ id, source: name, state }) => [id, [name, state]]));

/** Starts a process, and waits until it has reported all of these. */
async function expectTold(wanted: Record<string, readonly [string, string]>): Promise<void> {
  running = new JobProcess(spec);
  await running.until(() => Object.entries(wanted).every(([id, one]) => String(told()[id]) === String(one)));
  expect(told()).toEqual(wanted);
}

const item = 'public.item';
const other = 'public.other';

test.each([
  [
    'and replaced by a table of its name',
    'ALTER TABLE item RENAME TO old; CREATE TABLE item (id int PRIMARY KEY)',
    { first: [item, 'removed'], second: [other, 'live'], third: [item, 'blocked'] },
  ],
  [
    'to the name of a dropped table, and replaced',
    'DROP TABLE other; ALTER TABLE item RENAME TO other; CREATE TABLE item (id int PRIMARY KEY)',
    { first: [other, 'blocked'], second: [other, 'removed'], third: [item, 'blocked'] },
  ],
  [
    'to the name of another table, which took its own',
    'ALTER TABLE item RENAME TO old; ALTER TABLE other RENAME TO item; ALTER TABLE old RENAME TO other',
    { first: [other, 'blocked'], second: [item, 'blocked'] },
  ],
] as const)(
  'a table renamed %s waits, and is reported in its current state',
  async (_, change, { first, second, ...made }) => {
    const ids = [await idOf('item'), await idOf('other')] as const;
    await expectTold({ [ids[0]]: [item, 'live'], [ids[1]]: [other, 'live'] });
    const rows = async () => [await target.ask('SELECT * FROM item'), await target.ask('SELECT * FROM other')];
    const before = await rows();
    await running?.kill();
    await source.ask(change);
    const now = { [ids[0]]: first, [ids[1]]: second, ...('third' in made && { [await idOf('item')]: made.third }) };
    for (let start = 0; start < 2; start++) {
      await expectTold(now);
      expect(await rows()).toEqual(before);
      await running?.kill();
    }
  },
);
