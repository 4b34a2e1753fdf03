import type { Socket } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import pg from 'pg';
import { EngineError } from '../../errors.ts';
import { reachOf, reachSocket } from '../reach.ts';
import type { PostgresSettings } from './card.ts';
import { engineError } from './errors.ts';
import { watchSilence } from './silence.ts';

/** How long a server may take from the first packet until it accepts statements, in milliseconds. */
const connectTimeout = 10_000;

/** How long a server may take to report that a statement ran too long, in milliseconds. */
const overdueTimeout = 30_000;

/** What a session is for. */
export interface SessionOptions {
  side: 'source' | 'target';
  /** Ends every wait of the session and its connection. */
  signal: AbortSignal;
  /** The server that the session must be on; omitted by callers that open a single session. */
  server?: { check(session: pg.ClientBase, side: 'source' | 'target'): Promise<void> };
  /** The job, for `application_name`; omitted by sessions that only ask about the database. */
  job?: string;
  /** A walsender session: it streams the log and also accepts statements. */
  replication?: boolean;
  /** Statements are sent without waiting for the answers to earlier ones; COPY cannot be pipelined. */
  pipeline?: boolean;
  /** How long a statement may run, in milliseconds; 0 for no limit. Default 10 minutes. */
  statementTimeout?: number;
  /** How long a statement waits for a lock, in milliseconds. Default 10 seconds. */
  lockTimeout?: number;
  /** Session settings besides those that every session has. */
  settings?: Record<string, string>;
}

/** What all sessions of one side have in common. */
export type SideOptions = Pick<SessionOptions, 'signal' | 'server'>;

/**
 * The text of values depends on these settings; sent with the first packet, they override ALTER ROLE and ALTER
 * DATABASE, for walsenders too.
 */
const sessionSettings: Record<string, string> = {
  DateStyle: 'ISO,YMD',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  array_nulls: 'on',
  client_encoding: 'UTF8',
  extra_float_digits: '3',
  bytea_output: 'hex',
  lc_monetary: 'C',
  search_path: '',
  standard_conforming_strings: 'on',
  quote_all_identifiers: 'off',
  xmloption: 'content',
  // Rows hidden by a policy cause an error instead of being missing.
  row_security: 'off',
  default_transaction_isolation: 'read committed',
  default_transaction_read_only: 'off',
  default_transaction_deferrable: 'off',
  idle_in_transaction_session_timeout: '0',
  idle_session_timeout: '0',
  jit: 'off',
};

/** Those settings that the server reports back without being asked. */
const reported: Record<string, string> = {
  DateStyle: 'ISO, YMD',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  client_encoding: 'UTF8',
};

/** Sessions that began while their server was in recovery; it may be promoted at any time, and they stay open. */
const begunInRecovery = new WeakSet<pg.ClientBase>();

/** Whether the server was a standby that had not been promoted when the session began. */
export function beganInRecovery(session: pg.ClientBase): boolean {
  return begunInRecovery.has(session);
}

/** The name of a job's sessions in pg_stat_activity. */
export function applicationName(job?: string): string {
  return job ? `millrace ${job}` : 'millrace';
}

/**
 * Opens a session. Values come back as the server printed them: every cell of every query is text or null.
 * @throws EngineError
 */
