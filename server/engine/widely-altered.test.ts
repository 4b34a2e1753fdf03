import pg from 'pg';
import { afterEach, beforeEach, inject, test } from 'vitest';
import { type AlteredColumn, AlteredDatabases } from '../testing/altered-databases.ts';
import { AlteredJob, histories } from '../testing/altered-job.ts';
import { alterations, alteredKinds, writes } from '../testing/altered-statements.ts';
import { jobSpec, wholeTables } from '../testing/job-spec.ts';
import { wideAlterations, wideStructure, wideWrites } from '../testing/widely-altered.ts';
import type { Random } from './contract/random.ts';
import { carriesColumn, type TableSelection } from './job.ts';

/** Like altered-source.test.ts, with more tables, sessions that end, open transactions and further table statements. */

const names = ['item', 'twin', 'paired', 'parted'];

let databases: AlteredDatabases;
/** A session that keeps a transaction open for some turns. */
let other: pg.Client;
let isOpen = false;
let running: AlteredJob | undefined;

beforeEach(async () => {
  databases = await AlteredDatabases.open(inject('postgresUrl'), wideStructure);
  other = new pg.Client(databases.sourceUrl);
  isOpen = false;
  await other.connect();
  // Each waits for the other's locks, and for a job's, no longer than this.
  for (const session of [databases.source, other]) await session.query("SET lock_timeout = '300ms'");
});

afterEach(async () => {
  await running?.kill();
  running = undefined;
  await other.end();
  await databases.close();
});

async function alter(random: Random, turn: number): Promise<string[]> {
  const table = random.pick(names);
  const columns = await databases.columnsOf(table);
  const usual = alterations({ random, turn, names, table, columns, isFollowed: true });
  return random.pick(random.chance(0.2) ? usual : wideAlterations(random, turn, table));
}

/** Refusals due to what others did: names that are taken, gone or in use, rows that do not fit, locks. */
const refusals = /^(?:0A000|22003|22P02|23...|25P02|2BP01|40P01|42...|428C9|550..|55P03)$/;
const isLock = ({ code }: pg.DatabaseError) => code === '55P03' || code === '40P01';

/** Runs it, as far as the server accepts it. */
async function perform(statement: string): Promise<void> {
  const [, kind, what = ''] = /^-- (end sessions|other|publication) (.*)/s.exec(statement) ?? [];
  if (kind === 'end sessions') await endSessions(what === 'source' ? databases.source : databases.target);
  else if (kind === 'other') await performBeside(what);
  else if (kind === 'publication') {
    const { rows } = await databases.source.query('SELECT quote_ident(pubname) AS name FROM pg_publication');
    for (const { name } of rows) await tryUntilUnlocked(`ALTER PUBLICATION ${name} ${what}`);
  } else await tryUntilUnlocked(statement);
}

async function endSessions(session: pg.Client): Promise<void> {
  const own = await other.query('SELECT pg_backend_pid() AS pid').catch(() => ({ rows: [{ pid: 0 }] }));
  await session.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid NOT IN (pg_backend_pid(), $1)`,
    [own.rows[0]?.pid],
  );
}

async function performBeside(statement: string): Promise<void> {
  if (isOpen === (statement === 'BEGIN')) return;
  try {
    await other.query(statement);
    isOpen = statement !== 'COMMIT' && statement !== 'ROLLBACK';
  } catch (error) {
    if (!isRefusal(error)) throw error;
    await performBeside('ROLLBACK');
  }
}

async function tryUntilUnlocked(statement: string): Promise<void> {
  for (;;) {
    try {
      await databases.source.query(statement);
      return;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      await databases.source.query('ROLLBACK');
      if (!isLock(error)) return;
      await performBeside('COMMIT');
    }
  }
}

const isRefusal = (error: unknown): error is pg.DatabaseError =>
  error instanceof pg.DatabaseError && refusals.test(error.code ?? '');

const each = histories({
  'has the same rows': [1, 5],
  'has the same rows, also by replays': [2],
  'has those rows that meet a condition': [3],
  'has the rows under other names, without a column': [4],
});

test.each(each)(
  'after a wider range of random alterations of a source, its target %s (seed %i)',
  async (kind, seed) => {
    const { table: changes, job, replays = false } = alteredKinds[kind] ?? {};
    const tables = wholeTables(names).map((selection) => {
      const isWhole = !['item', 'twin'].includes(selection.name);
      return { ...selection, ...changes, ...(isWhole && { without: [] }) };
    });
    // A column is not computed from one that has another name at the target.
    const isKept = (selection: TableSelection, { name, generated }: AlteredColumn) =>
      carriesColumn(selection, name) && !(generated && selection.letters);
    running = new AlteredJob(jobSpec({ ...databases.sides, tables, ...job }), {
      write: (random, turn) => random.pick(random.chance(0.5) ? writes(random, turn) : wideWrites(random, turn)),
      alter,
      perform,
      difference: async () => {
        await performBeside('COMMIT');
        return await databases.difference(tables, isKept);
      },
      replays,
    });
    await running.run(seed);
  },
);
