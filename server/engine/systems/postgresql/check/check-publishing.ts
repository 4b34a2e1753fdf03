import pg from 'pg';
import { z } from 'zod';
import type { Finding } from '../../../finding.ts';
import { type Table, tableName } from '../../../table.ts';
import { logFault } from '../log-fault.ts';
import { publishable, publishedTables } from '../publication-sql.ts';
import { grant } from '../rights.ts';
import { askJson } from '../sessions.ts';
import type { ServerFacts } from './check-server.ts';

const ownerFacts = z.object({ id: z.string(), owner: z.string(), isMember: z.boolean(), isMighty: z.boolean() });

/** A role's members can switch to any role it belongs to, so its own attributes are not enough. */
const askOwners = `
  SELECT json_build_object('id', c.oid::text, 'owner', pg_get_userbyid(c.relowner),
    'isMember', pg_has_role(c.relowner, 'USAGE'), 'isMighty', EXISTS (
      SELECT FROM pg_roles AS r WHERE pg_has_role(c.relowner, r.oid, 'MEMBER') AND (r.rolsuper OR r.rolcreaterole
        OR r.rolname IN ('pg_execute_server_program', 'pg_read_server_files', 'pg_write_server_files'))))::text
  FROM pg_class AS c WHERE c.oid = ANY ($1::oid[])`;

/** The publication name used in advice; jobs name theirs differently. */
const advisedName = 'replicated_tables';

/**
 * What prevents a user from creating a job's publication for these tables.
 * @throws EngineError
 */
export async function publishingFindings(
  session: pg.ClientBase,
  facts: ServerFacts,
  tables: readonly Table[],
): Promise<Finding[]> {
  const wanted = publishable(tables);
  const owners = await askJson(session, ownerFacts, askOwners, [wanted.map(({ id }) => id)]);
  const foreign = owners.filter(({ isMember }) => !isMember);
  const mighty = foreign.filter(({ isMighty }) => isMighty);
  if (mighty.length > 0) return [askForPublication(facts.user, wanted, mighty)];
  const joins = wanted.flatMap((table) => {
    const found = foreign.find(({ id }) => id === table.id);
    return found ? [joinOwner(facts.user, table, found.owner)] : [];
  });
  return [...databaseFindings(facts), ...joins];
}

/** Whether the user is allowed to create publications in the database at all. */
export function databaseFindings({ mayPublish, user, database }: ServerFacts): Finding[] {
  if (mayPublish) return [];
  const names = { database: pg.escapeIdentifier(database), role: pg.escapeIdentifier(user) };
  return [
    logFault(
      `${user} is not allowed to create publications in the database ${database}.`,
      grant('createInDatabase', names),
    ),
  ];
}

function joinOwner(user: string, table: Table, owner: string): Finding {
  const name = tableName(table);
  const sql = grant('joinOwner', { owner: pg.escapeIdentifier(owner), role: pg.escapeIdentifier(user) });
  const sentence = `${user} does not own the table ${name} and so cannot publish its changes. A member of ${owner} can do everything that ${owner} can; to grant less, have an administrator create a publication and name it in the data source.`;
  return { ...logFault(sentence, sql), table: name };
}

/**
 * One publication for all tables, since a data source names only one; with it the user needs no right to create any.
 */
function askForPublication(
  user: string,
  wanted: readonly Table[],
  mighty: readonly z.infer<typeof ownerFacts>[],
): Finding {
  const named = wanted.filter((table) => mighty.some(({ id }) => id === table.id)).map(tableName);
  const owners = [...new Set(mighty.map(({ owner }) => owner))];
  return logFault(
    `${user} does not own ${named.join(', ')} and so cannot publish the changes. Do not make it a member of ${owners.join(', ')}: that gives rights over the whole server. Have an administrator create a publication of only the job's tables, under any name, and name it in the data source as its publication.`,
    grant('publish', { publication: pg.escapeIdentifier(advisedName), tables: publishedTables(wanted) }),
  );
}
