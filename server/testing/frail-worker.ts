import { existsSync } from 'node:fs';
import { answerTasks } from '../content/answer-tasks.ts';
import { createCompiler } from '../content/compile.ts';

/**
 * The compile thread, except that a page can kill it, block it or make it fail: by `ENDS UNLESS <file>`, `HOLDS UNLESS
 * <file>` or `FAILS UNLESS <file>` in its text, until that file exists.
 */

/** Says `holding` before it blocks. */
const channel = new BroadcastChannel('frail-worker');

answerTasks(async (brand) => {
  const compile = await createCompiler(brand);
  return (job) => {
    const [, what, unless = ''] = /(ENDS|HOLDS|FAILS) UNLESS (\S+)/.exec(job.source) ?? [];
    if (what === undefined || existsSync(unless)) return compile(job);
    if (what === 'ENDS') process.exit(1);
    if (what === 'FAILS') throw new Error('Too many open files.');
    channel.postMessage('holding');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    return compile(job);
  };
});
