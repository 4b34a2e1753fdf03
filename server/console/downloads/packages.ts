import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { LRUCache } from 'lru-cache';
import type { Log } from '../../log.ts';
import type { ConsoleServices } from '../services.ts';

/** A package that can be downloaded. */
export interface Package {
  /** File name without its extension, as calls use it: `millrace-0.2.0-docker-x64`. */
  productType: string;
  file: string;
  /** Absolute path. */
  path: string;
  product: string;
  version: string;
  deployType: string;
  cpuArch: string;
}

const named =
  /^([a-z][a-z0-9]*)-(\d+\.\d+\.\d+(?:-[a-z0-9.]+)?)-(docker|binary|helm|source)-(x64|arm64|any)(\.[a-z0-9.]{1,12})$/;
const deployNames: Record<string, string> = {
  docker: 'Docker',
  binary: 'Binary',
  helm: 'Helm chart',
  source: 'Source',
};
const archNames: Record<string, string> = { x64: 'x86-64', arm64: 'ARM64', any: 'Any' };

export const deployName = (type: string) => deployNames[type] ?? type;
export const archName = (arch: string) => archNames[arch] ?? arch;

/** Files whose names do not fit the pattern; each is logged once. */
const told = new Set<string>();
const mostTold = 200;

function tell(log: Log, path: string): void {
  if (told.has(path) || told.size >= mostTold) return;
  told.add(path);
  log.warn(
    { path },
    'a file is not offered for download: its name is not <product>-<version>-<docker|binary|helm|source>-<x64|arm64|any> with an extension',
  );
}

async function packagesIn(folder: string, log: Log): Promise<Package[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    // Without the folder nothing is offered from it.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  });
  return names.flatMap((file) => {
    const [, product = '', version = '', deployType = '', cpuArch = '', ending = ''] = named.exec(file) ?? [];
    if (product === '') {
      if (!file.startsWith('.')) tell(log, join(folder, file));
      return [];
    }
    const productType = file.slice(0, -ending.length);
    return [{ productType, file, path: join(folder, file), product, version, deployType, cpuArch }];
  });
}

/**
 * The packages on offer: files `<product>-<version>-<docker|binary|helm|source>-<x64|arm64|any>.<ending>` that the
 * operator put into `DATA_DIR/downloads`; if there are none, the source of this version, which the build created.
 */
export async function listPackages({
  config,
  builtDownloads,
  log,
}: Pick<ConsoleServices, 'config' | 'builtDownloads' | 'log'>): Promise<Package[]> {
  const own = await packagesIn(join(config.dataDir, 'downloads'), log);
  const found = own.length > 0 ? own : await packagesIn(builtDownloads, log);
  return found.sort(
    (a, b) =>
      b.version.localeCompare(a.version, 'en', { numeric: true }) || a.productType.localeCompare(b.productType, 'en'),
  );
}

const sums = new LRUCache<string, string>({ max: 200 });

/** SHA-256 of a file in hex, computed once for each state of the file. */
export async function sha256Of(path: string): Promise<string> {
  const { size, mtimeMs } = await stat(path);
  const key = `${path} ${size} ${mtimeMs}`;
  const known = sums.get(key);
  if (known) return known;
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  const sum = hash.digest('hex');
  sums.set(key, sum);
  return sum;
}
