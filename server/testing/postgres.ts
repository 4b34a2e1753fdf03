import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { ProvedSystem } from '../engine/contract/proof.ts';
import { freePort } from './free-port.ts';
import { patience } from './patience.ts';
import { ServerFaults } from './server-faults.ts';

/** A PostgreSQL server for the tests. */
export interface PostgresServer {
  /** Address of the database `postgres`, for a superuser without a password. */
  url: string;
  /** The last hundred lines that it logged since its last start. */
  log(): string;
  /** Its processes, the main one first. */
  processes(): number[];
  /** Kills the server like a power cut would, and restarts it on the same data. */
  killAndRestart(): Promise<void>;
  stop(): Promise<void>;
}

/** A cluster's own settings. */
export interface ClusterOptions {
  /** Folder of the programs initdb and postgres. Default: PostgreSQL's installation. */
  programs?: string;
  /** Settings that the server is started with. */
  settings?: Record<string, string>;
  /** Files in its data folder, such as certificates. */
  files?: Record<string, Buffer>;
  /** Creates the data folder, which does not exist yet. Default: initdb. */
  makeData?: (folder: string) => Promise<void>;
  /** Upper half of its transaction IDs: above 0, an ID truncated to 32 bits differs. Default 0. */
  epoch?: number;
}

/** Settings for logical replication with many slots; its transaction IDs go beyond 32 bits. */
export const logicalCluster: ClusterOptions = {
  settings: {
    wal_level: 'logical',
    max_replication_slots: '60',
    max_wal_senders: '60',
    // PostgreSQL forgets what a new slot needs when another slot advances at that moment (pgsql-hackers, 2026-01-27).
    wal_keep_size: '2GB',
    fsync: 'off',
  },
  epoch: 3,
};

/** The same for a cluster that no test kills: a page may only be half written after a kill. */
export const sharedCluster: ClusterOptions = {
  ...logicalCluster,
  settings: { ...logicalCluster.settings, full_page_writes: 'off' },
};

/** Folder of PostgreSQL's programs, newest first; undefined when there is none. */
export function findPostgres(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...(process.env.POSTGRES_BIN ? [process.env.POSTGRES_BIN] : []),
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
  ];
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')));
}

/**
 * Starts a throw-away cluster on a free loopback port; as root it runs under an unprivileged user, since PostgreSQL
 * refuses root.
 * @throws with one sentence when PostgreSQL is not installed
 */
