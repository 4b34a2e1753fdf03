import { z } from 'zod';

const tableSelection = z.strictObject({
  schema: z.string(),
  name: z.string(),
  target: z.strictObject({ schema: z.string(), name: z.string() }),
  /** Columns that are carried; all if null. */
  columns: z.array(z.string()).nullable(),
  /** Columns that are not carried, even if all are. */
  without: z.array(z.string()).optional(),
  /** The target name of columns that change theirs. */
  renamed: z.record(z.string(), z.string()),
  /** The case of the other columns' target names; if missing, as at the source. */
  letters: z.enum(['lower', 'upper']).optional(),
  /** A condition in the source's own SQL; rows that do not meet it are not at the target. */
  filter: z.string().nullable(),
  /** It was added while the job ran, since its last replay: its target has no rows of a run before. */
  isLater: z.literal(true).optional(),
});

const side = z.strictObject({ family: z.string(), settings: z.unknown() });

/** What a child process needs to run a job; passwords are in `settings` in plain text, so this is never logged. */
export const jobSpecSchema = z.strictObject({
  /** The job's id in the open API: names the slot, the publication and the mark. */
  id: z.string().regex(/^canal[a-z0-9]{11}$/),
  type: z.enum(['STRUCT_MIGRATION', 'MIGRATION', 'SYNC']),
  source: side,
  target: side,
  /** Whether structure is created at the target first. */
  structure: z.boolean(),
  /** Whether SYNC copies the existing rows. */
  initialLoad: z.boolean(),
  tables: z.array(tableSelection).min(1).max(10_000),
  /** Schemas whose other tables are reported, so that those matching the job's patterns are added; none if missing. */
  newTablesIn: z.array(z.string()).max(1_000).optional(),
  ddl: z.enum(['safe', 'ignore', 'stop']),
  /** What happens to rows that the target has before the first chunk. */
  conflict: z.enum(['replace', 'ignore']),
  /** The job ran before and starts over: the target has rows of that run. */
  replays: z.boolean().optional(),
  /** An earlier process of the job wrote a checkpoint. */
  hasCheckpoint: z.boolean().optional(),
  /** Chunks that are copied at the same time. */
  parallel: z.int().min(1).max(16),
});

export type JobSpec = z.infer<typeof jobSpecSchema>;
export type TableSelection = z.infer<typeof tableSelection>;

/** Whether the job carries a column of a table. */
export function carriesColumn({ columns, without }: TableSelection, column: string): boolean {
  return (columns === null || columns.includes(column)) && !without?.includes(column);
}

/** The target name of a column. */
export function targetColumn({ renamed, letters }: TableSelection, column: string): string {
  const explicit = Object.hasOwn(renamed, column) ? renamed[column] : undefined;
  if (explicit !== undefined || !letters) return explicit ?? column;
  return letters === 'lower' ? column.toLowerCase() : column.toUpperCase();
}
