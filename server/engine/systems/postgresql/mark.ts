import type pg from 'pg';
import { EngineError } from '../../errors.ts';
import type { Mark, MarkUpdate, ParkedRow, ParkedUpdate } from '../../mark.ts';
import type { Position } from '../../position.ts';
import {
  emptyMark,
  markTexts,
  type ParkedTexts,
  parkedColumns,
  parkedTexts,
  storedMark,
  storedParkedRow,
  tableTexts,
} from '../../sql/mark-rows.ts';
import { markTables } from '../../sql/mark-tables.ts';
import { runPrepared } from './prepared.ts';
import { askRow } from './sessions.ts';

/** The jobs' marks, in a schema of our own; every call is part of the caller's transaction. */

/** Jobs that create or drop the tables at the same time wait for each other. */
const lock = "SELECT pg_advisory_xact_lock(hashtext('millrace marks'))";

const makeTables = `
  CREATE TABLE IF NOT EXISTS millrace.millrace_mark (
    job text PRIMARY KEY, epoch bigint NOT NULL, incarnation text, position text,
    slice text NOT NULL, unseen text NOT NULL, rereads text NOT NULL);
  CREATE TABLE IF NOT EXISTS millrace.millrace_table (
    job text NOT NULL, id text NOT NULL, content text NOT NULL, PRIMARY KEY (job, id));
  CREATE TABLE IF NOT EXISTS millrace.millrace_parked (
    job text NOT NULL, id text NOT NULL, number bigint NOT NULL, key text NOT NULL, op text NOT NULL,
    position text NOT NULL, code text NOT NULL, at bigint NOT NULL, PRIMARY KEY (job, id, number));
  CREATE TABLE IF NOT EXISTS millrace.millrace_target (
    schema text NOT NULL, name text NOT NULL, job text NOT NULL, PRIMARY KEY (schema, name))`;

/** Waits for other jobs that create or drop the tables, and creates the missing ones. */
export async function readyTables(session: pg.ClientBase): Promise<void> {
  await session.query(lock);
  if ((await tablesThere(session)).length === markTables.length) return;
  // IF NOT EXISTS would require the right to create schemas even if an administrator has created this one.
  const [isMissing] = await askRow(session, `SELECT to_regnamespace('millrace') IS NULL`);
  if (isMissing === 't') await session.query('CREATE SCHEMA millrace');
  await session.query(makeTables);
}

/** Takes over a job: its epoch increases by one, once a process that still holds it has committed. */
export async function takeOver(session: pg.ClientBase, job: string): Promise<Mark> {
  await readyTables(session);
  const [epoch, incarnation = null, position = null, slice = null, unseen = null, rereads = null] = await askRow(
    session,
    `INSERT INTO millrace.millrace_mark AS m (job, epoch, slice, unseen, rereads) VALUES ($1, 1, $2, $3, $4)
      ON CONFLICT (job) DO UPDATE SET epoch = m.epoch + 1
      RETURNING epoch, incarnation, position, slice, unseen, rereads`,
    [job, emptyMark.slice, emptyMark.unseen, emptyMark.rereads],
  );
  const { rows } = await session.query<[string, string]>({
    text: 'SELECT id, content FROM millrace.millrace_table WHERE job = $1',
    values: [job],
    rowMode: 'array',
  });
  const parked = await session.query<[...ParkedTexts]>({
    text: `SELECT ${parkedColumns.join(', ')} FROM millrace.millrace_parked WHERE job = $1`,
    values: [job],
    rowMode: 'array',
  });
  return storedMark(Number(epoch), { incarnation, position, slice, unseen, rereads }, rows, parked.rows);
}

/** A table's parked rows after a number. */
export async function readParked(
  session: pg.ClientBase,
  job: string,
  table: string,
  after: number,
  limit: number,
): Promise<ParkedRow[]> {
  if (!(await tablesThere(session)).includes('millrace_parked')) return [];
  const { rows } = await session.query<[...ParkedTexts]>({
    text: `SELECT ${parkedColumns.join(', ')} FROM millrace.millrace_parked
      WHERE job = $1 AND id = $2 AND number > $3 ORDER BY number LIMIT $4`,
    values: [job, table, after, limit],
    rowMode: 'array',
  });
  return rows.map(storedParkedRow);
}

/**
 * Writes what an update contains. If it concerns only tables, the job's row is only locked in share mode, so that
 * chunks loaded at the same time do not wait for each other.
 * @param known the position that this process wrote last
 * @throws EngineError EPOCH_LOST if another process took over the job; CONNECTION_LOST if the tables were reverted to
 * an older state meanwhile
 */
