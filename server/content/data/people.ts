import { z } from 'zod';

/** `authors.yml`: slug → who writes. */
export const authorsSchema = z.record(
  z.string().regex(/^[a-z0-9_-]+$/, 'a slug has small letters, digits, - and _ only'),
  z.object({ name: z.string().min(1), title: z.string().default(''), description: z.string().default('') }),
);

/** `tags.yml`: id → the tags posts may carry. */
export const tagsSchema = z.record(
  z.string().regex(/^[a-z0-9_-]+$/, 'an id has small letters, digits, - and _ only'),
  z.strictObject({ label: z.string().min(1), description: z.string().default('') }),
);
