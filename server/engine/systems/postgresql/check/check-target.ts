import type pg from 'pg';
import { z } from 'zod';
import type { Finding } from '../../../finding.ts';
import type { Named } from '../../../sink.ts';
import { quoteName, quoteNames, quoteTable } from '../../../sql/names.ts';
import { type Table, tableName } from '../../../table.ts';
import { mayRest } from '../altering.ts';
import { madeOf, madeOfSchema } from '../composed-types.ts';
import { grant } from '../rights.ts';
import { askJson } from '../sessions.ts';
import { typeFindings } from './check-types.ts';
import { versionFinding } from './check-version.ts';

const server = z.object({
  version: z.number(),
  versionName: z.string(),
  user: z.string(),
  database: z.string(),
  encoding: z.string(),
  readOnly: z.boolean(),
  mayRest: z.boolean(),
  /** What the user needs a privilege on to keep the checkpoint. */
  lacking: z.enum(['nothing', 'database', 'schema']),
});

const askServer = `
  SELECT json_build_object('version', current_setting('server_version_num')::int / 10000,
    'versionName', current_setting('server_version'), 'user', current_user, 'database', current_database(),
    'encoding', current_setting('server_encoding'),
    'readOnly', pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on',
    'mayRest', ${mayRest},
    'lacking', CASE
      WHEN NOT EXISTS (SELECT FROM pg_namespace WHERE nspname = 'millrace')
        THEN CASE WHEN has_database_privilege(current_database(), 'CREATE') THEN 'nothing' ELSE 'database' END
      WHEN NOT has_schema_privilege('millrace', 'USAGE') OR NOT has_schema_privilege('millrace', 'CREATE') THEN 'schema'
      WHEN EXISTS (SELECT FROM pg_class AS c, unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS p
        WHERE c.relnamespace = to_regnamespace('millrace') AND c.relkind = 'r' AND NOT has_table_privilege(c.oid, p)) THEN 'schema'
      ELSE 'nothing' END)::text`;

const described = z.object({
  kind: z.string(),
  unlogged: z.boolean(),
  columns: z.array(
    z.object({ name: z.string(), type: z.string(), made: madeOfSchema.nullable(), generated: z.boolean() }),
  ),
  hidden: z.boolean(),
  missingPrivileges: z.array(z.string()),
  /** Columns of the unique indexes that could find rows by a key. */
  keys: z.array(z.array(z.string())),
  /** Triggers that fire even for replicated rows. */
  always: z.array(z.string()),
  /** Rules that rewrite statements even for replicated rows. */
  alwaysRules: z.array(z.string()),
  /** Whether anything fires unless session_replication_role is set. */
  fires: z.boolean(),
  /** Names are quoted for SQL; triggers are only the partition's own. */
  partitions: z.array(z.object({ name: z.string(), unlogged: z.boolean(), always: z.array(z.string()) })),
});

/** What a partition has of its own, since rows are written into it as well. */
const partitions = `
  SELECT coalesce(json_agg(json_build_object('name', format('%I.%I', s.nspname, p.relname), 'unlogged', p.relpersistence = 'u',
    'always', (SELECT coalesce(json_agg(t.tgname), '[]') FROM pg_trigger AS t
      WHERE t.tgrelid = p.oid AND NOT t.tgisinternal AND t.tgparentid = 0 AND t.tgenabled IN ('A', 'R')))), '[]')
  FROM pg_partition_tree(c.oid) AS tree JOIN pg_class AS p ON p.oid = tree.relid JOIN pg_namespace AS s ON s.oid = p.relnamespace
  WHERE p.oid <> c.oid`;

const askTable = `
  SELECT json_build_object('kind', c.relkind, 'unlogged', c.relpersistence = 'u', 'hidden', row_security_active(c.oid),
    'columns', (SELECT coalesce(json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
      'made', ${madeOf('a.atttypid', 'a.atttypmod')}, 'generated', a.attgenerated <> '')), '[]') FROM pg_attribute AS a
      WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped),
    'missingPrivileges', (SELECT coalesce(json_agg(p), '[]') FROM unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS p
      WHERE NOT has_table_privilege(c.oid, p)),
    'keys', (SELECT coalesce(json_agg((SELECT json_agg(a.attname)
        FROM unnest(i.indkey::int2[]) WITH ORDINALITY AS k (number, place)
          JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = k.number WHERE k.place <= i.indnkeyatts)), '[]')
      FROM pg_index AS i WHERE i.indrelid = c.oid AND i.indisunique AND i.indisvalid AND i.indpred IS NULL AND i.indexprs IS NULL),
    'always', (SELECT coalesce(json_agg(t.tgname), '[]') FROM pg_trigger AS t
      WHERE t.tgrelid = c.oid AND NOT t.tgisinternal AND t.tgenabled IN ('A', 'R')),
    'alwaysRules', (SELECT coalesce(json_agg(r.rulename), '[]') FROM pg_rewrite AS r
      WHERE r.ev_class = c.oid AND r.ev_type <> '1' AND r.ev_enabled IN ('A', 'R')),
    'partitions', (${partitions}),
    'fires', EXISTS (SELECT FROM pg_rewrite AS r WHERE r.ev_class = c.oid AND r.ev_type <> '1' AND r.ev_enabled <> 'D')
      OR EXISTS (SELECT FROM pg_trigger AS t WHERE t.tgenabled <> 'D'
        AND (t.tgrelid = c.oid OR t.tgrelid IN (SELECT relid FROM pg_partition_tree(c.oid)))
        AND (NOT t.tgisinternal OR EXISTS (SELECT FROM pg_constraint AS f WHERE f.oid = t.tgconstraint AND f.contype = 'f'))))::text
  FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
  WHERE n.nspname = $1 AND c.relname = $2`;

