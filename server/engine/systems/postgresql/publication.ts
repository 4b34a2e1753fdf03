import pg from 'pg';
import { EngineError } from '../../errors.ts';
import { isFollowable } from '../../followable.ts';
import type { Named } from '../../sink.ts';
import type { Table } from '../../table.ts';
import { alreadyExists } from './already-exists.ts';
import { readTables } from './catalog.ts';
import { isPartial, isWhole, publicationFault } from './named-log.ts';
import { publicationOptions, publishedTables } from './publication-sql.ts';
import { askRow } from './sessions.ts';

/**
 * The publication's comment until all who may have written to added tables are done: the adding process may be killed.
 */
const awaited = 'millrace waits for transactions that are older than its tables';

/** How often a publication is read that another session creates or alters at the same time. */
const mostLooks = 5;

/** Creates a job's publication, or makes an existing one contain exactly these tables. */
export function publish(session: pg.ClientBase, publication: string, tables: readonly Table[]): Promise<void> {
  return afterOthers(session, () => publishOnce(session, publication, tables));
}

/**
 * Retries if another session came first: statements sent by a killed process still run beside those of the next one.
 */
async function afterOthers<T>(session: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  for (let looks = 1; ; looks++) {
    try {
      return await work();
    } catch (error) {
      if (!alreadyExists(error) || looks === mostLooks) throw error;
      await session.query('ROLLBACK');
    }
  }
}

async function publishOnce(session: pg.ClientBase, publication: string, tables: readonly Table[]): Promise<void> {
  const name = pg.escapeIdentifier(publication);
  const list = publishedTables(tables);
  const known = await findPublished(session, publication);
  if (!known) {
    await session.query(`CREATE PUBLICATION ${name} FOR TABLE ${list} WITH (${publicationOptions})`);
    return;
  }
  if (!known.isRight) await session.query(`ALTER PUBLICATION ${name} SET (${publicationOptions})`);
  const hasNew = tables.some(({ id }) => !known.tables.has(id));
  if (hasNew || known.partial.size > 0 || known.tables.size !== tables.length)
    await session.query(`ALTER PUBLICATION ${name} SET TABLE ${list}`);
}

/**
 * Makes a job's publication also contain these tables completely.
 * @returns whether the job must wait for transactions that are older than what the publication contains
 * @throws EngineError SETTING_MISSING if the publication is gone
 */
export function completePublication(
  session: pg.ClientBase,
  publication: string,
  tables: readonly Table[],
): Promise<boolean> {
  return afterOthers(session, () => completeOnce(session, publication, tables));
}

async function completeOnce(session: pg.ClientBase, publication: string, tables: readonly Table[]): Promise<boolean> {
  const published = await findPublished(session, publication);
  if (!published) throw new EngineError('SETTING_MISSING', { side: 'source', subject: `publication ${publication}` });
  await dropRefusing(session, publication, published, tables);
  const statements = mendings(publication, published, tables);
  if (statements.length > 0) {
    const note = `COMMENT ON PUBLICATION ${pg.escapeIdentifier(publication)} IS '${awaited}'`;
    try {
      await session.query(['BEGIN', ...statements, note, 'COMMIT'].join('; '));
    } catch (error) {
      throw (await notOwned(session, error, tables)) ?? error;
    }
  }
  return published.isAwaited || statements.length > 0;
}

/** Takes tables out of a job's publication, if it exists, as `dropRefusing` does. */
export async function letWrite(session: pg.ClientBase, publication: string, carried: readonly Table[]): Promise<void> {
  const published = await findPublished(session, publication);
  if (published) await dropRefusing(session, publication, published, carried);
}

/** Drops tables that the job leaves out and that, altered since, would refuse their own application's updates. */
async function dropRefusing(
  session: pg.ClientBase,
  publication: string,
  published: Published,
  tables: readonly Table[],
): Promise<void> {
  const carried = new Set(tables.map(({ id }) => id));
  const ids = [...published.tables, ...published.partial].filter((id) => !carried.has(id));
  const refusing = (await readTables(session, ids)).filter((table) => !isFollowable(table));
  if (refusing.length > 0)
    await session.query(
      `ALTER PUBLICATION ${pg.escapeIdentifier(publication)} DROP TABLE ${publishedTables(refusing)}`,
    );
}

