import { z } from 'zod';
import type { Table } from '../table.ts';

const shape = z.strictObject({
  columns: z.array(z.strictObject({ name: z.string(), type: z.string(), generated: z.boolean() })),
  key: z.array(z.number()),
});

/** What of a table decides how its rows are carried, as a mark stores it. */
export function shapeOf({ columns, key }: Table): string {
  const stored: z.infer<typeof shape> = {
    columns: columns.map(({ name, type, generated }) => ({ name, type, generated })),
    key: [...key],
  };
  return JSON.stringify(stored);
}

/** The table as it was when the shape was stored; everything else of it as it is now. @throws where it is damaged */
export function tableOfShape(text: string, now: Table): Table {
  const { columns, key } = shape.parse(JSON.parse(text));
  return { ...now, columns: columns.map((column) => ({ ...column, nullable: true })), key };
}
