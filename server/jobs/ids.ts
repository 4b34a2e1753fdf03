import { randomInt } from 'node:crypto';
import { z } from 'zod';
import type { Queries } from '../storage/database.ts';

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';
const counterRow = z.object({ value: z.number() });

/** A number that no data source, job, task or worker has. */
export async function nextId(queries: Queries): Promise<number> {
  const next = await queries.one(
    counterRow,
    `INSERT INTO counter (name, value) VALUES ('job-object', 1)
     ON CONFLICT (name) DO UPDATE SET value = counter.value + 1 RETURNING value`,
  );
  if (!next) throw new Error('The id counter returned nothing.');
  return next.value;
}

/** A name that is unique by chance: `canal` and 11 characters for jobs, a prefix and 15 for data sources. */
export function randomName(prefix: string, length: number): string {
  return prefix + Array.from({ length }, () => letters[randomInt(letters.length)]).join('');
}
