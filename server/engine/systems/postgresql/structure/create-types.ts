import pg from 'pg';
import { z } from 'zod';
import type { DatabaseObject, Statement } from '../../../sink.ts';
import { quoteName } from '../../../sql/names.ts';
import { askJson } from '../sessions.ts';
import { calls } from './read-tables.ts';

const collation = z.object({
  schema: z.string(),
  name: z.string(),
  provider: z.string(),
  locale: z.string().nullable(),
  lcCollate: z.string().nullable(),
  lcCtype: z.string().nullable(),
  deterministic: z.boolean(),
});

const extension = z.object({ name: z.string(), schema: z.string() });
const neededExtension = extension.extend({
  /** Whether a table cannot be created without it. */
  isOfDefault: z.boolean(),
});

const type = z.object({
  id: z.string(),
  schema: z.string(),
  name: z.string(),
  /** `e` enum, `d` domain, `c` composite, `r` range, `b` base. */
  kind: z.string(),
  extension: extension.nullable(),
  labels: z.array(z.string()),
  attributes: z.array(z.object({ name: z.string(), type: z.string(), collation: z.string().nullable() })),
  base: z.string().nullable(),
  collation: z.string().nullable(),
  default: z.string().nullable(),
  notNull: z.boolean(),
  /** Which parts of a domain are not replicated, as people name them. */
  left: z.array(z.string()),
  checks: z.array(z.object({ name: z.string(), definition: z.string() })),
  range: z
    .object({ subtype: z.string(), opclass: z.string(), collation: z.string().nullable(), multirange: z.string() })
    .nullable(),
});

const qualified = (table: string, oid: string, name: string, namespace: string) =>
  `(SELECT format('%I.%I', n.nspname, x.${name}) FROM ${table} AS x JOIN pg_namespace AS n ON n.oid = x.${namespace} WHERE x.oid = ${oid})`;
const collationOf = (oid: string) => qualified('pg_collation', `nullif(${oid}, 100)`, 'collname', 'collnamespace');

/** Defaults, constraints and indexes of these tables. */
const ownObjects = (ids: string) => `
  SELECT 'pg_attrdef'::regclass AS classid, d.oid AS objid FROM pg_attrdef AS d WHERE d.adrelid = ANY (${ids}::oid[])
  UNION ALL SELECT 'pg_constraint'::regclass, c.oid FROM pg_constraint AS c WHERE c.conrelid = ANY (${ids}::oid[])
  UNION ALL SELECT 'pg_class'::regclass, i.indexrelid FROM pg_index AS i WHERE i.indrelid = ANY (${ids}::oid[])`;

/** Whether part of a domain needs a function, an operator or a sequence of its own database. */
const needsOthers = (catalog: string, oid: string) => `(${calls(catalog, oid)} OR EXISTS (
  SELECT FROM pg_depend AS d WHERE d.classid = '${catalog}'::regclass AND d.objid = ${oid} AND d.refclassid = 'pg_class'::regclass))`;

/** Whether a domain's check can be created with it; existing values may violate one that is not validated. */
const canHave = `c.convalidated AND NOT ${needsOthers('pg_constraint', 'c.oid')}`;

/**
 * The types used in columns and expressions, and the types they consist of, deepest first; without the server's own.
 */
