import { copyFileSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, parse, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pino from 'pino';
import { readSiteConfig } from '../server/config/site.ts';
import { loadSite } from '../server/site/load.ts';

// Second half of `npm run build`: compiles our own content for every brand into the file that a start on an empty
// DATA_DIR reads (so a container's first start compiles nothing).
const root = resolve(import.meta.dirname, '..');
const seed = join(root, 'dist/content-cache.sqlite');
const brands = readdirSync(join(root, 'content/brand')).filter((name) => name.endsWith('.yml'));
const folder = mkdtempSync(join(tmpdir(), 'millrace-seed-'));

// The loader would take pages from an older seed instead of writing them into the new one.
rmSync(seed, { force: true });
try {
  for (const brand of brands.map((file) => parse(file).name)) {
    const config = readSiteConfig({
      DATA_DIR: folder,
      SITE_BRAND: brand,
      CONTENT_DIR: join(root, 'content'),
      ...(process.env.STRICT_CONTENT && { STRICT_CONTENT: process.env.STRICT_CONTENT }),
    });
    const site = await loadSite(config, pino({ level: 'silent' }), false);
    const { pages, compiled, ms } = site.content().stats;
    console.log(`› ${brand}: ${pages} pages, ${compiled} compiled in ${(ms / 1000).toFixed(1)} s`);
    await site.close();
  }
  // One plain file without the write-ahead log, so that it can be read from a read-only folder.
  const file = join(folder, 'content-cache.sqlite');
  const database = new DatabaseSync(file);
  database.exec('PRAGMA journal_mode=DELETE; VACUUM;');
  database.close();
  const part = `${seed}.part`;
  copyFileSync(file, part);
  renameSync(part, seed);
} catch (error) {
  console.error(error);
  // Vike handles errors that nothing catches: the exit code would be 0.
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
