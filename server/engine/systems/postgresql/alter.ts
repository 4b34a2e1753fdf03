import pg from 'pg';
import { z } from 'zod';
import type { EnumFacts } from '../../facts.ts';
import type { Alteration, Altered } from '../../sink.ts';
import { quoteName, quoteTable } from '../../sql/names.ts';
import type { Table } from '../../table.ts';
import { askJson } from './sessions.ts';
import { isWider } from './widening.ts';

const column = z.object({
  name: z.string(),
  type: z.string(),
  /** SQL for its collation, if it is not its type's own. */
  collation: z.string().nullable(),
  isKey: z.boolean(),
  notNull: z.boolean(),
});

const columnsQuery = `
  SELECT json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod), 'notNull', a.attnotnull,
    'collation', (SELECT format('%I.%I', s.nspname, l.collname)
      FROM pg_collation AS l JOIN pg_namespace AS s ON s.oid = l.collnamespace
      WHERE l.oid = a.attcollation AND l.oid <> (SELECT t.typcollation FROM pg_type AS t WHERE t.oid = a.atttypid)),
    'isKey', EXISTS (SELECT FROM pg_index AS i WHERE i.indrelid = c.oid AND i.indisprimary AND a.attnum = ANY (i.indkey)))::text
  FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
    JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  WHERE n.nspname = $1 AND c.relname = $2`;

/** Alters a table to fit the rows of an altered source; partitions keep what is their own. */
export async function alterTable(
  session: pg.ClientBase,
  table: Table,
  { widened, untold }: Alteration,
): Promise<Altered> {
  const columns = await askJson(session, column, columnsQuery, [table.schema, table.name]);
  const there = new Map(columns.map((one) => [one.name, one]));
  const narrower = widened.filter(({ name, type }) => there.get(name)?.type !== type);
  if (narrower.some(({ name, type }) => !isWider(there.get(name)?.type ?? '', type))) return 'refused';
  const strict = untold.filter((name) => there.get(name)?.notNull);
  if (strict.some((name) => there.get(name)?.isKey)) return 'refused';
  const changes = [
    ...narrower.map(({ name, type }) => {
      const collation = there.get(name)?.collation;
      return `ALTER COLUMN ${quoteName(name)} TYPE ${type}${collation ? ` COLLATE ${collation}` : ''}`;
    }),
    ...strict.map((name) => `ALTER COLUMN ${quoteName(name)} DROP NOT NULL`),
  ];
  if (changes.length === 0) return 'needless';
  return (await isTaken(session, `ALTER TABLE ${quoteTable(table)} ${changes.join(', ')}`)) ? 'done' : 'refused';
}

/** @returns how many labels were added */
export async function addLabels(session: pg.ClientBase, enums: readonly EnumFacts[]): Promise<number> {
  let added = 0;
  for (const { schema, name, labels } of enums) {
    const type = `${quoteName(schema)}.${quoteName(name)}`;
    const { rows } = await session.query<[string]>({
      text: 'SELECT enumlabel FROM pg_enum WHERE enumtypid = to_regtype($1) ORDER BY enumsortorder',
      values: [type],
      rowMode: 'array',
    });
    const [first] = rows.flat();
    const there = new Set(rows.flat());
    for (const [place, { label }] of labels.entries()) {
      if (first === undefined || there.has(label)) continue;
      const before = labels[place - 1]?.label;
      const where = before === undefined ? `BEFORE ${pg.escapeLiteral(first)}` : `AFTER ${pg.escapeLiteral(before)}`;
      if (!(await isTaken(session, `ALTER TYPE ${type} ADD VALUE IF NOT EXISTS ${pg.escapeLiteral(label)} ${where}`)))
        break;
      there.add(label);
      added++;
    }
  }
  return added;
}

/** A refusal because of structure or a privilege is not a connection fault: the caller takes another approach. */
async function isTaken(session: pg.ClientBase, sql: string): Promise<boolean> {
  try {
    await session.query(sql);
    return true;
  } catch (error) {
    if (error instanceof pg.DatabaseError && /^(?:0A|2B|42)/.test(error.code ?? '')) return false;
    throw error;
  }
}
