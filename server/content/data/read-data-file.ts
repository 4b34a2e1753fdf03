import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import { parseYaml, type YamlResult } from '../yaml.ts';

/** Where data files are looked for: the operator's folder first, then the built-in one. */
export interface DataFolders {
  contentDir: string;
  builtInDir: string;
}

export interface DataFile<T> extends YamlResult<T> {
  /** True when it is the operator's, false for a built-in default. */
  own: boolean;
}

/**
 * Reads and checks one YAML file.
 * @param name path below the content folder, e.g. `pricing.yml`
 * @throws when neither folder has the file, which is a broken installation rather than an author's fault
 */
export function readDataFile<T>(
  name: string,
  schema: z.ZodType<T>,
  { contentDir, builtInDir }: DataFolders,
): DataFile<T> {
  const path = [join(contentDir, name), join(builtInDir, name)].find((candidate) => existsSync(candidate));
  if (path === undefined) throw new Error(`${name} is missing both in ${contentDir} and in ${builtInDir}.`);
  const read = parseYaml(readFileSync(path, 'utf8'), schema, { file: name, firstLine: 1 });
  return { ...read, own: path === join(contentDir, name) };
}
