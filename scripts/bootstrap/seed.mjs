import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { hashOf, read } from './files.mjs';
import { runNode } from './node.mjs';
import { inRoot } from './root.mjs';
import { giveUp, say } from './say.mjs';

const seedFile = inRoot('dist', 'content-cache.sqlite');
const stampFile = inRoot('dist', '.seed-sources');

/**
 * Compiles our own content into dist/content-cache.sqlite if it or the compiler changed since the last time. A start on
 * an empty DATA_DIR reads that file instead of compiling.
 * @param {boolean} always compiles in any case
 */
export async function ensureSeeded(always = false) {
  const wanted = hashOf(['content', 'server/content', 'scripts/seed-content.ts', 'package-lock.json']);
  if (!always && existsSync(seedFile) && read(stampFile) === wanted) return;
  say('Compiling content into dist/content-cache.sqlite …');
  rmSync(stampFile, { force: true });
  const { code, signal } = await runNode(['scripts/seed-content.ts']);
  if (code !== 0) giveUp(`The content could not be compiled${signal ? ` (${signal})` : ': the message is above'}.`);
  writeFileSync(stampFile, wanted);
}
