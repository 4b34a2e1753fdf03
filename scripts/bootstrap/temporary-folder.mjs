import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const inMemory = '/dev/shm';
/** Bytes that all tests together may use at once: 9.4 GiB were measured, mostly databases. */
const room = 10 * 2 ** 30;
/** Bytes of memory that are left for the programs they start. */
const left = 6 * 2 ** 30;

/**
 * Creates a folder for everything that tests write: over a thousand databases and browser profiles, which are slow on
 * disk. It is in memory if there is enough and TMPDIR is not set.
 */
export function makeTemporaryFolder() {
  removeAbandoned();
  const place = process.env.TMPDIR || !hasRoom() ? tmpdir() : inMemory;
  const folder = mkdtempSync(join(place, `millrace-test-${process.pid}-`));
  // PostgreSQL runs as a separate user.
  chmodSync(folder, 0o1777);
  return folder;
}

function hasRoom() {
  if (!existsSync(inMemory)) return false;
  const { bavail, bsize } = statfsSync(inMemory);
  // Node.js 20 may not have it yet.
  const available = process.availableMemory?.() ?? 0;
  return bavail * bsize >= room && available >= room + left;
}

/** A killed test run leaves gigabytes in memory. */
function removeAbandoned() {
  if (!existsSync(inMemory)) return;
  for (const name of readdirSync(inMemory)) {
    const [, pid] = /^millrace-test-(\d+)-/.exec(name) ?? [];
    if (pid && !existsSync(join('/proc', pid))) rmSync(join(inMemory, name), { recursive: true, force: true });
  }
}
