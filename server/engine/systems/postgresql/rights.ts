import type { Right } from '../system.ts';
import { publicationOptions } from './publication-sql.ts';

/** Statements that grant what a user lacks; names in braces are filled in, quoted if necessary. */
const statements = {
  replication: 'ALTER ROLE {role} REPLICATION;',
  createInDatabase: 'GRANT CREATE ON DATABASE {database} TO {role};',
  useSchema: 'GRANT USAGE ON SCHEMA {schema} TO {role};',
  createInSchema: 'GRANT USAGE, CREATE ON SCHEMA {schema} TO {role};',
  readTable: 'GRANT SELECT ON {table} TO {role};',
  readSequence: 'GRANT SELECT ON SEQUENCE {sequence} TO {role};',
  bypassRowSecurity: 'ALTER ROLE {role} BYPASSRLS;',
  joinOwner: 'GRANT {owner} TO {role};',
  publish: `CREATE PUBLICATION {publication} FOR TABLE {tables} WITH (${publicationOptions});`,
  keepCheckpoint: 'CREATE SCHEMA millrace; GRANT USAGE, CREATE ON SCHEMA millrace TO {role};',
  writeTable: 'GRANT {privileges} ON {table} TO {role};',
  restTriggers: 'GRANT SET ON PARAMETER session_replication_role TO {role};',
} as const;

type StatementName = keyof typeof statements;
/** A statement's names, as they appear in it. */
type Names = Partial<
  Record<
    'role' | 'database' | 'schema' | 'table' | 'tables' | 'sequence' | 'owner' | 'publication' | 'privileges',
    string
  >
>;

/** The statement that grants a privilege. @param names already quoted */
export function grant(name: StatementName, names: Names): string {
  return statements[name].replace(/\{(\w+)\}/g, (whole, key: keyof Names) => names[key] ?? whole);
}

const examples: Names = {
  role: 'sync_user',
  database: 'shop',
  schema: 'public',
  table: 'public.orders',
  tables: 'ONLY public.orders, ONLY public.customers',
  sequence: 'public.orders_id_seq',
  publication: 'replicated_tables',
  owner: 'shop_owner',
  privileges: 'SELECT, INSERT, UPDATE, DELETE',
};
const right = (name: string, why: string, statement: StatementName): Right => ({
  name,
  why,
  example: grant(statement, examples),
});

const seesRows = right(
  'BYPASSRLS',
  'If row-level security restricts the user: a job must see every row of its tables.',
  'bypassRowSecurity',
);

/** Printed in documents; a job's checks name the missing ones, with the same statements. */
export const postgresRights: Readonly<Record<'source' | 'target', readonly Right[]>> = {
  source: [
    right('CONNECT and USAGE', "Always: on the tables' schemas.", 'useSchema'),
    right('SELECT', 'Always: on each table.', 'readTable'),
    right(
      'SELECT on sequences',
      'If the job creates structure: on those that a column’s default or identity uses.',
      'readSequence',
    ),
    right('REPLICATION', 'To follow changes: the log is streamed.', 'replication'),
    right(
      'CREATE on the database',
      'To follow changes: the job creates a publication of its tables.',
      'createInDatabase',
    ),
    right(
      'Membership in the owner’s role',
      'To follow changes: only the owner of a table can publish it. Never grant this if the owner is a superuser or can create roles.',
      'joinOwner',
    ),
    right(
      'A publication by an administrator',
      'Instead of the two above: the data source names it, and the job creates none.',
      'publish',
    ),
    seesRows,
  ],
  target: [
    right(
      'The schema `millrace`',
      'Always: the checkpoint is kept in it. With `CREATE` on the database, the job creates it itself.',
      'keepCheckpoint',
    ),
    right(
      'CREATE on the database',
      'If the job creates structure in schemas that the target does not have yet.',
      'createInDatabase',
    ),
    right(
      'CREATE on the schema',
      'If the job creates structure in a schema that the target has; the owner of the schema has it.',
      'createInSchema',
    ),
    right('Rows', 'Always: on each table; the owner has it.', 'writeTable'),
    right(
      'session_replication_role',
      'If target tables have triggers or foreign keys: they are disabled while rows are replicated.',
      'restTriggers',
    ),
    seesRows,
  ],
};
