/** Content from markdown: read, compile or take from the cache, index, freeze. */
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { isAbsolute, join, relative, sep } from 'node:path';
import type { Author, Tag } from '../../client/contract/reading.ts';
import type { Brand } from '../../client/contract/site.ts';
import { openCache } from './cache.ts';
import { type CompilePool, createCompilePool } from './compile-pool.ts';
import type { Content } from './content.ts';
import { contentOf } from './content-of.ts';
import type { WrittenAddress } from './data/written-addresses.ts';
import { createAssets } from './index/assets.ts';
import { buildIndex } from './index/build-index.ts';
import { createLinkCheck } from './index/link-check.ts';
import type { LoadedPage } from './index/pages.ts';
import { unpackFacts } from './packed-page.ts';
import { brokenPage } from './page-facts.ts';
import { pipelineVersion } from './pipeline-version.ts';
import { findSources, isFile, kindOf, type SourceFile } from './sources.ts';

export interface LoaderOptions {
  contentDir: string;
  builtInDir: string;
  dataDir: string;
  /** A cache made before, e.g. with the image; it is only read. */
  seedCacheFile?: string;
  brand: Brand;
  authors: ReadonlyMap<string, Author>;
  tags: ReadonlyMap<string, Tag>;
  /** Addresses that links may lead to and that are not made from markdown. */
  siteAddresses: ReadonlySet<string>;
  /** Old address → new one. */
  redirects: ReadonlyMap<string, string>;
  /** Addresses in data files, to be checked against what there is. */
  written: readonly WrittenAddress[];
  /** Ids that `connection:` may name. */
  catalogueIds: ReadonlySet<string>;
  /** Drafts are served when false; the compile threads then stay for the next reload. */
  production: boolean;
  now: Date;
  threads?: number;
}

export interface ContentLoader {
  load(): Promise<Content>;
  /** Compiles what changed; paths are absolute or below the content folder. */
  reload(changedFiles: readonly string[]): Promise<Content>;
  close(): Promise<void>;
  /** Why the next start will have to compile again. */
  warning?: string;
}

interface ReadSource extends SourceFile {
  key: string;
  source: string;
  changed: string;
}

/** Creates the loader of one content folder. */
export function createContentLoader(options: LoaderOptions): ContentLoader {
  const cache = openCache(options.dataDir, options.seedCacheFile);
  const salt = hash(pipelineVersion(), JSON.stringify(options.brand));
  const pages = new Map<string, LoadedPage>();
  const settings = new Map<string, string>();
  const assets = createAssets(options.contentDir, cache);
  const builtInAssets = createAssets(options.builtInDir, cache);
  const check = createLinkCheck();
  let pool: CompilePool | undefined;

  async function take(sources: SourceFile[]): Promise<number> {
    const missing: ReadSource[] = [];
    for (const source of sources) {
      try {
        const read = readSource(source, salt);
        const facts = cache.facts(read.key);
        if (facts === undefined) missing.push(read);
        else pages.set(source.file, { ...withoutText(read), facts: unpackFacts(facts) });
      } catch (error) {
        pages.set(source.file, unreadable(source, error));
      }
    }
    if (missing.length > 0) await compile(missing);
    return missing.length;
  }

  async function compile(missing: ReadSource[]): Promise<void> {
    pool ??= createCompilePool({
      brand: options.brand,
      threads: options.threads ?? Math.min(2, availableParallelism()),
    });
    const done: [string, { facts: string; body: Uint8Array }][] = [];
    await pool.run(missing, (index, page) => {
      const read = missing[index];
      if (!read) return;
      pages.set(read.file, { ...withoutText(read), facts: unpackFacts(page.facts) });
      done.push([read.key, page]);
      if (done.length >= 64) cache.put(done.splice(0));
    });
    cache.put(done);
    if (options.production) {
      await pool.close();
      pool = undefined;
    }
  }

  /** Answers with the source when there is something to compile. */
  function takeChange(file: string): SourceFile | undefined {
    const kind = kindOf(file);
    const path = join(options.contentDir, file);
    if (!kind) for (const memory of [assets, builtInAssets, check]) memory.forget();
    if (!kind || !isFile(path)) forgetAtOrBelow(file);
    else if (kind === 'setting') settings.set(file, path);
    else return { file, path, kind, builtIn: false };
    return undefined;
  }

  function forgetAtOrBelow(place: string): void {
    for (const known of [pages, settings])
      for (const file of known.keys()) if (file === place || file.startsWith(`${place}/`)) known.delete(file);
  }

  function index(started: number, compiled: number): Content {
    const today = options.now.toISOString().slice(0, 10);
    const made = buildIndex({ ...options, pages: pages.values(), settings, assets, builtInAssets, check, today });
    const stats = {
      pages: pages.size,
      compiled,
      cached: pages.size - compiled,
      ms: Math.round(performance.now() - started),
    };
    return contentOf(made, { cache, brand: options.brand, salt, stats });
  }

  return {
    ...(cache.warning && { warning: cache.warning }),
    async load() {
      const started = performance.now();
      const sources = findSources(options.contentDir, options.builtInDir);
      pages.clear();
      settings.clear();
      for (const [file, path] of sources.settings) settings.set(file, path);
      const compiled = await take(sources.pages);
      cache.keep([...pages.values()].map((page) => page.key));
      return index(started, compiled);
    },
    async reload(changedFiles) {
      const started = performance.now();
      const changed = changedFiles.map((path) => belowRoot(options.contentDir, path));
      const sources = changed.flatMap((file) => takeChange(file) ?? []);
      return index(started, await take(sources));
    },
    async close() {
      await pool?.close();
      cache.close();
    },
  };
}

function readSource(file: SourceFile, salt: string): ReadSource {
  const source = readFileSync(file.path, 'utf8');
  const changed = file.kind === 'post' ? statSync(file.path).mtime.toISOString().slice(0, 10) : '';
  return { ...file, source, changed, key: hash(salt, file.kind, file.file.endsWith('.mdx') ? 'mdx' : 'md', source) };
}

function unreadable(file: SourceFile, error: unknown): LoadedPage {
  const reason = error instanceof Error ? error.message : String(error);
  const broken = [`The file ${file.file} could not be read: ${reason}`];
  return { ...file, key: hash(reason), changed: '1970-01-01', facts: { ...brokenPage(broken).facts, broken } };
}

function withoutText({ source: _, ...read }: ReadSource): Omit<LoadedPage, 'facts'> {
  return read;
}

function hash(...parts: string[]): string {
  const made = createHash('sha256');
  for (const part of parts) made.update(part).update('\0');
  return made.digest('base64url').slice(0, 24);
}

function belowRoot(root: string, path: string): string {
  return (isAbsolute(path) ? relative(root, path) : path).split(sep).join('/');
}
