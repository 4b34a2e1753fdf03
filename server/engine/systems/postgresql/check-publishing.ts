import pg from 'pg';
import { z } from 'zod';
import type { Finding } from '../../finding.ts';
import { type Table, tableName } from '../../table.ts';
import type { ServerFacts } from './check-server.ts';
import { logFault } from './log-fault.ts';
import { publishable, publishedTables } from './publication-sql.ts';
import { grant } from './rights.ts';
import { askJson } from './sessions.ts';

const ownerFacts = z.object({ id: z.string(), owner: z.string(), isMember: z.boolean(), isMighty: z.boolean() });

/** Members of a role may become whatever it is a member of, so its own attributes are not enough. */
const askOwners = `
  SELECT json_build_object('id', c.oid::text, 'owner', pg_get_userbyid(c.relowner),
    'isMember', pg_has_role(c.relowner, 'USAGE'), 'isMighty', EXISTS (
      SELECT FROM pg_roles AS r WHERE pg_has_role(c.relowner, r.oid, 'MEMBER') AND (r.rolsuper OR r.rolcreaterole
        OR r.rolname IN ('pg_execute_server_program', 'pg_read_server_files', 'pg_write_server_files'))))::text
  FROM pg_class AS c WHERE c.oid = ANY ($1::oid[])`;

/** The name that advice gives to a publication; jobs name theirs otherwise. */
const advisedName = 'replicated_tables';

/**
 * What keeps a user from making the publication of a job with these tables.
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

/** Whether the user may make publications in the database at all. */
export function databaseFindings({ mayPublish, user, database }: ServerFacts): Finding[] {
  if (mayPublish) return [];
  const names = { database: pg.escapeIdentifier(database), role: pg.escapeIdentifier(user) };
  return [logFault(`${user} may not make publications in the database ${database}.`, grant('createInDatabase', names))];
}

function joinOwner(user: string, table: Table, owner: string): Finding {
  const name = tableName(table);
  const sql = grant('joinOwner', { owner: pg.escapeIdentifier(owner), role: pg.escapeIdentifier(user) });
  const sentence = `${user} does not own the table ${name} and so cannot publish its changes. A member of ${owner} may do all that ${owner} may; to grant less, let an administrator make a publication, and name it in the data source.`;
  return { ...logFault(sentence, sql), table: name };
}

/** One publication for all tables, since a data source names one; with it the user needs no right to make any. */
function askForPublication(
  user: string,
  wanted: readonly Table[],
  mighty: readonly z.infer<typeof ownerFacts>[],
): Finding {
  const named = wanted.filter((table) => mighty.some(({ id }) => id === table.id)).map(tableName);
  const owners = [...new Set(mighty.map(({ owner }) => owner))];
  return logFault(
    `${user} does not own ${named.join(', ')} and so cannot publish the changes. Do not make it a member of ${owners.join(', ')}: that gives rights over the whole server. Let an administrator make a publication of just the tables of the job, under any name, and name it in the data source as its publication.`,
    grant('publish', { publication: pg.escapeIdentifier(advisedName), tables: publishedTables(wanted) }),
  );
}
