import { resolve } from 'node:path';
import { builtPrograms, programPath } from '../program-path.ts';

const root = resolve(import.meta.dirname, '../..');

/**
 * Path of one of the server's programs for tests and benches: the built one if their command built it, else the source.
 * @param name its source file below server/, without the ending
 */
export function testedProgram(name: string): string {
  const folder = process.env.TESTED_PROGRAMS;
  return (folder && builtPrograms(resolve(root, folder)).get(`server/${name}.ts`)) || programPath(name);
}
