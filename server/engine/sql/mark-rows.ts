import { z } from 'zod';
import { EngineError } from '../errors.ts';
import { type Mark, type MarkUpdate, rereadSchema, type TableMark, tableMarkSchema } from '../mark.ts';

/** How the tables `millrace_mark` and `millrace_table` of a SQL target hold a mark: every part as JSON text. */

const position = z.strictObject({ order: z.string(), resume: z.string() });

/** The columns of `millrace_mark` besides `job` and `epoch`; null keeps what is stored. */
export interface MarkTexts {
  incarnation: string | null;
  position: string | null;
  slice: string | null;
  unseen: string | null;
  rereads: string | null;
}

/** What a new job's row holds. */
export const emptyMark = { slice: '0', unseen: '[]', rereads: '[]' } as const;

/** The parts of an update that are told, as they are stored. */
export function markTexts(update: MarkUpdate): MarkTexts {
  return {
    incarnation: text(update.incarnation),
    position: text(update.position),
    slice: text(update.slice),
    unseen: text(update.unseen),
    rereads: text(update.rereads),
  };
}

/** The tables of an update as rows of `millrace_table`: id and content. */
export function tableTexts(update: MarkUpdate): [id: string, content: string][] {
  return [...(update.tables ?? [])].map(([id, mark]) => [id, JSON.stringify(mark)]);
}

/**
 * The mark that is stored.
 * @param row what `millrace_mark` holds of the job
 * @param tables id and content of its rows in `millrace_table`
 * @throws EngineError MARK_DAMAGED when a content is not what we write
 */
export function storedMark(epoch: number, row: MarkTexts, tables: readonly (readonly [string, string])[]): Mark {
  return {
    epoch,
    incarnation: row.incarnation === null ? null : parsed(z.string(), row.incarnation),
    position: row.position === null ? null : parsed(position, row.position),
    slice: parsed(z.int().min(0), row.slice),
    unseen: parsed(z.array(z.string()), row.unseen),
    rereads: parsed(z.array(rereadSchema), row.rereads),
    tables: new Map<string, TableMark>(tables.map(([id, content]) => [id, parsed(tableMarkSchema, content)])),
  };
}

function text(part: unknown): string | null {
  return part === undefined ? null : JSON.stringify(part);
}

function parsed<T>(schema: z.ZodType<T>, content: string | null): T {
  try {
    return schema.parse(JSON.parse(content ?? ''));
  } catch {
    // The reason would show what is stored, keys among it.
    throw new EngineError('MARK_DAMAGED', { side: 'target' });
  }
}
