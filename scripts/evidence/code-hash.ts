import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/**
 * SHA-256 over the lock file and everything in server/engine, tests too: what the evidence is about. From the files
 * themselves, so that a source archive without git has it as well.
 */
export function codeHash(): string {
  const hash = createHash('sha256');
  const engine = readdirSync(join(root, 'server/engine'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  for (const file of [join(root, 'package-lock.json'), ...engine.toSorted()]) {
    // A checkout on Windows has other line ends.
    hash.update(file.slice(root.length).replaceAll('\\', '/'), 'utf8');
    hash.update(`\0${readFileSync(file, 'utf8').replaceAll('\r\n', '\n')}\0`);
  }
  return hash.digest('hex');
}