export async function startPostgres({
  programs,
  settings = {},
  files = {},
  makeData,
  epoch = 0,
}: ClusterOptions = {}): Promise<PostgresServer> {
  const bin = programs ?? findPostgres();
  if (!bin)
    throw new Error('No PostgreSQL was found: install one (Debian: apt-get install postgresql) or set POSTGRES_BIN.');
  const folder = mkdtempSync(join(tmpdir(), 'millrace-postgres-'));
  const user = process.getuid?.() === 0 ? unprivilegedUser() : undefined;
  if (user) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  if (makeData) await makeData(data);
  else
    execFileSync(join(bin, 'initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale'], {
      ...user,
      stdio: 'pipe',
      cwd: folder,
    });
  if (epoch > 0) execFileSync(join(bin, 'pg_resetwal'), ['-e', String(epoch), '-D', data], { ...user, cwd: folder });
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(data, name), content, { mode: 0o600 });
    if (user) chownSync(join(data, name), user.uid, user.gid);
  }
  const port = await freePort();
  const given = Object.entries({
    listen_addresses: '127.0.0.1',
    max_connections: '200',
    // Includes each error's code and routine.
    log_error_verbosity: 'verbose',
    ...settings,
  });
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const faults = new ServerFaults();
  let said: string[] = [];
  let server = await launch();

  async function launch() {
    const child = spawn(
      join(bin ?? '', 'postgres'),
      ['-D', data, '-p', String(port), '-k', '', ...given.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      { ...user, stdio: ['ignore', 'ignore', 'pipe'], cwd: folder },
    );
    said = [];
    createInterface(child.stderr).on('line', (line) => {
      faults.take(line);
      said.push(line);
      if (said.length > 100) said.shift();
    });
    const gone = once(child, 'exit').then(() => {
      throw new Error(`PostgreSQL did not start:\n${said.join('\n')}`);
    });
    gone.catch(() => undefined); // reported below, to the caller waiting for the start
    await Promise.race([untilReady(url), gone]);
    return child;
  }

  const processes = () => {
    const children = readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8').trim().split(' ');
    return [server.pid ?? 0, ...children.filter(Boolean).map(Number)];
  };

  return {
    url,
    log: () => said.join('\n'),
    processes,
    async killAndRestart() {
      const ended = once(server, 'exit');
      // All of its processes at once, so there is no orderly shutdown; stopped first, so no new one starts.
      server.kill('SIGSTOP');
      const running = processes();
      for (const pid of running) {
        try {
          process.kill(pid, 'SIGKILL');
        } catch {
          // It has ended on its own.
        }
      }
      await ended;
      // As long as one of them holds the shared memory, no other server starts on the same data.
      while (running.some(isRunning)) await new Promise((resolve) => setTimeout(resolve, 20));
      server = await launch();
    },
    async stop() {
      if (server.exitCode === null && server.signalCode === null) {
        const ended = once(server, 'exit');
        server.kill('SIGINT');
        await ended;
      }
      if (faults.lines.length > 0)
        process.stderr.write(`\nPostgreSQL met faults of its own:\n${faults.lines.join('\n')}\n`);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A version as the server writes it, `15.14 (Debian 15.14-0+deb12u1)`, to record what a test proves. */
export function postgresVersion(shown: string): ProvedSystem {
  const [version = ''] = shown.split(' ');
  return { family: 'postgresql', release: /^\d+/.exec(version)?.[0] ?? version, version };
}

/** A session with each server, in which databases are created and dropped: to begin one takes longer than either. */
const sessions = new Map<string, pg.Pool>();

export function sessionWith(serverUrl: string): pg.Pool {
  const known = sessions.get(serverUrl);
  if (known) return known;
  const session = new pg.Pool({ connectionString: serverUrl, max: 1, allowExitOnIdle: true });
  // A server that is stopped or killed ends it, and the next statement begins another.
  session.on('error', () => undefined);
  sessions.set(serverUrl, session);
  return session;
}

/** Addresses of the databases that this file's tests created. */
const created = new Set<string>();

/**
 * Creates a database on a server and returns its address; it lasts until the file's tests have ended.
 * @param template address of one to copy, which has no sessions; without it the database is empty
 */
export async function createDatabase(serverUrl: string, template?: string): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  // Through the log, the default, each would be 8 MB that every job on the server reads.
  const copied = template === undefined ? '' : `TEMPLATE ${pg.escapeIdentifier(nameOf(template))}`;
  await askWhenUnused(serverUrl, `CREATE DATABASE ${pg.escapeIdentifier(name)} ${copied} STRATEGY file_copy`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  created.add(url.href);
  return url.href;
}

/** Sends a statement for which a database must have no sessions: autovacuum's or a killed process's may end late. */
async function askWhenUnused(serverUrl: string, sql: string): Promise<void> {
  const end = performance.now() + patience.timeout;
  for (;;) {
    try {
      await sessionWith(serverUrl).query(sql);
      return;
    } catch (error) {
      // For sessions, the server itself has waited for five seconds; for all else, it answers at once.
      const isInUse = error instanceof pg.DatabaseError && error.code === '55006';
      if (!isInUse || performance.now() > end) throw error;
      await delay(100);
    }
  }
}

const nameOf = (url: string) => new URL(url).pathname.slice(1);

/** Drops the databases that this file's tests created on a server, with their slots; their sessions end. */
export async function dropCreated(serverUrl: string): Promise<void> {
  const { host } = new URL(serverUrl);
  for (const url of [...created].filter((one) => new URL(one).host === host)) await dropDatabase(serverUrl, url);
}

/** Drops a database with its slots; its sessions end. One that is gone already stays so. */
export async function dropDatabase(serverUrl: string, url: string): Promise<void> {
  created.delete(url);
  const name = nameOf(url);
  const session = sessionWith(serverUrl);
  await dropSlots(async (sql) => (await session.query(sql, [name])).rows, '$1');
  await askWhenUnused(serverUrl, `DROP DATABASE IF EXISTS ${pg.escapeIdentifier(name)} WITH (FORCE)`);
}

/**
 * Drops a database's slots. Their readers are terminated first: the server may not have noticed yet that a killed
 * process is gone.
 * @param ask returns the rows of a statement
 * @param database SQL for the database's name; default: the one that the statements run in
 */
export async function dropSlots(
  ask: (sql: string) => Promise<unknown[]>,
  database = 'current_database()',
): Promise<void> {
  const own = `FROM pg_replication_slots WHERE database = ${database}`;
  await ask(`SELECT pg_terminate_backend(active_pid) ${own} AND active`);
  while ((await ask(`SELECT ${own} AND active`)).length > 0);
  await ask(`SELECT pg_drop_replication_slot(slot_name) ${own}`);
}

/** Whether a process exists and is not merely waiting to be reaped. */
export function isRunning(pid: number): boolean {
  try {
    // The state follows the name, which is in brackets.
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

function unprivilegedUser(): { uid: number; gid: number } {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(':') ?? [];
    if (uid && gid) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error(
    'There is no unprivileged user to run PostgreSQL under: neither postgres nor nobody is in /etc/passwd.',
  );
}

async function untilReady(url: string): Promise<void> {
  for (;;) {
    try {
      return await ask(url, 'SELECT 1');
    } catch {
      // Not yet: the caller's race ends the wait when the server is gone.
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

async function ask(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
