import { statfs } from 'node:fs/promises';
import { arch, cpus, loadavg, networkInterfaces, platform, totalmem } from 'node:os';
import { nextId } from '../ids.ts';
import type { JobServices } from '../services.ts';
import type { WorkerFacts } from '../workers.ts';

const megabyte = 1024 * 1024;
const gigabyte = 1024 * megabyte;

/** Records that a process can run jobs. @param name of its worker */
export async function noteWorker({ database, now, config }: JobServices, name: string): Promise<void> {
  const facts: WorkerFacts = {
    ip: ownAddress(),
    cores: cpus().length,
    // Without a limit this is 0, or larger than the machine.
    totalMemoryMb: Math.round(Math.min(totalmem(), process.constrainedMemory() || totalmem()) / megabyte),
    freeMemoryMb: Math.round(process.availableMemory() / megabyte),
    cpuUseRatio: Math.min(100, Math.round(((loadavg()[0] ?? 0) / Math.max(1, cpus().length)) * 100)),
    ...(await diskOf(config.dataDir)),
    system: `${platform()} ${arch()}`,
  };
  const values = [JSON.stringify(facts), now(), name];
  const known = await database.run('UPDATE job_worker SET facts = $1, seen_at = $2 WHERE name = $3', values);
  if (known > 0) return;
  await database.transaction(async (queries) => {
    await queries.run(
      'INSERT INTO job_worker (id, name, facts, seen_at) VALUES ($1, $2, $3, $4) ON CONFLICT (name) DO NOTHING',
      [await nextId(queries), name, JSON.stringify(facts), now()],
    );
  });
}

/** The disk that a folder is on. */
async function diskOf(folder: string): Promise<Pick<WorkerFacts, 'totalDiskGb' | 'freeDiskGb'>> {
  // The folder is created when something is first stored there.
  const disk = await statfs(folder).catch(() => undefined);
  const gigabytes = (count: number) => Math.round((count * (disk?.bsize ?? 0)) / gigabyte);
  return { totalDiskGb: gigabytes(disk?.blocks ?? 0), freeDiskGb: gigabytes(disk?.bavail ?? 0) };
}

function ownAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return all.find(({ internal, family }) => !internal && family === 'IPv4')?.address ?? '127.0.0.1';
}
