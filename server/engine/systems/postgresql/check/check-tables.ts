import pg from 'pg';
import { z } from 'zod';
import type { Finding } from '../../../finding.ts';
import { quoteNames, quoteTable } from '../../../sql/names.ts';
import { type Table, tableName } from '../../../table.ts';
import { keyIndex } from '../catalog.ts';
import { grant } from '../rights.ts';
import { askJson } from '../sessions.ts';

const tableFacts = z.object({
  id: z.string(),
  mayRead: z.boolean(),
  mayUseSchema: z.boolean(),
  hidesRows: z.boolean(),
  isUnlogged: z.boolean(),
  hasKey: z.boolean(),
  hasForeignPartition: z.boolean(),
  identity: z.string(),
  hasDeferrableKey: z.boolean(),
  hasPrimaryKey: z.boolean(),
  /** The table or partitions whose replica identity is FULL; quoted. */
  fullParts: z.array(z.string()),
  /** Columns of a primary key WITHOUT OVERLAPS. */
  temporalKey: z.array(z.string()).nullable(),
  /** Columns of the primary key that the server computes. */
  computedKey: z.array(z.string()).nullable(),
  /** A unique index on NOT NULL columns that could be the replica identity. */
  candidate: z.string().nullable(),
  largeObjects: z.array(z.string()).nullable(),
});

type TableFacts = z.infer<typeof tableFacts>;

const factsQuery = `
  SELECT json_build_object(
    'id', c.oid::text, 'mayRead', has_table_privilege(c.oid, 'SELECT'), 'mayUseSchema', has_schema_privilege(c.relnamespace, 'USAGE'),
    'hidesRows', row_security_active(c.oid), 'isUnlogged', c.relpersistence = 'u' OR EXISTS (
      SELECT FROM pg_partition_tree(c.oid) AS p JOIN pg_class AS leaf ON leaf.oid = p.relid
      WHERE p.isleaf AND leaf.relpersistence = 'u'),
    'hasKey', EXISTS (${keyIndex}),
    'hasForeignPartition', EXISTS (
      SELECT FROM pg_partition_tree(c.oid) AS p JOIN pg_class AS leaf ON leaf.oid = p.relid WHERE leaf.relkind = 'f'),
    'identity', c.relreplident,
    'hasDeferrableKey', EXISTS (
      SELECT FROM pg_index AS i WHERE i.indrelid = c.oid AND i.indisprimary AND NOT i.indimmediate),
    'hasPrimaryKey', EXISTS (SELECT FROM pg_index AS i WHERE i.indrelid = c.oid AND i.indisprimary AND i.indimmediate
      AND NOT i.indisexclusion),
    'fullParts', (SELECT coalesce(json_agg(format('%I.%I', s.nspname, r.relname) ORDER BY r.oid), '[]')
      FROM (SELECT c.oid UNION SELECT relid FROM pg_partition_tree(c.oid)) AS part (oid)
        JOIN pg_class AS r ON r.oid = part.oid JOIN pg_namespace AS s ON s.oid = r.relnamespace
      WHERE r.relkind = 'r' AND r.relreplident = 'f'),
    'temporalKey', (SELECT json_agg(a.attname ORDER BY k.place)
      FROM pg_index AS i, unnest(i.indkey::int2[]) WITH ORDINALITY AS k (number, place)
        JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = k.number
      WHERE i.indrelid = c.oid AND i.indisprimary AND i.indisexclusion),
    'computedKey', (SELECT json_agg(a.attname ORDER BY a.attnum) FROM pg_index AS i
        JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = ANY (i.indkey)
      WHERE i.indrelid = c.oid AND i.indisprimary AND a.attgenerated <> ''),
    'candidate', (SELECT x.relname FROM pg_index AS i JOIN pg_class AS x ON x.oid = i.indexrelid
      WHERE i.indrelid = c.oid AND c.relkind = 'r' AND i.indisunique AND i.indisvalid AND i.indimmediate
        AND NOT i.indisexclusion AND NOT i.indisprimary AND i.indpred IS NULL AND i.indexprs IS NULL AND NOT EXISTS (
          SELECT FROM pg_attribute AS a WHERE a.attrelid = c.oid AND a.attnum = ANY (i.indkey)
            AND (NOT a.attnotnull OR a.attgenerated <> ''))
      ORDER BY i.indnkeyatts, x.relname LIMIT 1),
    'largeObjects', (SELECT json_agg(a.attname ORDER BY a.attnum) FROM pg_attribute AS a
      JOIN pg_type AS t ON t.oid = a.atttypid
      WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND t.typname = 'lo' AND t.typbasetype = 'oid'::regtype)
  )::text
  FROM pg_class AS c WHERE c.oid = ANY ($1::oid[])`;

/**
 * What prevents a job from reading these tables, and from following them if that is wanted.
 * @throws EngineError
 */
export async function tableFindings(
  session: pg.ClientBase,
  user: string,
  tables: readonly Table[],
  follows: boolean,
): Promise<Finding[]> {
  const facts = await askJson(session, tableFacts, factsQuery, [tables.map(({ id }) => id)]);
  const byId = new Map(facts.map((one) => [one.id, one]));
  return tables.flatMap((table) => {
    const own = byId.get(table.id);
    if (!own) return [missing(table)];
    return [...readingFindings(table, own, user), ...(follows ? followingFindings(table, own) : [])];
  });
}

