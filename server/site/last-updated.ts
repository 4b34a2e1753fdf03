import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';

const fileSchema = z.record(z.string(), z.iso.date());

/** Reads the days that the build took from the git history: content file → day of its last change; may be empty. */
export function readLastUpdated(file: string): ReadonlyMap<string, string> {
  if (!existsSync(file)) return new Map();
  return new Map(Object.entries(fileSchema.parse(JSON.parse(readFileSync(file, 'utf8')))));
}
