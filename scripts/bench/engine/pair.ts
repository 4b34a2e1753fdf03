import { join } from 'node:path';
import pg from 'pg';
import type { JobSpec } from '../../../server/engine/job.ts';
import { jobSpec, postgresSide, wholeTables } from '../../../server/testing/job-spec.ts';
import { createDatabase, findPostgres, startPostgres } from '../../../server/testing/postgres.ts';
import { preparePostgres18 } from '../../../server/testing/postgres-18.ts';

/** Settings of every cluster besides the defaults: it waits for the disk as in production. */
export const clusterSettings = {
  shared_buffers: '256MB',
  max_wal_size: '4GB',
  track_commit_timestamp: 'on',
  autovacuum: 'off',
};

/** A database with a session for the measurement. */
export interface Side {
  url: string;
  /** Runs statements; every cell is text or null. */
  sql(text: string, values?: unknown[]): Promise<(string | null)[][]>;
  /** Resolves once the condition holds; it is polled every few milliseconds. */
  until(condition: string, values?: unknown[]): Promise<void>;
}

/** Two throw-away clusters: a source whose log can be followed, and a target. */
export interface Pair {
  /** The version as both servers report it. */
  version: string;
  /** A new database on each side. */
  databases(): Promise<{ source: Side; target: Side }>;
  /** A further database on the target server. */
  furtherTarget(): Promise<Side>;
  stop(): Promise<void>;
}

/** @param version major version of PostgreSQL: Debian's own, or 18 of the development dependency */
export async function startPair(version: '15' | '18'): Promise<Pair> {
  const prepared = version === '18' ? preparePostgres18() : undefined;
  const programs = { programs: prepared?.programs ?? debian15() };
  const [sourceServer, targetServer] = await Promise.all([
    startPostgres({ ...programs, settings: { ...clusterSettings, wal_level: 'logical' } }),
    startPostgres({ ...programs, settings: clusterSettings }),
  ]);
  const sessions: pg.Client[] = [];
  const open = async (serverUrl: string): Promise<Side> => {
    const url = await createDatabase(serverUrl);
    const client = new pg.Client({ connectionString: url, types: { getTypeParser: () => String } });
    client.on('error', () => undefined); // told by the next statement
    await client.connect();
    sessions.push(client);
    const sql = async (text: string, values?: unknown[]) => {
      const { rows } = await client.query<(string | null)[]>({ text, ...(values && { values }), rowMode: 'array' });
      return rows ?? [];
    };
    return {
      url,
      sql,
      async until(condition, values) {
        while ((await sql(`SELECT (${condition})::text`, values))[0]?.[0] !== 'true')
          await new Promise((resolve) => setTimeout(resolve, 5));
      },
    };
  };
  const { sql } = await open(sourceServer.url);
  const [[name] = []] = await sql('SHOW server_version');
  return {
    version: name ?? version,
    databases: async () => ({ source: await open(sourceServer.url), target: await open(targetServer.url) }),
    furtherTarget: () => open(targetServer.url),
    async stop() {
      await Promise.all(sessions.map((session) => session.end()));
      await Promise.all([sourceServer.stop(), targetServer.stop()]);
      prepared?.remove();
    },
  };
}

function debian15(): string {
  const programs = findPostgres();
  if (!programs) throw new Error('PostgreSQL is not installed: apt-get install postgresql, or set POSTGRES_BIN.');
  return programs;
}

/** A PostgreSQL program such as psql; the package of 18 has no client programs. */
export function program(name: string): string {
  return join(debian15(), name);
}

/** A new job for tables that both sides have. */
export function specOf(
  { source, target }: { source: Side; target: Side },
  type: JobSpec['type'],
  tables: readonly string[],
  initialLoad: boolean,
): JobSpec {
  return jobSpec({
    type,
    source: postgresSide(source.url),
    target: postgresSide(target.url),
    tables: wholeTables(tables),
    structure: false,
    initialLoad,
    parallel: 4,
  });
}

/** Removes what a finished job keeps on its source, and releases its target tables. */
export async function release({ source, target }: { source: Side; target: Side }, { id }: JobSpec): Promise<void> {
  await source.sql(`SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = $1`, [
    `millrace_${id}`,
  ]);
  await source.sql(`DROP PUBLICATION IF EXISTS millrace_${id}`);
  await target.sql('DELETE FROM millrace.millrace_target WHERE job = $1', [id]);
}
