import { z } from 'zod';
import { type Facts, factsSchema } from '../facts.ts';
import { type Table, tableName } from '../table.ts';

const shape = z.strictObject({
  /** The source's name of the table. */
  name: z.string(),
  columns: z.array(z.strictObject({ name: z.string(), type: z.string(), generated: z.boolean() })),
  key: z.array(z.number()),
  facts: factsSchema.nullable(),
});

/** What of a table decides how its rows are carried, and what is known of its catalogue, as a mark stores them. */
export function shapeOf(table: Table, facts: Facts | null): string {
  const stored: z.infer<typeof shape> = {
    name: tableName(table),
    columns: table.columns.map(({ name, type, generated }) => ({ name, type, generated })),
    key: [...table.key],
    facts,
  };
  return JSON.stringify(stored);
}

/** The table as it was when the shape was stored; everything else of it as it is now. @throws where it is damaged */
export function tableOfShape(text: string, now: Table): Table {
  const { columns, key } = shape.parse(JSON.parse(text));
  return { ...now, columns: columns.map((column) => ({ ...column, nullable: true })), key };
}

/** @throws where it is damaged */
export function factsOfShape(text: string): Facts | null {
  return shape.parse(JSON.parse(text)).facts;
}

/** The name that the source had for the table. @throws where it is damaged */
export function nameOfShape(text: string): string {
  return shape.parse(JSON.parse(text)).name;
}