const typesQuery = `
  WITH RECURSIVE used (oid, depth) AS (
    SELECT t.oid, 0 FROM unnest($1::oid[]) AS t (oid)
    UNION ALL SELECT d.refobjid, 0 FROM (${ownObjects('$2')}) AS own
      JOIN pg_depend AS d ON d.classid = own.classid AND d.objid = own.objid AND d.refclassid = 'pg_type'::regclass
    UNION ALL
    SELECT part.oid, used.depth + 1 FROM used JOIN pg_type AS t ON t.oid = used.oid,
      LATERAL (
        SELECT t.typelem WHERE t.typelem <> 0
        UNION ALL SELECT t.typbasetype WHERE t.typtype = 'd'
        UNION ALL SELECT a.atttypid FROM pg_attribute AS a WHERE t.typtype = 'c' AND a.attrelid = t.typrelid AND a.attnum > 0
          AND NOT a.attisdropped
        UNION ALL SELECT r.rngsubtype FROM pg_range AS r WHERE r.rngtypid = t.oid
        UNION ALL SELECT r.rngtypid FROM pg_range AS r WHERE r.rngmultitypid = t.oid) AS part (oid)
    WHERE used.depth < 20)
  SELECT json_build_object('id', t.oid::text, 'schema', n.nspname, 'name', t.typname, 'kind', t.typtype,
    'extension', (SELECT json_build_object('name', e.extname, 'schema', en.nspname)
      FROM pg_depend AS d JOIN pg_extension AS e ON e.oid = d.refobjid JOIN pg_namespace AS en ON en.oid = e.extnamespace
      WHERE d.classid = 'pg_type'::regclass AND d.objid = t.oid AND d.deptype = 'e'),
    'labels', (SELECT coalesce(json_agg(l.enumlabel ORDER BY l.enumsortorder), '[]') FROM pg_enum AS l WHERE l.enumtypid = t.oid),
    'attributes', (SELECT coalesce(json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
        'collation', ${collationOf('a.attcollation')}) ORDER BY a.attnum), '[]')
      FROM pg_attribute AS a WHERE a.attrelid = t.typrelid AND t.typtype = 'c' AND a.attnum > 0 AND NOT a.attisdropped),
    'base', CASE WHEN t.typtype = 'd' THEN format_type(t.typbasetype, t.typtypmod) END,
    'collation', CASE WHEN t.typtype = 'd' THEN ${collationOf('t.typcollation')} END,
    'default', CASE WHEN NOT ${needsOthers('pg_type', 't.oid')} THEN t.typdefault END,
    'left', (SELECT coalesce(json_agg(what ORDER BY what), '[]') FROM (
      SELECT 'default' WHERE t.typdefault IS NOT NULL AND ${needsOthers('pg_type', 't.oid')}
      UNION ALL SELECT 'constraint ' || c.conname FROM pg_constraint AS c
        WHERE c.contypid = t.oid AND c.contype = 'c' AND NOT (${canHave})) AS others (what) WHERE t.typtype = 'd'),
    'notNull', t.typnotnull,
    'checks', (SELECT coalesce(json_agg(json_build_object('name', c.conname, 'definition', pg_get_constraintdef(c.oid)) ORDER BY c.conname), '[]')
      FROM pg_constraint AS c WHERE c.contypid = t.oid AND c.contype = 'c' AND ${canHave}),
    'range', (SELECT json_build_object('subtype', format_type(r.rngsubtype, NULL),
        'opclass', ${qualified('pg_opclass', 'r.rngsubopc', 'opcname', 'opcnamespace')},
        'collation', ${collationOf('r.rngcollation')},
        'multirange', ${qualified('pg_type', 'r.rngmultitypid', 'typname', 'typnamespace')})
      FROM pg_range AS r WHERE r.rngtypid = t.oid))::text
  FROM (SELECT oid, max(depth) AS depth FROM used GROUP BY oid) AS u
    JOIN pg_type AS t ON t.oid = u.oid JOIN pg_namespace AS n ON n.oid = t.typnamespace
  WHERE n.nspname <> 'pg_catalog' AND t.typrelid <> ALL ($2::oid[])
    AND t.typtype IN ('e', 'd', 'c', 'r', 'b') AND (t.typtype = 'd' OR t.typcategory <> 'A')
  ORDER BY u.depth DESC, n.nspname, t.typname`;

/** User-defined collations of columns, indexes and types. */
const collationsQuery = `
  SELECT DISTINCT json_build_object('schema', n.nspname, 'name', l.collname, 'provider', l.collprovider,
    'locale', coalesce(to_jsonb(l) ->> 'colllocale', to_jsonb(l) ->> 'colliculocale'),
    'lcCollate', l.collcollate, 'lcCtype', l.collctype, 'deterministic', l.collisdeterministic)::text
  FROM (
      SELECT a.attcollation FROM pg_attribute AS a
        WHERE a.attrelid = ANY ($1::oid[]) OR a.attrelid IN (SELECT t.typrelid FROM pg_type AS t WHERE t.oid = ANY ($2::oid[]))
      UNION SELECT d.refobjid FROM (${ownObjects('$1')}) AS own JOIN pg_depend AS d ON d.classid = own.classid
        AND d.objid = own.objid AND d.refclassid = 'pg_collation'::regclass
      UNION SELECT t.typcollation FROM pg_type AS t WHERE t.oid = ANY ($2::oid[])
      UNION SELECT r.rngcollation FROM pg_range AS r WHERE r.rngtypid = ANY ($2::oid[])) AS used (oid)
    JOIN pg_collation AS l ON l.oid = used.oid JOIN pg_namespace AS n ON n.oid = l.collnamespace
  WHERE n.nspname <> 'pg_catalog'`;

/**
 * Extensions whose functions, operators or operator classes are used by the tables' defaults, constraints and indexes.
 */
const extensionsQuery = `
  WITH own AS (${ownObjects('$1')})
  SELECT json_build_object('name', e.extname, 'schema', n.nspname,
    'isOfDefault', bool_or(own.classid = 'pg_attrdef'::regclass))::text
  FROM own JOIN pg_depend AS needs ON needs.classid = own.classid AND needs.objid = own.objid
    JOIN pg_depend AS member ON member.classid = needs.refclassid AND member.objid = needs.refobjid
      AND member.refclassid = 'pg_extension'::regclass AND member.deptype = 'e'
    JOIN pg_extension AS e ON e.oid = member.refobjid JOIN pg_namespace AS n ON n.oid = e.extnamespace
  GROUP BY e.extname, n.nspname ORDER BY e.extname`;

