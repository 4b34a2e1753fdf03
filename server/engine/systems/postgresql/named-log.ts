import pg from 'pg';
import { z } from 'zod';
import type { Finding } from '../../finding.ts';
import type { Table } from '../../table.ts';
import type { PostgresSettings } from './card.ts';
import { logFault } from './log-fault.ts';
import { publicationOptions, publishable, publishedTables } from './publication-sql.ts';
import { grant } from './rights.ts';
import { askJson } from './sessions.ts';

const publicationFacts = z.object({
  isWhole: z.boolean(),
  isViaRoot: z.boolean(),
  /** IDs of its tables. */
  tables: z.array(z.string()),
  /** Those of which it publishes only some rows or columns. */
  partial: z.array(z.string()),
});

/** Whether a publication's entry `r` covers only some rows or columns; SQL that older servers accept too. */
export const isPartial = `coalesce(to_jsonb(r) ->> 'prqual', to_jsonb(r) ->> 'prattrs') IS NOT NULL`;

/** Whether a publication contains every kind of change; SQL. */
export const isWhole = 'pubinsert AND pubupdate AND pubdelete AND pubtruncate';

const askPublication = `
  SELECT json_build_object('isWhole', ${isWhole}, 'isViaRoot', pubviaroot,
    'tables', (SELECT coalesce(json_agg(t.relid::text), '[]') FROM pg_get_publication_tables(p.pubname::text) AS t),
    'partial', (SELECT coalesce(json_agg(r.prrelid::text), '[]') FROM pg_publication_rel AS r WHERE r.prpubid = p.oid
      AND ${isPartial}))::text
  FROM pg_publication AS p WHERE pubname = $1`;

const slotFacts = z.object({
  plugin: z.string().nullable(),
  isHere: z.boolean(),
  isTemporary: z.boolean(),
  isActive: z.boolean(),
  isTwoPhase: z.boolean(),
  /** Why the server invalidated it; null while it is valid. */
  lost: z.string().nullable(),
});

const askSlot = `
  SELECT json_build_object('plugin', plugin, 'isHere', coalesce(database = current_database(), false),
    'isTemporary', temporary, 'isActive', active AND NOT EXISTS (
      SELECT FROM pg_stat_activity AS a WHERE a.pid = active_pid AND a.application_name LIKE 'millrace %'),
    'isTwoPhase', two_phase, 'lost', CASE WHEN wal_status = 'lost'
      THEN coalesce(to_jsonb(s) ->> 'invalidation_reason', 'wal_removed') END)::text
  FROM pg_replication_slots AS s WHERE slot_name = $1`;

/** What an administrator's publication lacks for these tables, and the statement that corrects it. */
export async function publicationFault(
  session: pg.ClientBase,
  name: string,
  tables: readonly Table[],
): Promise<{ why: string; sql: string } | undefined> {
  const own = pg.escapeIdentifier(name);
  const [found] = await askJson(session, publicationFacts, askPublication, [name]);
  if (!found)
    return {
      why: `there is no publication ${name}`,
      sql: grant('publish', { publication: own, tables: publishedTables(tables) }),
    };
  if (!found.isWhole || !found.isViaRoot)
    return {
      why: `the publication ${name} leaves out ${found.isWhole ? 'the roots of partitions' : 'a kind of change'}`,
      sql: `ALTER PUBLICATION ${own} SET (${publicationOptions});`,
    };
  const missing = tables.filter(({ id }) => !found.tables.includes(id));
  if (missing.length > 0)
    return {
      why: `the publication ${name} lacks ${missing.map((table) => `${table.schema}.${table.name}`).join(', ')}`,
      sql: `ALTER PUBLICATION ${own} ADD TABLE ${publishedTables(missing)};`,
    };
  const partial = tables.filter(({ id }) => found.partial.includes(id));
  if (partial.length > 0)
    return {
      why: `the publication ${name} contains only part of ${partial.map((table) => `${table.schema}.${table.name}`).join(', ')}`,
      sql: `ALTER PUBLICATION ${own} DROP TABLE ${publishedTables(partial)};\nALTER PUBLICATION ${own} ADD TABLE ${publishedTables(partial)};`,
    };
  return undefined;
}

/**
 * What an administrator's slot and publication lack, and whether a failover slot can be created.
 * @throws EngineError
 */
export async function namedLogFindings(
  session: pg.ClientBase,
  { slot, publication, failover }: PostgresSettings,
  version: number,
  tables: readonly Table[],
): Promise<Finding[]> {
  const findings: Finding[] = [];
  if (failover === 'yes' && version < 17)
    findings.push(logFault(`Failover slots exist from PostgreSQL 17 on; the server is PostgreSQL ${version}.`));
  if (slot !== '') {
    const why = await slotFault(session, slot);
    if (why)
      findings.push(
        logFault(
          `The replication slot ${slot} ${why}.`,
          `SELECT pg_create_logical_replication_slot(${pg.escapeLiteral(slot)}, 'pgoutput');`,
        ),
      );
  }
  const wanted = publishable(tables);
  if (publication !== '' && wanted.length > 0) {
    const lacks = await publicationFault(session, publication, wanted);
    if (lacks) findings.push(logFault(`For these tables, ${lacks.why}.`, lacks.sql));
  }
  return findings;
}

async function slotFault(session: pg.ClientBase, slot: string): Promise<string | undefined> {
  const [found] = await askJson(session, slotFacts, askSlot, [slot]);
  if (!found) return 'does not exist';
  if (found.plugin !== 'pgoutput')
    return `has the plugin ${found.plugin ?? 'for physical replication'} instead of pgoutput`;
  if (!found.isHere) return 'belongs to another database';
  if (found.isTemporary) return 'is temporary';
  if (found.isTwoPhase) return 'sends prepared transactions before their commit (two_phase)';
  if (found.lost) return `was invalidated by the server (${found.lost})`;
  return found.isActive ? 'is read by another session' : undefined;
}
