import { chmodSync, existsSync, mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const inMemory = '/dev/shm';
/** Bytes that all tests together may have at once; as much memory is left for what they start. */
const room = 8 * 2 ** 30;

/**
 * Makes a folder for everything that tests write: over a thousand databases and browser profiles, which a slow disk makes
 * wait. It is in memory where there is plenty of it and nobody has set TMPDIR.
 */
export function makeTemporaryFolder() {
  const folder = mkdtempSync(join(process.env.TMPDIR || !hasRoom() ? tmpdir() : inMemory, 'millrace-test-'));
  // PostgreSQL runs as a user of its own.
  chmodSync(folder, 0o1777);
  return folder;
}

function hasRoom() {
  if (!existsSync(inMemory)) return false;
  const { bavail, bsize } = statfsSync(inMemory);
  // Node.js 20 may not know it yet.
  const available = process.availableMemory?.() ?? 0;
  return bavail * bsize >= room && available >= 2 * room;
}
