import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse as parseYaml } from 'yaml';
import { errorMessage } from '../../server/error-message.ts';
import { UsageError } from './api-client.ts';

/**
 * The fields of a call from a YAML or JSON file; `-` is standard input.
 * @throws UsageError
 */
export function readFields(file: string): object {
  if (file === '') throw new UsageError('Name a file with the fields: -f file.yaml');
  // npm runs scripts in the package's folder, wherever it was called.
  const path = file === '-' ? 0 : resolve(process.env.INIT_CWD ?? '.', file);
  let value: unknown;
  try {
    value = parseYaml(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new UsageError(`${file} could not be read: ${errorMessage(error)}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError(`${file} contains no fields.`);
  return value;
}