const schema = z.object({ name: z.string(), exists: z.boolean(), mayCreate: z.boolean() });

const askSchemas = `
  SELECT json_build_object('name', wanted.name, 'exists', n.oid IS NOT NULL,
    'mayCreate', CASE WHEN n.oid IS NULL THEN has_database_privilege(current_database(), 'CREATE')
      ELSE has_schema_privilege(n.oid, 'USAGE') AND has_schema_privilege(n.oid, 'CREATE') END)::text
  FROM unnest($1::text[]) AS wanted (name) LEFT JOIN pg_namespace AS n ON n.nspname = wanted.name`;

/**
 * What prevents a job from writing to these tables, and from creating others.
 * @throws EngineError
 */
export async function checkTarget(
  session: pg.ClientBase,
  tables: readonly Table[],
  creates: readonly Named[],
): Promise<Finding[]> {
  const [found] = await askJson(session, server, askServer);
  if (!found) return [];
  const findings = serverFindings(found);
  const schemas = [...new Set(creates.map((table) => table.schema))];
  for (const one of await askJson(session, schema, askSchemas, [schemas]))
    if (!one.mayCreate) findings.push(mayNotCreate(one, found));
  for (const table of tables) {
    const [known] = await askJson(session, described, askTable, [table.schema, table.name]);
    findings.push(...(known ? tableFindings(table, known, found) : [missing(table)]));
  }
  return findings;
}

type Server = z.infer<typeof server>;
type Described = z.infer<typeof described>;

function serverFindings(found: Server): Finding[] {
  return [
    finding('CONNECTIVITY', true, `Connected to the database ${found.database} as ${found.user}.`),
    versionFinding(found, 'target'),
    found.readOnly
      ? finding(
          'VARIABLES',
          false,
          'The server does not accept writes: it is a standby, or transactions are read-only.',
        )
      : finding('VARIABLES', true, 'The server accepts writes.'),
    markFinding(found),
    ...(found.encoding === 'UTF8'
      ? []
      : [
          {
            ...finding(
              'VARIABLES',
              true,
              `The database encoding is ${found.encoding}: characters that it lacks are refused.`,
            ),
            result: 'warning' as const,
          },
        ]),
  ];
}

function markFinding({ lacking, user }: Server): Finding {
  if (lacking === 'nothing')
    return finding('PRIVILEGES', true, 'The user is allowed to keep the checkpoint in the schema millrace.');
  const role = quoteName(user);
  return {
    ...finding('PRIVILEGES', false, 'The user is not allowed to keep the checkpoint in the schema millrace.'),
    sql:
      lacking === 'database'
        ? grant('keepCheckpoint', { role })
        : `GRANT USAGE, CREATE ON SCHEMA millrace TO ${role};
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA millrace TO ${role};`,
  };
}

function mayNotCreate({ name, exists }: z.infer<typeof schema>, { user, database }: Server): Finding {
  const role = quoteName(user);
  return exists
    ? {
        ...finding('PRIVILEGES', false, `The user is not allowed to create tables in the schema ${name}.`),
        sql: grant('createInSchema', { schema: quoteName(name), role }),
      }
    : {
        ...finding('PRIVILEGES', false, `The user is not allowed to create the schema ${name}.`),
        sql: grant('createInDatabase', { database: quoteName(database), role }),
      };
}

function missing(table: Table): Finding {
  const name = tableName(table);
  return { ...finding('STRUCT_EXISTENCE', false, `The target has no table ${name}.`), table: name };
}

