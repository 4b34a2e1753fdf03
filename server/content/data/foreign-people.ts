import { lstatSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { z } from 'zod';
import { isThere, type RealPlace, realPlace } from '../confine.ts';
import { type Fault, leftOutFault } from '../fault.ts';
import { readText } from '../read-text.ts';
import { parseYaml } from '../yaml.ts';

/**
 * Reads authors or tags from the first existing file out of several files of another tool.
 * @returns undefined when none exists; a faulty file contains no one
 */
export function readForeign<T>(
  contentDir: string,
  names: readonly string[],
  schema: z.ZodType<Map<string, T>>,
  faults: Fault[],
): Map<string, T> | undefined {
  const name = names.find((one) => isThere(join(contentDir, one)));
  if (name === undefined) return undefined;
  const place = placeOf(contentDir, name);
  const source = 'path' in place ? readText(place.path) : place;
  if ('problem' in source) {
    faults.push(leftOutFault(name, source.problem));
    return new Map();
  }
  const read = parseYaml(source.text, schema, { file: name, firstLine: 1 });
  faults.push(...read.faults);
  return read.value ?? new Map();
}

/** `.authors.yml` is hidden by its name: the file itself is read, but no link with that name is followed. */
function placeOf(contentDir: string, name: string): RealPlace {
  if (!basename(name).startsWith('.')) return realPlace(contentDir, join(contentDir, name));
  const folder = realPlace(contentDir, join(contentDir, dirname(name)));
  if ('problem' in folder) return folder;
  const path = join(folder.path, basename(name));
  return lstatSync(path).isFile() ? { path } : { problem: 'points to a hidden file' };
}
