import { execFileSync } from 'node:child_process';
import { chownSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { type ClusterOptions, type PostgresServer, startPostgres } from './postgres.ts';

/** The physical slot that a standby streams from. */
const slot = 'standby';

/**
 * Starts a standby that streams from a primary and keeps its failover slots in step. It is created like `pg_basebackup`
 * would, which the PostgreSQL 18 package lacks: the files are copied between the server's own backup calls.
 * @param options those of the primary
 */
export async function startStandby(primaryUrl: string, options: ClusterOptions): Promise<PostgresServer> {
  const { hostname, port } = new URL(primaryUrl);
  const settings = {
    ...options.settings,
    primary_conninfo: `host=${hostname} port=${port} user=postgres dbname=postgres`,
    primary_slot_name: slot,
    hot_standby_feedback: 'on',
    sync_replication_slots: 'on',
  };
  return await startPostgres({ ...options, settings, makeData: (folder) => backUp(primaryUrl, folder) });
}

async function backUp(primaryUrl: string, folder: string): Promise<void> {
  const primary = new pg.Client({ connectionString: primaryUrl });
  await primary.connect();
  try {
    await primary.query(`SELECT pg_create_physical_replication_slot('${slot}', true)`);
    const [data] = (await primary.query<{ data_directory: string }>('SHOW data_directory')).rows;
    await primary.query('SELECT pg_backup_start($1, true)', ['standby']);
    execFileSync('cp', ['-a', data?.data_directory ?? '', folder]);
    const [label] = (await primary.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)')).rows;
    rmSync(join(folder, 'postmaster.pid'));
    rmSync(join(folder, 'pg_replslot'), { recursive: true });
    const { uid, gid } = statSync(folder);
    mkdirSync(join(folder, 'pg_replslot'), { mode: 0o700 });
    chownSync(join(folder, 'pg_replslot'), uid, gid);
    for (const [name, content] of Object.entries({ backup_label: label?.labelfile ?? '', 'standby.signal': '' })) {
      writeFileSync(join(folder, name), content, { mode: 0o600 });
      chownSync(join(folder, name), uid, gid);
    }
  } finally {
    await primary.end();
  }
}
