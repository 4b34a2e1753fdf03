import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { makeFolder } from '../../make-folder.ts';
import type { ContentLog } from '../content-log.ts';
import { type PackedPage, unpackBody, unpackFacts } from '../packed-page.ts';
import type { Body } from '../page-facts.ts';
import type { StoredFacts } from '../page-schema.ts';
import { openPageStore, type PageStore } from './page-store.ts';
import { isBusy, isDamage, reasonOf } from './sqlite-errors.ts';

export interface ContentCache {
  /** Undefined when the page is missing or differs from what was stored. */
  facts(key: string): StoredFacts | undefined;
  body(key: string): Body | undefined;
  /** True while the row exists and is intact. */
  hasBody(key: string): boolean;
  put(pages: Iterable<readonly [key: string, page: PackedPage]>): void;
  /** Small facts about other files, e.g. a picture's size. */
  note(key: string): string | undefined;
  putNote(key: string, value: string): void;
  /** Marks what is used and forgets what has not been used for 60 days. */
  keep(keys: Iterable<string>): void;
  close(): void;
}

export interface CacheOptions {
  dataDir: string;
  /** A cache built earlier, e.g. with the image; read-only. */
  seedCacheFile?: string;
  now: Date;
  log: ContentLog;
  /** How large the file may grow. */
  maxBytes?: number;
  /** How long to wait for another process that holds the file. */
  busyMs?: number;
}

const keptDays = 60;
const maxFileBytes = 2 * 1024 ** 3;
const maxBusyMs = 5_000;

/**
 * Opens a data folder's cache: compiled pages and small notes, keyed by the hash of their inputs. It answers whatever
 * happens to its files: damaged rows count as missing, and what cannot be written is kept in memory. Each kind of
 * trouble is logged once.
 */
export function openCache(options: CacheOptions): ContentCache {
  const { dataDir, seedCacheFile, now, log, maxBytes = maxFileBytes, busyMs = maxBusyMs } = options;
  const path = join(dataDir, 'content-cache.sqlite');
  const today = Math.floor(now.getTime() / 86_400_000);
  const told = new Set<string>();
  let renewed = false;
  let writable = true;
  let memory: PageStore | undefined;
  let file = openFile();
  let seed = openSeed();

  function tell(kind: string, details: object, message: string): void {
    if (told.has(kind)) return;
    told.add(kind);
    log.warn(details, message);
  }

  function openFile(): PageStore | undefined {
    try {
      makeFolder(dataDir);
      return openPageStore(path, { today, maxBytes, busyMs });
    } catch (error) {
      return existsSync(path) && !isBusy(error) ? renew(error) : inMemoryFrom(error);
    }
  }

  /**
   * Moves the file aside for an operator to inspect and starts a new one; after a second fault in the same run, memory
   * is used.
   */
  function renew(error: unknown): PageStore | undefined {
    if (renewed) return inMemoryFrom(error);
    renewed = true;
    const aside = join(dirname(path), 'content-cache.damaged.sqlite');
    try {
      renameSync(path, aside);
      for (const ending of ['-journal', '-wal', '-shm']) rmSync(path + ending, { force: true });
      const made = openPageStore(path, { today, maxBytes, busyMs });
      const message = `The compiled-content cache could not be used (${reasonOf(error)}). It was moved to ${aside} and pages are being recompiled; no action is needed.`;
      tell('renewed', { file: path }, message);
      return made;
    } catch (cause) {
      return inMemoryFrom(cause);
    }
  }

  function inMemoryFrom(error: unknown): undefined {
    writable = false;
    memory ??= openPageStore(':memory:', { today });
    const message = `Compiled content is kept in memory only, because ${path} cannot be written: ${reasonOf(error)}. The next start recompiles what is missing.`;
    tell('memory', { file: path }, message);
  }

  function openSeed(): PageStore | undefined {
    if (!seedCacheFile || !existsSync(seedCacheFile)) return undefined;
    // The image's layer may be read-only, and then SQLite cannot make its lock files.
    const address = pathToFileURL(seedCacheFile);
    address.search = '?immutable=1';
    try {
      return openPageStore(address, { today, readOnly: true });
    } catch (error) {
      return withoutSeed(error);
    }
  }

  function withoutSeed(error: unknown): undefined {
    const message = `The compiled content shipped with the build, ${seedCacheFile}, cannot be read (${reasonOf(error)}): pages are recompiled. \`npm run build\` recreates it.`;
    tell('seed', { file: seedCacheFile }, message);
  }

  /** The first intact answer. */
  function read<R, T>(get: (store: PageStore) => R | undefined, parse: (raw: R) => T): T | undefined {
    for (const store of [memory, file, seed]) {
      try {
        const raw = store && get(store);
        if (raw !== undefined) return parse(raw);
      } catch (error) {
        lose(store, error);
      }
    }
    return undefined;
  }

  function lose(store: PageStore | undefined, error: unknown): void {
    if (isBusy(error)) return;
    if (!isDamage(error)) {
      tell('row', {}, 'A row in the compiled-content cache is damaged; the content of damaged rows is recreated.');
    } else if (store === seed) {
      seed?.close();
      seed = withoutSeed(error);
    } else if (store === file) {
      file?.close();
      file = renew(error);
    }
  }

  function write(change: (store: PageStore) => void): void {
    while (file && writable) {
      try {
        change(file);
        return;
      } catch (error) {
        // A new file is tried once; from the second fault on, everything goes to memory.
        if (isDamage(error)) lose(file, error);
        else inMemoryFrom(error);
      }
    }
    if (memory) change(memory);
  }

  return {
    facts: (key) => read((store) => store.facts(key), unpackFacts),
    body: (key) => read((store) => store.body(key), unpackBody),
    hasBody: (key) => read((store) => store.body(key), Boolean) ?? false,
    put(pages) {
      // A second try must see all of them again.
      const whole = [...pages];
      write((store) => store.put(whole));
    },
    note: (key) => read((store) => store.note(key), String),
    putNote: (key, value) => write((store) => store.putNote(key, value)),
    keep: (keys) => write((store) => store.keep(keys, keptDays)),
    close() {
      for (const store of [memory, file, seed]) store?.close();
    },
  };
}
