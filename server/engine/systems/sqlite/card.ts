import { z } from 'zod';
import type { Card } from '../system.ts';

const file = z
  .string()
  .min(1)
  .max(255)
  .refine((name) => !name.includes('\0'), 'A file name has no NUL.')
  .meta({
    title: 'File',
    description:
      'Path of the database file below DATA_DIR/files of this installation: shop.sqlite is DATA_DIR/files/shop.sqlite.',
  });

/** What a data source stores. */
const settings = z.strictObject({ file });

/** What a child gets: the folder is the operator's, never the user's. */
export const connectionSettings = z.strictObject({
  /** Absolute; nothing outside of it is opened. */
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
      note: 'Each value keeps its own class, whatever its column is declared as: 64-bit integers, 17 digits, NUL in text.',
    },
  ],
  removal: (_settings, job) =>
    `SELECT 'DROP TRIGGER "' || name || '";' FROM sqlite_schema WHERE type = 'trigger' AND name LIKE 'millrace_${job}_%'; -- run what it prints, then: DROP TABLE IF EXISTS millrace_log_${job};`,
};