export async function writeMark(
  session: pg.ClientBase,
  update: MarkUpdate,
  known: Position | undefined,
): Promise<void> {
  const { incarnation, position, slice, unseen, rereads } = markTexts(update);
  const parts = [incarnation, position, slice, unseen, rereads];
  const ofTables = tableTexts(update);
  const hold = parts.every((part) => part === null)
    ? 'SELECT job FROM millrace.millrace_mark WHERE job = $1 AND epoch = $2 FOR SHARE'
    : `UPDATE millrace.millrace_mark SET incarnation = coalesce($5, incarnation), position = coalesce($6, position),
        slice = coalesce($7, slice), unseen = coalesce($8, unseen), rereads = coalesce($9, rereads)
        WHERE job = $1 AND epoch = $2 AND ($10::text IS NULL OR position = $10) RETURNING job`;
  const { rows } = await runPrepared(
    session,
    `WITH held AS (${hold}), told AS (
      INSERT INTO millrace.millrace_table (job, id, content)
      SELECT held.job, t.id, t.content FROM held, unnest($3::text[], $4::text[]) AS t (id, content)
      ON CONFLICT (job, id) DO UPDATE SET content = excluded.content)
    SELECT count(*) FROM held`,
    [
      update.job,
      update.epoch,
      ofTables.map(([id]) => id),
      ofTables.map(([, content]) => content),
      ...(hold.startsWith('UPDATE') ? [...parts, update.position && known ? JSON.stringify(known) : null] : []),
    ],
  );
  if (rows[0]?.[0] !== '1') throw await whyLost(session, update);
  for (const parked of update.parked ?? []) await writeParked(session, update.job, parked);
}

/** A backup has the epoch of its time, which may be this process's own, but not the rows that came later. */
async function whyLost(session: pg.ClientBase, { job, epoch }: MarkUpdate): Promise<EngineError> {
  const [stored] = await askRow(session, 'SELECT epoch FROM millrace.millrace_mark WHERE job = $1', [job]);
  return stored && Number(stored) <= epoch
    ? new EngineError('CONNECTION_LOST', { side: 'target', subject: 'its tables were reverted to an older state' })
    : new EngineError('EPOCH_LOST', { side: 'target' });
}

async function writeParked(session: pg.ClientBase, job: string, { table, unpark, park }: ParkedUpdate): Promise<void> {
  const numbers = unpark === 'all' ? null : unpark;
  await session.query(
    'DELETE FROM millrace.millrace_parked WHERE job = $1 AND id = $2 AND ($3::bigint[] IS NULL OR number = ANY ($3))',
    [job, table, numbers],
  );
  if (park.length === 0) return;
  const rows = park.map((row) => parkedTexts(table, row));
  const columns = parkedColumns.join(', ');
  await session.query(
    `INSERT INTO millrace.millrace_parked (job, ${columns})
      SELECT $1, * FROM unnest($2::text[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bigint[])
      ON CONFLICT (job, id, number) DO UPDATE SET key = excluded.key, op = excluded.op, position = excluded.position,
        code = excluded.code, at = excluded.at`,
    [job, ...parkedColumns.map((_, place) => rows.map((row) => row[place]))],
  );
}

/** Removes everything of a job; with the last job, tables and schema are dropped too, as far as the user owns them. */
export async function forget(session: pg.ClientBase, job: string): Promise<void> {
  await session.query(lock);
  const tables = (await tablesThere(session)).map((name) => `millrace.${name}`);
  if (tables.length === 0) return;
  for (const table of tables) await session.query(`DELETE FROM ${table} WHERE job = $1`, [job]);
  for (const table of tables) {
    const [others] = await askRow(session, `SELECT EXISTS (SELECT FROM ${table})`);
    if (others === 't') return;
  }
  const [ownsTables] = await askRow(
    session,
    `SELECT bool_and(pg_has_role(relowner, 'USAGE')) FROM pg_class
    WHERE relnamespace = 'millrace'::regnamespace AND relname = ANY ($1)`,
    [markTables],
  );
  if (ownsTables !== 't') return;
  await session.query(`DROP TABLE ${tables.join(', ')}`);
  const [isOwnAndEmpty] = await askRow(
    session,
    `SELECT pg_has_role(nspowner, 'USAGE') AND NOT EXISTS (
      SELECT FROM pg_depend WHERE refclassid = 'pg_namespace'::regclass AND refobjid = n.oid)
    FROM pg_namespace AS n WHERE nspname = 'millrace'`,
  );
  if (isOwnAndEmpty === 't') await session.query('DROP SCHEMA millrace');
}

/** Those of our tables that exist: what an earlier version created lacks the newest ones. */
async function tablesThere(session: pg.ClientBase): Promise<string[]> {
  const { rows } = await session.query<[string]>({
    text: `SELECT relname FROM pg_class
      WHERE relnamespace = to_regnamespace('millrace') AND relkind = 'r' AND relname = ANY ($1)`,
    values: [markTables],
    rowMode: 'array',
  });
  return rows.map(([name]) => name);
}
