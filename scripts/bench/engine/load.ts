import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { program, type Side } from './pair.ts';

/** Users of a source, simulated by pgbench. */
export interface Load {
  /** Resolves when its time is over. */
  over: Promise<void>;
  /** Stops it now. @returns the transactions per second that it reached */
  stop(): Promise<number>;
}

/**
 * Runs a pgbench script at a given rate per second.
 * @param seconds after which it stops on its own
 */
export async function startLoad(source: Side, script: string, aSecond: number, seconds: number): Promise<Load> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-bench-'));
  const file = join(folder, 'script.sql');
  await writeFile(file, script);
  const args = ['-n', '-c', '8', '-j', '1', '-R', String(aSecond), '-T', String(seconds), '-f', file, source.url];
  const child = spawn(program('pgbench'), args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const said: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => said.push(chunk.toString()));
  const ended = once(child, 'exit').finally(() => rm(folder, { recursive: true, force: true }));
  const begun = performance.now();
  const first = await transactions(source);
  return {
    over: ended.then(([code]) => {
      if (code !== 0) throw new Error(`pgbench failed: ${said.join('')}`);
    }),
    async stop() {
      const count = (await transactions(source)) - first;
      const time = performance.now() - begun;
      child.kill('SIGTERM');
      await ended;
      return (1000 * count) / time;
    },
  };
}

/** The ID of the next writing transaction. */
async function transactions({ sql }: Side): Promise<number> {
  const [[text] = []] = await sql('SELECT pg_snapshot_xmax(pg_current_snapshot())::text');
  return Number(text);
}
