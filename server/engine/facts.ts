import { z } from 'zod';
import type { Table } from './table.ts';

const columnFacts = z.strictObject({
  /** What stays the same when the column is renamed. */
  number: z.number(),
  name: z.string(),
  /** The default, or the expression of a generated column, as the source prints it. */
  expression: z.string().nullable(),
  identity: z.string(),
  /** Changes each time the column is altered. */
  entry: z.string(),
  /** Whether rows older than the column have its value only in the catalogue. */
  isFast: z.boolean(),
});

const enumFacts = z.strictObject({
  schema: z.string(),
  name: z.string(),
  /** In order; the id stays the same when a label is renamed. */
  labels: z.array(z.strictObject({ id: z.string(), label: z.string() })),
});

const compositeFacts = z.strictObject({
  /** What stays the same when the type is renamed. */
  id: z.string(),
  schema: z.string(),
  name: z.string(),
  /** Number and type of each attribute, in order; the text of a value has no names. */
  attributes: z.array(z.string()),
});

/** What a mark remembers of a table's catalogue besides the columns that are carried. */
export const factsSchema = z.strictObject({
  /** Empty if the source does not number columns. */
  columns: z.array(columnFacts),
  /**
   * The table itself, or all of its partitions, each with the file that its own rows are in, and a link that changes
   * each time the part, or a parent of it, is attached; empty in marks of earlier versions.
   */
  parts: z.array(z.strictObject({ id: z.string(), file: z.string(), link: z.string().default('') })),
  /** Enums among the types of its columns, and inside those types. */
  enums: z.array(enumFacts),
  /** Composite types among them; empty in marks of earlier versions. */
  composites: z.array(compositeFacts).default([]),
  /**
   * Changes if the table was recreated under the same id, or if its changes may have been missing from the log for a
   * while; empty in marks of earlier versions.
   */
  continuity: z.string().default(''),
  /** Changes if the key was dropped and recreated; empty in marks of earlier versions. */
  key: z.string().default(''),
  /** Whether the log contains whole old rows, so rows may be changed while the table has no key. */
  tellsWhole: z.boolean().default(false),
});

export type Facts = z.infer<typeof factsSchema>;
export type EnumFacts = z.infer<typeof enumFacts>;

/** A part of a table as the catalogue has it now. */
export type PartNow = Facts['parts'][number] & {
  /** The transaction that last changed the part's entry, named as `Begin` names it. */
  transaction: string;
  /** Whether it was empty when it became a part: created as one, not attached. */
  isBorn: boolean;
};

/** The table's current catalogue entry; much of it is in no log. */
export interface TableFacts extends Facts {
  table: Table;
  /** Why the source does not deliver its changes to the job, or not all of them; null if it does. */
  notTold: string | null;
  parts: PartNow[];
}

/** For a source whose catalogue numbers no columns, and that has neither partitions nor user-defined types. */
export const plainFacts = { columns: [], parts: [], enums: [], composites: [], key: '', tellsWhole: false };

/** The part of them that a mark remembers. */
export function factsOf({ table: _table, notTold: _notTold, parts, ...facts }: TableFacts): Facts {
  return { ...facts, parts: parts.map(({ id, file, link }) => ({ id, file, link })) };
}
