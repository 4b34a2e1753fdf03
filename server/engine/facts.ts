import { z } from 'zod';
import type { Table } from './table.ts';

const columnFacts = z.strictObject({
  /** What stays the same when the column is renamed. */
  number: z.number(),
  name: z.string(),
  /** The default, or what a generated column computes, as the source prints it. */
  expression: z.string().nullable(),
  identity: z.string(),
  /** Another one each time that the column was altered. */
  entry: z.string(),
  /** Whether rows from before the column have its value in the catalogue alone. */
  isFast: z.boolean(),
});

const enumFacts = z.strictObject({
  schema: z.string(),
  name: z.string(),
  /** In their order; the id stays the same when a label is renamed. */
  labels: z.array(z.strictObject({ id: z.string(), label: z.string() })),
});

const compositeFacts = z.strictObject({
  /** What stays the same when the type is renamed. */
  id: z.string(),
  schema: z.string(),
  name: z.string(),
  /** Number and type of each attribute, in their order; the text of a value has no names. */
  attributes: z.array(z.string()),
});

/** What a mark remembers of a table's catalogue besides the columns that are carried. */
export const factsSchema = z.strictObject({
  /** Empty where the source does not number columns. */
  columns: z.array(columnFacts),
  /**
   * The table itself, or all of its partitions, each with the file that its own rows are in, and another link each time
   * that it, or what it is a part of, was attached; empty in marks of earlier versions.
   */
  parts: z.array(z.strictObject({ id: z.string(), file: z.string(), link: z.string().default('') })),
  /** Enums among the types of its columns, and inside of them. */
  enums: z.array(enumFacts),
  /** Composite types among them; empty in marks of earlier versions. */
  composites: z.array(compositeFacts).default([]),
  /**
   * Another one where the table was made again under the same id, or where its changes may not have been told for a while;
   * empty in marks of earlier versions.
   */
  continuity: z.string().default(''),
  /** Another one where the key was dropped and made again; empty in marks of earlier versions. */
  key: z.string().default(''),
  /** Whether the log tells old rows whole, so that rows may be changed while the table has no key. */
  tellsWhole: z.boolean().default(false),
});

export type Facts = z.infer<typeof factsSchema>;
export type EnumFacts = z.infer<typeof enumFacts>;

/** A part of a table as the catalogue has it now. */
export type PartNow = Facts['parts'][number] & {
  /** The transaction that changed the part's entry last, named as `Begin` names it. */
  transaction: string;
  /** Whether it was empty when it became a part: made as one, not attached. */
  isBorn: boolean;
};

/** What the catalogue says of a table now; much of it is in no log. */
export interface TableFacts extends Facts {
  table: Table;
  /** Why the source does not tell its changes to the job, or not all of them; null where it does. */
  notTold: string | null;
  parts: PartNow[];
}

/** Of a source whose catalogue numbers no columns, and that has neither partitions nor types of somebody's own. */
export const plainFacts = { columns: [], parts: [], enums: [], composites: [], key: '', tellsWhole: false };

/** What a mark remembers of them. */
export function factsOf({ table: _table, notTold: _notTold, parts, ...facts }: TableFacts): Facts {
  return { ...facts, parts: parts.map(({ id, file, link }) => ({ id, file, link })) };
}
