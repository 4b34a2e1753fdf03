import { join } from 'node:path';
import type { z } from 'zod';
import { isThere, realPlace } from '../confine.ts';
import { leftOutFault } from '../fault.ts';
import { readText } from '../read-text.ts';
import { parseYaml, type YamlResult } from '../yaml.ts';

/** Where data files are searched: the operator's folder first, then the built-in one. */
export interface DataFolders {
  contentDir: string;
  builtInDir: string;
}

export interface DataFile<T> extends YamlResult<T> {
  /** True when it is the operator's, false for a built-in default. */
  own: boolean;
}

/**
 * Reads and checks one YAML file; an unreadable file is a fault like any other.
 * @param name path below the content folder, e.g. `pricing.yml`
 * @throws when neither folder has the file, which is a broken installation rather than an author's fault; and when the
 *   operator's file is faulty and there is no built-in replacement
 */
export function readDataFile<T>(
  name: string,
  schema: z.ZodType<T>,
  { contentDir, builtInDir }: DataFolders,
): DataFile<T> {
  const folder = [contentDir, builtInDir].find((one) => isThere(join(one, name)));
  if (folder === undefined) throw new Error(`${name} is missing from both ${contentDir} and ${builtInDir}.`);
  const read = readFrom(folder, name, schema);
  if (read.value === undefined && !isThere(join(builtInDir, name))) {
    const faults = read.faults.map(({ line, message }) => `line ${line}: ${message}`).join('; ');
    throw new Error(`${name} cannot be used, and there is no built-in replacement: ${faults}`);
  }
  return { ...read, own: folder === contentDir };
}

function readFrom<T>(folder: string, name: string, schema: z.ZodType<T>): YamlResult<T> {
  const source = textOf(folder, name);
  if ('text' in source) return parseYaml(source.text, schema, { file: name, firstLine: 1 });
  const at = () => ({ line: 1, column: 1 });
  return { faults: [leftOutFault(name, source.problem)], at, atKey: at, raw: undefined };
}

function textOf(folder: string, name: string): ReturnType<typeof readText> {
  const place = realPlace(folder, join(folder, name));
  return 'path' in place ? readText(place.path) : place;
}