function tableFindings(table: Table, known: Described, found: Server): Finding[] {
  const name = tableName(table);
  const sqlName = quoteTable(table);
  const user = quoteName(found.user);
  const lacking = table.columns.filter((column) => !known.columns.some(({ name }) => name === column.name));
  const faults: (Omit<Finding, 'side' | 'result'> | false)[] = [
    known.kind !== 'r' &&
      known.kind !== 'p' && {
        type: 'STRUCT_EXISTENCE',
        sentence: `${name} is not a table that rows can be written to.`,
      },
    known.unlogged && {
      type: 'STRUCT_TABLE_STORAGE',
      sentence: `The table ${name} is UNLOGGED: a server crash would empty it.`,
      sql: `ALTER TABLE ${sqlName} SET LOGGED;`,
    },
    known.hidden && {
      type: 'PRIVILEGES',
      sentence: `Row-level security hides rows of ${name} from ${found.user}.`,
      sql: grant('bypassRowSecurity', { role: user }),
    },
    known.missingPrivileges.length > 0 && {
      type: 'PRIVILEGES',
      sentence: `${found.user} lacks ${known.missingPrivileges.join(', ')} on ${name}.`,
      sql: grant('writeTable', { privileges: known.missingPrivileges.join(', '), table: sqlName, role: user }),
    },
    known.fires &&
      !found.mayRest && {
        type: 'PRIVILEGES',
        sentence: `Triggers, rules or foreign keys of ${name} would act on replicated rows, and ${found.user} is not allowed to disable them.`,
        sql: grant('restTriggers', { role: user }),
      },
    ...known.always.map((trigger) => ({
      type: 'STRUCT_EXISTENCE' as const,
      sentence: `The trigger ${trigger} of ${name} also fires for replicated rows.`,
      sql: `ALTER TABLE ${sqlName} ENABLE TRIGGER ${quoteName(trigger)};`,
    })),
    ...known.alwaysRules.map((rule) => ({
      type: 'STRUCT_EXISTENCE' as const,
      sentence: `The rule ${rule} of ${name} also rewrites statements that write replicated rows.`,
      sql: `ALTER TABLE ${sqlName} ENABLE RULE ${quoteName(rule)};`,
    })),
    ...known.partitions.flatMap((partition) => partitionFaults(partition, name)),
    ...lacking
      .filter(({ generated }) => !generated)
      .map((column) => ({
        type: 'STRUCT_EXISTENCE' as const,
        sentence: `The target table ${name} has no column ${column.name}.`,
        sql: `ALTER TABLE ${sqlName} ADD COLUMN ${quoteName(column.name)} ${column.type};`,
      })),
    keyFault(table, known),
  ];
  const leftOut = lacking.filter(({ generated }) => generated);
  return [
    ...faults
      .filter((fault) => fault !== false)
      .map((fault): Finding => ({ ...fault, side: 'target', result: 'fault', table: name })),
    ...leftOut.map(
      (column): Finding => ({
        type: 'STRUCT_EXISTENCE',
        side: 'target',
        result: 'warning',
        table: name,
        sentence: `The target table ${name} has no column ${column.name}, which the source computes: it is left out.`,
      }),
    ),
    ...typeFindings(table, known.columns),
  ];
}

function partitionFaults(
  { name, unlogged, always }: Described['partitions'][number],
  table: string,
): Omit<Finding, 'side' | 'result'>[] {
  return [
    ...(unlogged
      ? [
          {
            type: 'STRUCT_TABLE_STORAGE' as const,
            sentence: `The partition ${name} of ${table} is UNLOGGED: a server crash would empty it.`,
            sql: `ALTER TABLE ${name} SET LOGGED;`,
          },
        ]
      : []),
    ...always.map((trigger) => ({
      type: 'STRUCT_EXISTENCE' as const,
      sentence: `The trigger ${trigger} of ${name}, a partition of ${table}, also fires for replicated rows.`,
      sql: `ALTER TABLE ${name} ENABLE TRIGGER ${quoteName(trigger)};`,
    })),
  ];
}

/** Rows are found by the source's key, so the target needs a unique index on exactly these columns. */
function keyFault(table: Table, { keys }: Described): Omit<Finding, 'side' | 'result'> | false {
  const wanted = table.key.map((column) => table.columns[column]?.name ?? '');
  const fits = keys.some((key) => key.length === wanted.length && wanted.every((column) => key.includes(column)));
  if (wanted.length === 0 || fits) return false;
  return {
    type: 'STRUCT_TABLE_PK',
    sentence: `The target table ${tableName(table)} has no unique index on the source's key: ${wanted.join(', ')}.`,
    sql: `ALTER TABLE ${quoteTable(table)} ADD PRIMARY KEY (${quoteNames(wanted)});`,
  };
}

function finding(type: Finding['type'], passed: boolean, sentence: string): Finding {
  return { type, side: 'target', result: passed ? 'passed' : 'fault', sentence };
}
