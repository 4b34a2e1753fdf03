import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { isRecord, parseJson } from '../../client/browser/json.ts';

const root = resolve(import.meta.dirname, '../..');

/** Matches the address of the built file of a source that the browser loads when it is needed. */
export function chunkOf(source: string): string {
  const built = parseJson(readFileSync(resolve(root, 'dist/assets.json'), 'utf8'));
  const entry = isRecord(built) ? built[source] : undefined;
  if (!isRecord(entry) || typeof entry.file !== 'string') throw new Error(`The build has no file of ${source}.`);
  return `**/${entry.file}`;
}
