import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const root = join(import.meta.dirname, '../..');

/**
 * SHA-256 over the lock file and everything in server/engine, tests too: what the evidence is about. From the files
 * themselves, so that a source archive without git has it as well; a checkout on Windows has the same.
 */
export function codeHash(): string {
  const hash = createHash('sha256');
  const engine = readdirSync(join(root, 'server/engine'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
  for (const file of ['package-lock.json', ...engine.toSorted()]) {
    hash.update(`/${file}\0${readFileSync(join(root, file), 'utf8').replaceAll('\r\n', '\n')}\0`);
  }
  return hash.digest('hex');
}
