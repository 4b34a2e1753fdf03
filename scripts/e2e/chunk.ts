import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { isRecord, parseJson } from '../../client/browser/json.ts';

const root = resolve(import.meta.dirname, '../..');

/** Matches the address of the built file of a source that the browser loads on demand. */
export function chunkOf(source: string): string {
  const { file } = built(source);
  if (typeof file !== 'string') throw new Error(`The build has no file of ${source}.`);
  return `**/${file}`;
}

/** Matches the address of the script with an entry's code, which the entry file only imports. */
export function entryOf(source: string): string {
  const { imports } = built(source);
  const [only, ...more] = Array.isArray(imports) ? imports : [];
  if (typeof only !== 'string' || more.length > 0) throw new Error(`${source} imports other than one file.`);
  return chunkOf(only);
}

function built(source: string): Record<string, unknown> {
  const files = parseJson(readFileSync(resolve(root, 'dist/assets.json'), 'utf8'));
  const entry = isRecord(files) ? files[source] : undefined;
  return isRecord(entry) ? entry : {};
}
