import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { removeDataDir } from '../../../server/testing/remove-data-dir.ts';
import { newAccount } from '../../e2e/console/account.ts';
import { fillJobs } from '../../e2e/console/filled-jobs.ts';
import { startSite } from '../../e2e/site.ts';
import { type Attack, atMost, exactly } from './attack.ts';
import { newcomers, percentile } from './newcomers.ts';

const jobs = 200;
/** By then the first jobs retry. */
const watchedMs = 60_000;

/** A server that starts with many jobs, each of which needs a process. */
export const manyJobs: Attack = {
  name: 'many-jobs',
  async run() {
    const dataDir = await mkdtemp(join(tmpdir(), 'millrace-many-jobs-'));
    const options = { dataDir, env: { ALLOW_PLAIN_PASSWORD: 'on' }, silent: true };
    try {
      const before = await startSite(options);
      try {
        await fillJobs(before, await newAccount(before, 'ada@site.example'), { jobs, tables: 20, status: 'RUNNING' });
      } finally {
        await before.stop();
      }
      const site = await startSite(options);
      try {
        const health = await newcomers(Number(new URL(site.url).port), '/healthz', 50, pause(watchedMs));
        return [
          atMost(`a start with ${jobs} jobs`, 'health: p99 ms', percentile(health.accepted, 0.99), 100),
          atMost(`a start with ${jobs} jobs`, 'health: longest ms', percentile(health.accepted, 1), 1_000),
          exactly(`a start with ${jobs} jobs`, 'health without answer', health.unanswered, 0),
        ];
      } finally {
        await site.stop();
      }
    } finally {
      await removeDataDir(dataDir);
    }
  },
};
