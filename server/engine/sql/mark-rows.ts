import { z } from 'zod';
import { EngineError } from '../errors.ts';
import {
  type Mark,
  type MarkUpdate,
  type ParkedRow,
  parkedRowSchema,
  rereadSchema,
  type TableMark,
  tableMarkSchema,
} from '../mark.ts';

/**
 * How the tables `millrace_mark` and `millrace_table` of an SQL target store a mark: every part as JSON text. A row of
 * `millrace_parked` has its key as JSON text and the rest in columns that a database administrator can read.
 */

const position = z.strictObject({ order: z.string(), resume: z.string() });

/** The columns of `millrace_mark` besides `job` and `epoch`; null keeps the stored value. */
export interface MarkTexts {
  incarnation: string | null;
  position: string | null;
  slice: string | null;
  unseen: string | null;
  rereads: string | null;
}

/** What a new job's row holds. */
export const emptyMark = { slice: '0', unseen: '[]', rereads: '[]' } as const;

/** The parts that an update contains, as they are stored. */
export function markTexts(update: MarkUpdate): MarkTexts {
  return {
    incarnation: text(update.incarnation),
    position: text(update.position),
    slice: text(update.slice),
    unseen: text(update.unseen),
    rereads: text(update.rereads),
  };
}

/** An update's tables as rows of `millrace_table`: id and content. */
export function tableTexts(update: MarkUpdate): [id: string, content: string][] {
  return [...(update.tables ?? [])].map(([id, mark]) => [id, asciiJson(mark)]);
}

/** The columns of `millrace_parked` besides `job`. */
export const parkedColumns = ['id', 'number', 'key', 'op', 'position', 'code', 'at'] as const;

/** The cells of `millrace_parked` besides `job`, in the order of `parkedColumns`; numbers as text. */
export type ParkedTexts = readonly [
  id: string,
  number: string,
  key: string,
  op: string,
  position: string,
  code: string,
  at: string,
];

/** A parked row as it is stored. */
export function parkedTexts(id: string, row: ParkedRow): ParkedTexts {
  return [id, String(row.number), asciiJson(row.key), row.op, row.position, row.code, String(row.at)];
}

/** The stored parked row. @throws EngineError MARK_DAMAGED */
export function storedParkedRow([, number, key, op, position, code, at]: ParkedTexts): ParkedRow {
  return checked(() =>
    parkedRowSchema.parse({ number: Number(number), key: JSON.parse(key), op, position, code, at: Number(at) }),
  );
}

/**
 * The stored mark.
 * @param row the job's row in `millrace_mark`
 * @param tables id and content of its rows in `millrace_table`
 * @param parked its rows in `millrace_parked`
 * @throws EngineError MARK_DAMAGED when the content is not what we write
 */
export function storedMark(
  epoch: number,
  row: MarkTexts,
  tables: readonly (readonly [string, string])[],
  parked: readonly ParkedTexts[],
): Mark {
  return {
    epoch,
    incarnation: row.incarnation === null ? null : parsed(z.string(), row.incarnation),
    position: row.position === null ? null : parsed(position, row.position),
    slice: parsed(z.int().min(0), row.slice),
    unseen: parsed(z.array(z.string()), row.unseen),
    rereads: parsed(z.array(rereadSchema), row.rereads),
    tables: new Map<string, TableMark>(tables.map(([id, content]) => [id, parsed(tableMarkSchema, content)])),
    parked: new Map(
      [...Map.groupBy(parked, ([id]) => id)].map(([id, rows]) => [id, rows.map(storedParkedRow)] as const),
    ),
  };
}

function text(part: unknown): string | null {
  return part === undefined ? null : asciiJson(part);
}

/** Every encoding has these characters: keys may contain some that the target's own encoding lacks. */
function asciiJson(part: unknown): string {
  return JSON.stringify(part).replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function parsed<T>(schema: z.ZodType<T>, content: string | null): T {
  return checked(() => schema.parse(JSON.parse(content ?? '')));
}

function checked<T>(read: () => T): T {
  try {
    return read();
  } catch {
    // The cause would expose stored content, including keys.
    throw new EngineError('MARK_DAMAGED', { side: 'target' });
  }
}
