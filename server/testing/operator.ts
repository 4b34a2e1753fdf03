import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
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

/** A running command, in its own process group, as a terminal starts it. */
export interface StartedCommand {
  pid: number;
  end: Promise<CommandEnd>;
}

const folder = join(import.meta.dirname, '../../scripts/operator');
const scriptOf = (command: string) => join(folder, `${command}.ts`);

function envOf(env: Record<string, string>): NodeJS.ProcessEnv {
  return { ...bareEnv(), PATH: `${findPostgres()}:${process.env.PATH}`, ...env };
}

/** Runs a command as an operator types it after `npm run`. @param env its settings, above all `DATA_DIR` */
export function runOperator(env: Record<string, string>, command: string, ...args: string[]): CommandEnd {
  const options = { env: envOf(env), encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [scriptOf(command), ...args], options);
  return { status, said: stdout.trim(), fault: stderr.trim() };
}

/** Starts such a command, to be interrupted. */
export function startOperator(env: Record<string, string>, command: string, ...args: string[]): StartedCommand {
  const child = spawn(process.execPath, [scriptOf(command), ...args], {
    env: envOf(env),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const end = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return {
    pid: child.pid ?? 0,
    end: end.then(([said, fault]) => ({ status: child.exitCode, said: said.trim(), fault: fault.trim() })),
  };
}
