import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';
import { type ContentLoader, createContentLoader, type LoaderOptions } from '../content/loader.ts';
import { quiet } from './content-log.ts';
import { testBrand } from './markdown-trees.ts';

/** What the loader's tests share: a folder with invented files, and a loader for it. */

/** A folder for one test file's tests; it is removed when they are done. */
export function testFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `${name}-`));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes files by their path below a folder. */
export function writeFiles(root: string, files: Record<string, string>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
}

/** A loader for `folder/name` with its data in `folder/name-data`, on 1 June 2024. */
export function testLoader(folder: string, name: string, more: Partial<LoaderOptions> = {}): ContentLoader {
  return createContentLoader({
    contentDir: join(folder, name),
    builtInDir: join(folder, 'builtin'),
    dataDir: join(folder, `${name}-data`),
    brand: testBrand,
    authors: new Map([['desk', { name: 'desk', label: 'Desk', title: '', description: '' }]]),
    tags: new Map([['t', { id: 't', label: 'T', description: '' }]]),
    siteAddresses: new Set(['/pricing']),
    redirects: new Map(),
    written: [],
    catalogueIds: new Set(['sql']),
    prints: new Map(),
    production: true,
    now: new Date('2024-06-01'),
    threads: 1,
    log: quiet,
    ...more,
  });
}
