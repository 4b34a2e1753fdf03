import pg from 'pg';
import { z } from 'zod';
import type { Finding } from '../../../finding.ts';
import type { PostgresSettings } from '../card.ts';
import { logFault } from '../log-fault.ts';
import { askJson } from '../sessions.ts';

/** How many further slots or senders to ask for when none is free. */
const more = 10;

const serverFacts = z.object({
  version: z.number(),
  versionName: z.string(),
  isStandby: z.boolean(),
  encoding: z.string(),
  pid: z.number(),
  user: z.string(),
  database: z.string(),
  mayPublish: z.boolean(),
  walLevel: z.string(),
  slots: z.number(),
  mostSlots: z.number(),
  senders: z.number(),
  mostSenders: z.number(),
  keepSize: z.number(),
  idleSlotTimeout: z.string().nullable(),
  abandoned: z.array(z.object({ name: z.string(), bytes: z.number().nullable() })),
  /** Job publications without a slot. */
  orphaned: z.array(z.string()),
  open: z.array(z.object({ pid: z.number(), seconds: z.number() })),
});

export type ServerFacts = z.infer<typeof serverFacts>;

/** @throws EngineError */
export async function readServerFacts(session: pg.ClientBase): Promise<ServerFacts> {
  const [facts] = await askJson(
    session,
    serverFacts,
    `SELECT json_build_object(
      'version', current_setting('server_version_num')::int / 10000, 'versionName', current_setting('server_version'),
      'isStandby', pg_is_in_recovery(), 'encoding', current_setting('server_encoding'), 'pid', pg_backend_pid(),
      'user', current_user, 'database', current_database(),
      'mayPublish', has_database_privilege(current_database(), 'CREATE'),
      'walLevel', current_setting('wal_level'),
      'slots', (SELECT count(*) FROM pg_replication_slots),
      'mostSlots', current_setting('max_replication_slots')::int,
      'senders', (SELECT count(*) FROM pg_stat_get_wal_senders()),
      'mostSenders', current_setting('max_wal_senders')::int,
      'keepSize', (SELECT setting::int FROM pg_settings WHERE name = 'max_slot_wal_keep_size'),
      'idleSlotTimeout', (SELECT setting FROM pg_settings WHERE name = 'idle_replication_slot_timeout'),
      'abandoned', (SELECT coalesce(json_agg(json_build_object('name', slot_name, 'bytes', CASE
            WHEN NOT pg_is_in_recovery() THEN pg_wal_lsn_diff(pg_current_wal_insert_lsn(), restart_lsn) END)), '[]')
        FROM pg_replication_slots WHERE slot_name LIKE 'millrace\\_%' AND NOT active),
      'orphaned', (SELECT coalesce(json_agg(pubname ORDER BY pubname), '[]') FROM pg_publication
        WHERE pubname LIKE 'millrace\\_canal%' AND NOT EXISTS (
          SELECT FROM pg_replication_slots WHERE slot_name = pubname)),
      'open', (SELECT coalesce(json_agg(json_build_object('pid', pid, 'seconds', seconds)), '[]') FROM (
        SELECT pid, extract(epoch FROM clock_timestamp() - xact_start)::int AS seconds FROM pg_stat_activity
        WHERE backend_xid IS NOT NULL AND pid <> pg_backend_pid() ORDER BY xact_start LIMIT 5) AS a WHERE seconds > 60)
    )::text`,
  );
  if (!facts) throw new Error('The server answered no row about itself.');
  return facts;
}

/** What prevents any job from reading from this server. */
export function settingFindings(facts: ServerFacts, sessionPid: number | null): Finding[] {
  const findings: Finding[] = [];
  if (facts.encoding === 'SQL_ASCII')
    findings.push({
      type: 'VARIABLES',
      side: 'source',
      result: 'fault',
      sentence:
        'The database encoding is SQL_ASCII, so the encoding of its text is unknown; dump it, and restore it into a UTF8 database.',
    });
  if (sessionPid !== null && sessionPid !== facts.pid)
    findings.push({
      type: 'CONNECTIVITY',
      side: 'source',
      result: 'fault',
      sentence:
        'The address leads to a connection pooler, which cannot carry replication; give the address of the database server itself.',
    });
  return findings;
}

/** What prevents a job from following this server's log. */
export function logFindings(facts: ServerFacts, { slot }: PostgresSettings): Finding[] {
  const faults: (Finding | false)[] = [
    facts.isStandby &&
      logFault('The server is a standby, where no publication can be created; give the address of the primary.'),
    facts.walLevel !== 'logical' &&
      logFault(
        `wal_level is ${facts.walLevel}; to follow changes it must be logical.`,
        "ALTER SYSTEM SET wal_level = 'logical';\n-- then restart the server",
      ),
    facts.slots >= facts.mostSlots &&
      slot === '' &&
      logFault(
        `All ${facts.mostSlots} replication slots are in use.`,
        `SELECT slot_name, active FROM pg_replication_slots; -- drop the unused ones, or:\nALTER SYSTEM SET max_replication_slots = ${facts.mostSlots + more};\n-- then restart the server`,
      ),
    facts.senders >= facts.mostSenders &&
      logFault(
        `All ${facts.mostSenders} WAL senders are in use.`,
        `ALTER SYSTEM SET max_wal_senders = ${facts.mostSenders + more};\n-- then restart the server`,
      ),
  ];
  const found = faults.filter((one) => one !== false);
  const passed: Finding = {
    type: 'BINLOG_EXISTENCE',
    side: 'source',
    result: 'passed',
    sentence: "The server's log can be followed.",
  };
  return [...(found.length === 0 ? [passed] : found), ...logWarnings(facts)];
}

function logWarnings(facts: ServerFacts): Finding[] {
  const warning = (sentence: string, sql?: string): Finding => ({
    type: 'VARIABLES',
    side: 'source',
    result: 'warning',
    sentence,
    ...(sql && { sql }),
  });
  const warnings = [
    ...facts.open.map(({ pid, seconds }) =>
      warning(
        `A transaction has been open for ${Math.floor(seconds / 60)} min in session ${pid}; the replication slot is created only after it ends.`,
        `SELECT pg_terminate_backend(${pid}); -- undoes what it has done so far`,
      ),
    ),
    ...facts.abandoned.map(({ name, bytes }) =>
      warning(
        `No session reads the replication slot ${name}${bytes === null ? '' : `, which retains ${Math.ceil(bytes / 2 ** 20)} MB of log`}; drop it if its job was deleted.`,
        `SELECT pg_drop_replication_slot(${pg.escapeLiteral(name)});`,
      ),
    ),
    ...facts.orphaned.map((name) =>
      warning(
        `The publication ${name} has no replication slot; drop it if its job was deleted.`,
        `DROP PUBLICATION ${pg.escapeIdentifier(name)};`,
      ),
    ),
  ];
  if (facts.keepSize === -1)
    warnings.push(
      warning(
        "max_slot_wal_keep_size has no limit: while a job makes no progress, the server's log grows until the disk is full.",
        "ALTER SYSTEM SET max_slot_wal_keep_size = '20GB'; -- what the disk can spare\nSELECT pg_reload_conf();",
      ),
    );
  if (facts.idleSlotTimeout !== null && facts.idleSlotTimeout !== '0')
    warnings.push(
      warning(
        'idle_replication_slot_timeout is set: a job that is stopped for longer loses its slot and must copy again.',
        "ALTER SYSTEM SET idle_replication_slot_timeout = '0';\nSELECT pg_reload_conf();",
      ),
    );
  return warnings;
}
