import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const root = join(import.meta.dirname, '../..');

/**
 * SHA-256 over the lock file and everything in server/engine, including tests: the code that the evidence is about.
 * Computed from the files, so a source archive without git has it too, and a checkout on Windows has the same one.
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
