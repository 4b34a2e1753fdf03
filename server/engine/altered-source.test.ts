import { afterEach, beforeEach, inject, test } from 'vitest';
import { type AlteredColumn, AlteredDatabases } from '../testing/altered-databases.ts';
import { AlteredJob, histories } from '../testing/altered-job.ts';
import { alterations, alteredKinds, alteredStructure, writes } from '../testing/altered-statements.ts';
import { jobSpec, wholeTables } from '../testing/job-spec.ts';
import { carriesColumn, type TableSelection } from './job.ts';

/** Random user and administrator statements on a source while the job runs, is killed and restarts. */

const names = ['item', 'parted'];

let databases: AlteredDatabases;
let running: AlteredJob | undefined;

beforeEach(async () => {
  databases = await AlteredDatabases.open(inject('postgresUrl'), alteredStructure);
});

afterEach(async () => {
  await running?.kill();
  running = undefined;
  await databases.close();
});

const each = histories({
  'has the same rows': [1, 4, 14, 44],
  'has those rows that meet a condition': [4],
  'has the rows under other names, without a column': [7],
  'has the rows in the columns of its own': [4, 49],
  'has the same rows, also by replays': [203],
});

test.each(each)('after random alterations of a source, its target %s (seed %i)', async (kind, seed) => {
  const { table: changes, job, replays = false } = alteredKinds[kind] ?? {};
  const tables = wholeTables(names).map((selection) => ({ ...selection, ...changes }));
  const spec = jobSpec({ ...databases.sides, tables, ...job });
  const isFollowed = spec.ddl === 'safe';
  // Columns added later do not reach the target if definitions are not followed.
  const isKept = (selection: TableSelection, { name }: AlteredColumn) =>
    carriesColumn(selection, name) && (isFollowed || alteredStructure.includes(` ${name} `));
  running = new AlteredJob(spec, {
    write: (random, turn) => random.pick(writes(random, turn)),
    alter: async (random, turn) => {
      const table = random.pick(names);
      const columns = await databases.columnsOf(table);
      return random.pick(alterations({ random, turn, names, table, columns, isFollowed }));
    },
    perform: async (statement) => void (await databases.source.query(statement)),
    difference: () => databases.difference(tables, isKept),
    replays,
  });
  await running.run(seed);
});