/** A type's statement, with the schema that it needs. */
export interface TypeStatement {
  schema: string;
  statement: Statement;
}

/**
 * The statements that create the columns' types, in order of dependency, and further extensions that the tables use: a
 * job continues without those that only an index needs.
 * @throws EngineError
 */
export async function typeStatements(
  session: pg.ClientBase,
  tableIds: readonly string[],
  typeIds: readonly string[],
): Promise<TypeStatement[]> {
  const types = await askJson(session, type, typesQuery, [typeIds, tableIds]);
  const collations = await askJson(session, collation, collationsQuery, [tableIds, types.map(({ id }) => id)]);
  const needed = await askJson(session, neededExtension, extensionsQuery, [tableIds]);
  const first = [...types.flatMap((one) => one.extension ?? []), ...needed.filter(({ isOfDefault }) => isOfDefault)];
  const before = new Map(first.map((one) => [one.name, one]));
  const after = needed.filter(({ name }) => !before.has(name));
  return [
    ...[...before.values()].map((one) => extensionStatement(one, 'before')),
    ...after.map((one) => extensionStatement(one, 'after')),
    ...collations.map((one) => ({
      schema: one.schema,
      statement: typeStatement(one.name, collationSql(one), { kind: 'collation', schema: one.schema, name: one.name }),
    })),
    ...types
      .filter(({ extension }) => !extension)
      .map((one) => ({
        schema: one.schema,
        statement: typeStatement(
          `${one.schema}.${one.name}`,
          typeSql(one),
          { kind: 'type', schema: one.schema, name: one.name },
          noteOf(one),
        ),
      })),
  ];
}

function extensionStatement({ name, schema }: z.infer<typeof extension>, phase: Statement['phase']): TypeStatement {
  const sql = `CREATE EXTENSION IF NOT EXISTS ${quoteName(name)} SCHEMA ${quoteName(schema)}`;
  const note = 'The extension must be installed on the target server.';
  const statement = typeStatement(name, sql, { kind: 'extension', schema, name }, note);
  return { schema, statement: { ...statement, phase } };
}

type Type = z.infer<typeof type>;

function typeStatement(name: string, sql: string, makes: DatabaseObject, note?: string): Statement {
  return { kind: 'type', phase: 'before', table: name, sql, exists: false, makes, ...(note && { note }) };
}

function noteOf({ kind, name, left }: Type): string | undefined {
  if (left.length > 0) return `Not replicated: ${left.join(', ')}.`;
  return kind === 'b' ? `The type ${name} is written in C: install it at the target.` : undefined;
}

function collationSql({
  schema,
  name,
  provider,
  locale,
  lcCollate,
  lcCtype,
  deterministic,
}: z.infer<typeof collation>): string {
  const icu = `provider = icu, locale = ${pg.escapeLiteral(locale ?? '')}`;
  const libc = `provider = libc, lc_collate = ${pg.escapeLiteral(lcCollate ?? '')}, lc_ctype = ${pg.escapeLiteral(lcCtype ?? '')}`;
  const builtin = `provider = builtin, locale = ${pg.escapeLiteral(locale ?? '')}`;
  const options = { i: icu, c: libc, b: builtin }[provider] ?? libc;
  return `CREATE COLLATION ${quoteName(schema)}.${quoteName(name)} (${options}, deterministic = ${deterministic})`;
}

function typeSql(one: Type): string {
  const name = `${quoteName(one.schema)}.${quoteName(one.name)}`;
  switch (one.kind) {
    case 'e':
      return `CREATE TYPE ${name} AS ENUM (${one.labels.map((label) => pg.escapeLiteral(label)).join(', ')})`;
    case 'c':
      return `CREATE TYPE ${name} AS (${one.attributes
        .map((attribute) => `${quoteName(attribute.name)} ${attribute.type}${collate(attribute.collation)}`)
        .join(', ')})`;
    case 'r':
      return `CREATE TYPE ${name} AS RANGE (SUBTYPE = ${one.range?.subtype}, SUBTYPE_OPCLASS = ${one.range?.opclass}${
        one.range?.collation ? `, COLLATION = ${one.range.collation}` : ''
      }, MULTIRANGE_TYPE_NAME = ${one.range?.multirange})`;
    case 'd':
      return [
        `CREATE DOMAIN ${name} AS ${one.base}${collate(one.collation)}`,
        ...(one.default === null ? [] : [`DEFAULT ${one.default}`]),
        ...(one.notNull ? ['NOT NULL'] : []),
        ...one.checks.map((check) => `CONSTRAINT ${quoteName(check.name)} ${check.definition}`),
      ].join(' ');
    default:
      return `-- ${name}`;
  }
}

function collate(name: string | null): string {
  return name === null ? '' : ` COLLATE ${name}`;
}
