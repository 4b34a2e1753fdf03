import type pg from 'pg';
import type { Named } from '../../sink.ts';
import { tableName } from '../../table.ts';
import { readyTables } from './mark.ts';
import { askRow } from './sessions.ts';

/** Records beside the marks which job writes to which table: two jobs would delete each other's rows. */

/** Tables that other jobs write to. If the user is not allowed to read this, the checkpoint's own check reports it. */
export async function takenTables(
  session: pg.ClientBase,
  job: string,
  tables: readonly Named[],
): Promise<ReadonlyMap<string, string>> {
  const [mayRead] = await askRow(
    session,
    `SELECT EXISTS (SELECT FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
      WHERE n.nspname = 'millrace' AND c.relname = 'millrace_target'
        AND has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT'))`,
  );
  return mayRead === 't' ? await readTaken(session, job, tables) : new Map();
}

/** Records those of a job's tables that no other job has, within the caller's transaction. @returns the others */
export async function claimTables(
  session: pg.ClientBase,
  job: string,
  tables: readonly Named[],
): Promise<ReadonlyMap<string, string>> {
  await readyTables(session);
  const taken = await readTaken(session, job, tables);
  const own = tables.filter((table) => !taken.has(tableName(table)));
  await session.query('DELETE FROM millrace.millrace_target WHERE job = $1', [job]);
  await session.query(
    'INSERT INTO millrace.millrace_target (schema, name, job) SELECT *, $1 FROM unnest($2::text[], $3::text[])',
    [job, ...namesOf(own)],
  );
  return taken;
}

async function readTaken(
  session: pg.ClientBase,
  job: string,
  tables: readonly Named[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await session.query<{ schema: string; name: string; job: string }>(
    `SELECT schema, name, job FROM millrace.millrace_target
      JOIN unnest($2::text[], $3::text[]) AS wanted (schema, name) USING (schema, name) WHERE job <> $1`,
    [job, ...namesOf(tables)],
  );
  return new Map(rows.map((row) => [tableName(row), row.job]));
}

const namesOf = (tables: readonly Named[]) => [tables.map(({ schema }) => schema), tables.map(({ name }) => name)];
