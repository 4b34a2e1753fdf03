import type { Right } from '../system.ts';
import { publicationOptions } from './publication-sql.ts';

/** Statements that give what a user lacks; names in braces are filled in, quoted where they must be. */
const statements = {
  replication: 'ALTER ROLE {role} REPLICATION;',
  createInDatabase: 'GRANT CREATE ON DATABASE {database} TO {role};',
  useSchema: 'GRANT USAGE ON SCHEMA {schema} TO {role};',
  readTable: 'GRANT SELECT ON {table} TO {role};',
  bypassRowSecurity: 'ALTER ROLE {role} BYPASSRLS;',
  joinOwner: 'GRANT {owner} TO {role};',
  publish: `CREATE PUBLICATION {publication} FOR TABLE {tables} WITH (${publicationOptions});`,
  keepCheckpoint: 'CREATE SCHEMA millrace; GRANT USAGE, CREATE ON SCHEMA millrace TO {role};',
  writeTable: 'GRANT {privileges} ON {table} TO {role};',
  restTriggers: 'GRANT SET ON PARAMETER session_replication_role TO {role};',
} as const;

type StatementName = keyof typeof statements;
/** Names of a statement, as they are to stand in it. */
type Names = Partial<
  Record<'role' | 'database' | 'schema' | 'table' | 'tables' | 'owner' | 'publication' | 'privileges', string>
>;

/** The statement that gives a privilege. @param names quoted already */
export function grant(name: StatementName, names: Names): string {
  return statements[name].replace(/\{(\w+)\}/g, (whole, key: keyof Names) => names[key] ?? whole);
}

const examples: Names = {
  role: 'sync_user',
  database: 'shop',
  schema: 'public',
  table: 'public.orders',
  tables: 'ONLY public.orders, ONLY public.customers',
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
  'Where row security limits the user: a job must see every row of its tables.',
  'bypassRowSecurity',
);

/** What documents print; the checks of a job name those that are missing, with the same statements. */
export const postgresRights: Readonly<Record<'source' | 'target', readonly Right[]>> = {
  source: [
    right('CONNECT and USAGE', 'Always: on the schemas of the tables.', 'useSchema'),
    right('SELECT', 'Always: on each table.', 'readTable'),
    right('REPLICATION', 'To follow changes: the log is streamed.', 'replication'),
    right(
      'CREATE on the database',
      'To follow changes: the job makes a publication of its tables.',
      'createInDatabase',
    ),
    right(
      'Membership in the owner’s role',
      'To follow changes: only the owner of a table can publish it. Never where the owner is a superuser, or may make roles.',
      'joinOwner',
    ),
    right(
      'A publication by an administrator',
      'Instead of the two above: the data source names it, and the job makes none.',
      'publish',
    ),
    seesRows,
  ],
  target: [
    right(
      'The schema `millrace`',
      'Always: the checkpoint is kept in it. With `CREATE` on the database the job makes it itself.',
      'keepCheckpoint',
    ),
    right(
      'CREATE on the database',
      'Where the job makes structure in schemas that the target does not have yet.',
      'createInDatabase',
    ),
    right('Rows', 'Always: on each table; the owner has it.', 'writeTable'),
    right(
      'session_replication_role',
      'Where tables of the target have triggers or foreign keys: they rest while rows are replicated.',
      'restTriggers',
    ),
    seesRows,
  ],
};
