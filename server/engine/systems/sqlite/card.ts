import { z } from 'zod';
import { markTables } from '../../sql/mark-tables.ts';
import type { Card } from '../system.ts';

const file = z
  .string()
  .min(1)
  .max(255)
  .refine((name) => !name.includes('\0'), 'A file name must not contain NUL.')
  .meta({
    title: 'File',
    description:
      'Path of the database file relative to DATA_DIR/files of this installation: shop.sqlite means DATA_DIR/files/shop.sqlite.',
  });

/** What a data source stores. */
const settings = z.strictObject({ file });

/** What a child process gets: the folder is set by the operator, never by the user. */
export const connectionSettings = z.strictObject({
  /** Absolute; nothing outside it is opened. */
  folder: z.string().min(1),
  file,
});

export type ConnectionSettings = z.infer<typeof connectionSettings>;

export const sqliteCard: Card = {
  family: 'sqlite',
  name: 'SQLite',
  settings,
  secrets: [],
  source: true,
  target: true,
  rights: { source: [], target: [] },
  types: [
    {
      kind: 'Storage classes',
      names: ['INTEGER', 'REAL', 'TEXT', 'BLOB', 'NULL'],
      fit: 'exact',
      note: 'Each value keeps its own class, whatever type its column declares: 64-bit integers, 17 digits, NUL in text.',
    },
  ],
  removal: (side, _settings, job) =>
    side === 'target'
      ? markTables.map((name) => `DELETE FROM ${name} WHERE job = '${job}';`).join(' ')
      : `SELECT 'DROP TRIGGER "' || name || '";' FROM sqlite_schema WHERE type = 'trigger' AND name LIKE 'millrace_${job}_%'; -- run what it prints, then: DROP TABLE IF EXISTS millrace_log_${job};`,
};
