import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { isRecord, parseJson } from '../../client/browser/json.ts';

const root = resolve(import.meta.dirname, '../..');

/** Matches the address of the built file of a source that the browser loads when it is needed, or of a named group. */
export function chunkOf(source: string): string {
  const built = parseJson(readFileSync(resolve(root, 'dist/assets.json'), 'utf8'));
  const entries = isRecord(built) ? built : {};
  const entry = entries[source] ?? Object.values(entries).find((one) => isRecord(one) && one.name === source);
  if (!isRecord(entry) || typeof entry.file !== 'string') throw new Error(`The build has no file of ${source}.`);
  return `**/${entry.file}`;
}
