import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { bareEnv } from './bare-env.ts';
import { findPostgres } from './postgres.ts';

/** What an operator sees of a command. */
export interface CommandEnd {
  status: number | null;
  /** Standard output. */
  said: string;
  /** Standard error. */
  fault: string;
}

const folder = join(import.meta.dirname, '../../scripts/operator');

/** Runs a command as an operator types it behind `npm run`. @param env its settings, above all `DATA_DIR` */
export function runOperator(env: Record<string, string>, command: string, ...args: string[]): CommandEnd {
  const path = `${findPostgres()}:${process.env.PATH}`;
  const options = { env: { ...bareEnv(), PATH: path, ...env }, encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, `${command}.ts`), ...args], options);
  return { status, said: stdout.trim(), fault: stderr.trim() };
}