function missing(table: Table): Finding {
  const name = tableName(table);
  return {
    type: 'STRUCT_EXISTENCE',
    side: 'source',
    result: 'fault',
    sentence: `The table ${name} does not exist, or was recreated.`,
    table: name,
  };
}

function fault(table: Table, type: Finding['type'], sentence: string, sql?: string): Finding {
  return { type, side: 'source', result: 'fault', sentence, table: tableName(table), ...(sql && { sql }) };
}

function readingFindings(table: Table, facts: TableFacts, user: string): Finding[] {
  const name = tableName(table);
  const role = pg.escapeIdentifier(user);
  const schema = pg.escapeIdentifier(table.schema);
  const faults: (Finding | false)[] = [
    !facts.mayUseSchema &&
      fault(
        table,
        'PRIVILEGES',
        `${user} is not allowed to use the schema ${table.schema}.`,
        grant('useSchema', { schema, role }),
      ),
    !facts.mayRead &&
      fault(
        table,
        'PRIVILEGES',
        `${user} is not allowed to read the table ${name}.`,
        grant('readTable', { table: quoteTable(table), role }),
      ),
    facts.hidesRows &&
      fault(
        table,
        'PRIVILEGES',
        `Row-level security hides rows of ${name} from ${user}.`,
        grant('bypassRowSecurity', { role }),
      ),
    facts.largeObjects !== null &&
      fault(
        table,
        'COLUMN_TYPE',
        `The table ${name} points to large objects in ${facts.largeObjects.join(', ')}, which are not replicated.`,
      ),
  ];
  return faults.filter((one) => one !== false);
}

function followingFindings(table: Table, facts: TableFacts): Finding[] {
  const name = tableName(table);
  const sqlName = quoteTable(table);
  const faults: (Finding | false)[] = [
    facts.isUnlogged &&
      fault(
        table,
        'STRUCT_TABLE_STORAGE',
        `The table ${name} is unlogged, so its changes are not in the log.`,
        `ALTER TABLE ${sqlName} SET LOGGED; -- rewrites the whole table`,
      ),
    facts.hasForeignPartition &&
      fault(
        table,
        'STRUCT_TABLE_STORAGE',
        `The table ${name} has a foreign table as a partition, whose changes are not in the log.`,
      ),
    !facts.hasKey && fault(table, 'STRUCT_TABLE_PK', ...keySentence(name, sqlName, facts)),
    facts.hasKey &&
      table.refusesWrites === true &&
      fault(
        table,
        'STRUCT_TABLE_PK',
        `The replica identity of ${name} is FULL and includes computed columns, so the server would refuse updates and deletes on the table while a job follows it; set it to the default.`,
        facts.fullParts.map((part) => `ALTER TABLE ${part} REPLICA IDENTITY DEFAULT;`).join('\n'),
      ),
  ];
  return faults.filter((one) => one !== false);
}

/** Why the log contains no key for a table, and what gives it one. */
function keySentence(name: string, sqlName: string, facts: TableFacts): [sentence: string, sql: string] {
  const byIndex = facts.candidate
    ? `ALTER TABLE ${sqlName} REPLICA IDENTITY USING INDEX ${pg.escapeIdentifier(facts.candidate)};`
    : undefined;
  if (facts.computedKey)
    return [
      `The primary key of ${name} includes ${facts.computedKey.join(', ')}, which the server computes, so the log does not contain it; make a unique index on other NOT NULL columns its replica identity.`,
      byIndex ??
        `CREATE UNIQUE INDEX replicated_key ON ${sqlName} (…); -- NOT NULL columns that are not computed\nALTER TABLE ${sqlName} REPLICA IDENTITY USING INDEX replicated_key;`,
    ];
  if (facts.hasPrimaryKey)
    return [
      `The log does not contain the primary key of ${name}, because its replica identity is a different one; set it to the default.`,
      `ALTER TABLE ${sqlName} REPLICA IDENTITY DEFAULT;`,
    ];
  if (facts.hasDeferrableKey)
    return [
      `The primary key of ${name} is deferrable, so the log does not contain it; make it non-deferrable, or make a unique index on NOT NULL columns its replica identity.`,
      byIndex ?? `-- drop the primary key of ${sqlName} and add it again without DEFERRABLE`,
    ];
  if (facts.temporalKey)
    return [
      `The primary key of ${name} is WITHOUT OVERLAPS, which does not order its rows; make a unique index on its columns the replica identity.`,
      byIndex ??
        `CREATE UNIQUE INDEX replicated_key ON ${sqlName} (${quoteNames(facts.temporalKey)});\nALTER TABLE ${sqlName} REPLICA IDENTITY USING INDEX replicated_key;`,
    ];
  return [
    `The table ${name} has no key, so its changes cannot be followed; give it a primary key, or make a unique index on NOT NULL columns its replica identity. REPLICA IDENTITY FULL alone is not enough.`,
    byIndex ?? `ALTER TABLE ${sqlName} ADD PRIMARY KEY (…); -- the columns that identify a row`,
  ];
}
