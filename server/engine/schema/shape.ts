import { z } from 'zod';
import { type Facts, factsSchema } from '../facts.ts';
import { carriedNames, type Route } from '../flow/route.ts';
import { type Table, tableName } from '../table.ts';

const shape = z.strictObject({
  /** The source's name of the table. */
  name: z.string(),
  columns: z.array(
    z.strictObject({
      name: z.string(),
      type: z.string(),
      generated: z.boolean(),
      collation: z.string().optional(),
    }),
  ),
  key: z.array(z.number()),
  facts: factsSchema.nullable(),
  /** Names of columns that rows came without. */
  untold: z.array(z.string()).default([]),
  /** Names of columns that rows came with, and that were not carried. */
  more: z.array(z.string()).default([]),
  /** Whether a row was changed that was not identified by the key; unknown in marks of earlier versions. */
  sharesKeys: z.boolean().default(false),
  /** Names of columns that are not carried; none in marks of earlier versions. */
  left: z.array(z.string()).default([]),
});

interface Shaped {
  route: Route;
  facts: Facts | null;
  untold: ReadonlySet<string>;
  more: ReadonlySet<string>;
  sharesKeys: boolean;
}

/** What determines how a table's rows are carried, and what is known of its catalogue, as a mark stores them. */
export function shapeOf({ route, facts, untold, more, sharesKeys }: Shaped): string {
  const { source: table } = route;
  const carried = carriedNames(route);
  const stored: z.infer<typeof shape> = {
    name: tableName(table),
    columns: table.columns.map(({ name, type, generated, collation }) => ({ name, type, generated, collation })),
    key: [...table.key],
    facts,
    untold: [...untold],
    more: [...more],
    sharesKeys,
    left: table.columns.map(({ name }) => name).filter((name) => !carried.has(name)),
  };
  return JSON.stringify(stored);
}

/** @throws if it is damaged */
const read = (text: string) => shape.parse(JSON.parse(text));

/** The table as it was when the shape was stored; everything else as it is now. @throws if it is damaged */
export function tableOfShape(text: string, now: Table): Table {
  const { columns, key } = read(text);
  const known = columns.map(({ collation, ...column }) => ({
    ...column,
    nullable: true,
    ...(collation !== undefined && { collation }),
  }));
  return { ...now, columns: known, key };
}

/** What was known of the table besides its columns. @throws if it is damaged */
export function knownOfShape(text: string): Omit<Shaped, 'route'> {
  const { facts, untold, more, sharesKeys } = read(text);
  return { facts, untold: new Set(untold), more: new Set(more), sharesKeys };
}

/** The source names of the columns that were carried. @throws if it is damaged */
export function carriedOfShape(text: string): ReadonlySet<string> {
  const { columns, left } = read(text);
  return new Set(columns.map(({ name }) => name).filter((name) => !left.includes(name)));
}

/** The source's name of the table. @throws if it is damaged */
export function nameOfShape(text: string): string {
  return read(text).name;
}