export async function connect(settings: PostgresSettings, options: SessionOptions): Promise<pg.Client> {
  const { side, signal } = options;
  if (signal.aborted) throw new EngineError('CONNECTION_LOST', { side });
  const socket = reachSocket(reachOf(process.env), side);
  let hasNoProcess = false;
  if (settings.tls !== 'disable') socket.once('data', (answer) => (hasNoProcess = saysNoProcess(answer)));
  const client = new pg.Client(clientConfig(settings, options, socket));
  // An error between two statements is reported by the next statement.
  client.on('error', () => undefined);
  const told: Record<string, string> = {};
  client.connection.on('parameterStatus', ({ parameterName, parameterValue }) => {
    told[String(parameterName)] = String(parameterValue);
  });
  const abort = () => {
    client.connection.stream.destroy();
    socket.destroy();
  };
  signal.addEventListener('abort', abort);
  client.once('end', () => signal.removeEventListener('abort', abort));
  try {
    await client.connect();
    watchSilence(client, side, () => signIn(settings, options));
    await options.server?.check(client, side);
    // Older servers refuse a setting that they do not know.
    if (Number.parseInt(told.server_version ?? '', 10) >= 17) await client.query('SET transaction_timeout = 0');
  } catch (error) {
    signal.removeEventListener('abort', abort);
    socket.destroy();
    throw hasNoProcess ? new EngineError('SERVER_FAULT', { side }) : connectError(error, side);
  }
  const ignored = Object.keys(reported).find((name) => told[name] !== reported[name]);
  if (ignored) {
    await client.end();
    throw new EngineError('BEHIND_A_POOLER', { side, subject: `setting ${ignored} was ignored` });
  }
  if (told.in_hot_standby === 'on') begunInRecovery.add(client);
  return client;
}

/**
 * Whether a server answered the request for TLS as PostgreSQL does if it cannot start another process: with E, its
 * reason and a zero byte (postmaster's report_fork_failure_to_client).
 */
function saysNoProcess(answer: Buffer): boolean {
  return answer.toString('latin1', 0, 1) === 'E' && answer.at(-1) === 0;
}

/** Opens a separate session and closes it. @throws the error of pg or the server */
async function signIn(settings: PostgresSettings, { side }: SessionOptions): Promise<void> {
  const socket = reachSocket(reachOf(process.env), side);
  const client = new pg.Client(clientConfig(settings, { side }, socket));
  client.on('error', () => undefined);
  try {
    await client.connect();
  } finally {
    socket.destroy();
  }
}

function clientConfig(
  settings: PostgresSettings,
  options: Omit<SessionOptions, 'signal'>,
  socket: Socket,
): pg.ClientConfig & { replication?: string } {
  const { host, port, database, user, password } = settings;
  const { job, replication = false, pipeline = false, lockTimeout = 10_000, settings: more } = options;
  const statementTimeout = options.statementTimeout ?? (replication ? 0 : 600_000);
  return {
    host,
    port,
    database,
    user,
    // A function, since pg looks for another password in the environment if the string is empty.
    password: () => password,
    ssl: tlsOptions(settings),
    stream: () => socket,
    // A server that vanished silently is noticed within 20 seconds: the system probes 10 times, a second apart.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: connectTimeout,
    // For a server that keeps its connection open but answers nothing, not even that the statement took too long.
    ...(statementTimeout > 0 && { query_timeout: statementTimeout + overdueTimeout }),
    application_name: applicationName(job),
    options: optionsText({
      ...sessionSettings,
      statement_timeout: String(statementTimeout),
      lock_timeout: String(lockTimeout),
      ...more,
    }),
    types: { getTypeParser: () => (text: string | Buffer) => text },
    ...(replication && { replication: 'database' }),
    ...(pipeline && { pipeline }),
  };
}

function optionsText(settings: Record<string, string>): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value.replaceAll(/[\\\s]/g, String.raw`\$&`)}`)
    .join(' ');
}

function tlsOptions({ tls, ca }: PostgresSettings): false | ConnectionOptions {
  if (tls === 'disable') return false;
  if (tls === 'require') return { rejectUnauthorized: false };
  const trusted = ca ? { ca } : {};
  return tls === 'verify-full' ? trusted : { ...trusted, checkServerIdentity: () => undefined };
}

function connectError(error: unknown, side: 'source' | 'target'): EngineError {
  if (error instanceof pg.DatabaseError) {
    const place = { side, state: error.code ?? '' };
    // Poolers refuse unknown parts of the first packet; an old server does not know a setting.
    if (error.code === '08P01') return new EngineError('BEHIND_A_POOLER', place);
    if (error.code === '42704') return new EngineError('VERSION_NOT_SUPPORTED', place);
  }
  return engineError(error, { side });
}
