import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Counts with strace how often processes wait for the disk while something runs. It slows them down, so nothing is
 * timed meanwhile.
 * @returns undefined if strace is not installed
 */
export async function syncsDuring(pids: readonly number[], work: () => Promise<void>): Promise<number | undefined> {
  if (spawnSync('strace', ['-V']).status !== 0) return undefined;
  const args = [
    '-f',
    '-q',
    '-e',
    'trace=fsync,fdatasync,sync_file_range',
    ...pids.flatMap((pid) => ['-p', String(pid)]),
  ];
  const tracer = spawn('strace', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const said = text(tracer.stderr);
  // strace does not report that it is attached.
  await delay(1000);
  await work();
  tracer.kill('SIGINT');
  await once(tracer, 'exit');
  return (await said).split('\n').filter((line) => /\bf(data)?sync\(/.test(line)).length;
}