/** Whose tables the user is not allowed to publish: the server names only one, in a message that is not shown. */
async function notOwned(
  session: pg.ClientBase,
  error: unknown,
  tables: readonly Table[],
): Promise<EngineError | undefined> {
  if (!(error instanceof pg.DatabaseError) || error.code !== '42501') return undefined;
  await session.query('ROLLBACK');
  const [owners] = await askRow(
    session,
    `SELECT string_agg(format('%s belongs to %s', oid::regclass, pg_get_userbyid(relowner)), ', ' ORDER BY oid::regclass::text)
    FROM pg_class WHERE oid = ANY ($1::oid[]) AND NOT pg_has_role(relowner, 'USAGE')`,
    [tables.map(({ id }) => id)],
  );
  return owners
    ? new EngineError('PRIVILEGE_MISSING', { side: 'source', subject: owners, state: error.code })
    : undefined;
}

/** Whether a publication names a table. */
export async function isPublished(session: pg.ClientBase, publication: string, table: Named): Promise<boolean> {
  const [isThere] = await askRow(
    session,
    `SELECT EXISTS (SELECT FROM pg_publication AS p JOIN pg_publication_rel AS r ON r.prpubid = p.oid
      JOIN pg_class AS c ON c.oid = r.prrelid JOIN pg_namespace AS n ON n.oid = c.relnamespace
      WHERE p.pubname = $1 AND n.nspname = $2 AND c.relname = $3)`,
    [publication, table.schema, table.name],
  );
  return isThere === 't';
}

/** The transactions have ended. */
export async function noteNoneAwaited(session: pg.ClientBase, publication: string): Promise<void> {
  await session.query(`COMMENT ON PUBLICATION ${pg.escapeIdentifier(publication)} IS NULL`);
}

/**
 * Checks a publication that we must not alter.
 * @throws EngineError SETTING_MISSING with what it lacks
 */
export async function assertPublished(
  session: pg.ClientBase,
  publication: string,
  tables: readonly Table[],
): Promise<void> {
  const lacks = await publicationFault(session, publication, tables);
  if (lacks) throw new EngineError('SETTING_MISSING', { side: 'source', subject: lacks.why });
}

/** What a job's publication contains. */
interface Published {
  /** IDs of the tables that it contains completely. */
  tables: ReadonlySet<string>;
  /** Those that someone limited to some rows or columns. */
  partial: ReadonlySet<string>;
  /** Whether it contains all kinds of changes, in the form that we read. */
  isRight: boolean;
  /** Whether the job is waiting for transactions that are older than its tables. */
  isAwaited: boolean;
}

/** @returns undefined if it is gone */
async function findPublished(session: pg.ClientBase, publication: string): Promise<Published | undefined> {
  const idsWhere = (condition: string) =>
    `array_to_string(ARRAY(SELECT prrelid FROM pg_publication_rel AS r WHERE prpubid = p.oid AND ${condition}), ',')`;
  const [whole, partial, isRight, comment] = await askRow(
    session,
    `SELECT ${idsWhere(`NOT (${isPartial})`)}, ${idsWhere(isPartial)}, pubviaroot AND ${isWhole},
      obj_description(p.oid, 'pg_publication')
    FROM pg_publication AS p WHERE pubname = $1`,
    [publication],
  );
  if (whole === undefined) return undefined;
  const idsOf = (text: string | null | undefined) => new Set((text ?? '').split(',').filter(Boolean));
  return {
    tables: idsOf(whole),
    partial: idsOf(partial),
    isRight: isRight === 't',
    isAwaited: comment === awaited,
  };
}

function mendings(
  publication: string,
  { tables: whole, partial, isRight }: Published,
  tables: readonly Table[],
): string[] {
  const alter = (change: string) => `ALTER PUBLICATION ${pg.escapeIdentifier(publication)} ${change}`;
  const missing = tables.filter(({ id }) => !whole.has(id));
  const cut = missing.filter(({ id }) => partial.has(id));
  return [
    ...(isRight ? [] : [alter(`SET (${publicationOptions})`)]),
    ...(cut.length > 0 ? [alter(`DROP TABLE ${publishedTables(cut)}`)] : []),
    ...(missing.length > 0 ? [alter(`ADD TABLE ${publishedTables(missing)}`)] : []),
  ];
}
