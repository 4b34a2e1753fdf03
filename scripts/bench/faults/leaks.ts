import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RemadeSite } from '../../../server/testing/remade-site.ts';
import { answerKinds, requestKinds } from '../../../server/testing/request-kinds.ts';
import { startUpstream } from '../../../server/testing/upstream.ts';
import { type Attack, atMost } from './attack.ts';

/** How often the test's requests are repeated: 10,000 calls. */
const times = 20;
/** Above the random remainder after garbage collections. */
const mostKilobytes = 1_000;

/** What each request leaves in memory after a forced collection. */
export const leaks: Attack = {
  name: 'leaks',
  async run() {
    const dataDir = await mkdtemp(join(tmpdir(), 'millrace-leaks-'));
    const upstream = await startUpstream(answerKinds);
    const site = await RemadeSite.start({ API_BASE_URL: upstream.url, DATA_DIR: dataDir });
    const findings = [];
    try {
      for (const { name, count, shot } of requestKinds) {
        await site.fire(count * 4, shot);
        const before = await site.bytes();
        await site.fire(count * times, shot);
        const kilobytes = Math.round(((await site.bytes()) - before) / 1_000);
        findings.push(atMost(`${count * times} ${name}`, 'kB left of all', kilobytes, mostKilobytes));
      }
    } finally {
      await site.stop();
      await upstream.close();
      await rm(dataDir, { recursive: true, force: true });
    }
    return findings;
  },
};
