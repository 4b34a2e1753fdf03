import { isAbsolute, join, relative, sep } from 'node:path';
import type { Author, Tag } from '../../client/contract/reading.ts';
import { type CacheOptions, openCache } from './cache/content-cache.ts';
import { type CompileBatchOptions, createCompileBatch } from './compile-batch.ts';
import { isThere, realPlace } from './confine.ts';
import type { Content } from './content.ts';
import { contentOf } from './content-of.ts';
import type { WrittenAddress } from './data/written-addresses.ts';
import { warnOf } from './fault.ts';
import type { Prints } from './includes/printed.ts';
import { createAssets } from './index/assets.ts';
import { buildIndex } from './index/build-index.ts';
import { createLinkCheck } from './index/link-check.ts';
import type { LoadedPage } from './index/pages.ts';
import { withBodies } from './lost-body.ts';
import { mkdocsFile, readMkdocsConfig } from './mkdocs-config.ts';
import { readOrders } from './order/read-orders.ts';
import { pipelineVersion } from './pipeline-version.ts';
import { createSourceReader, keyOf, type ReadSource, type SourceReader, withoutText } from './read-source.ts';
import { findSources, isFile, isVault, kindOf, roleOf, type SourceFile, whyNoPage } from './sources.ts';

export interface LoaderOptions extends CacheOptions, Omit<CompileBatchOptions, 'keepThreads'> {
  contentDir: string;
  builtInDir: string;
  authors: ReadonlyMap<string, Author>;
  tags: ReadonlyMap<string, Tag>;
  /** Addresses that links may lead to and that do not come from markdown. */
  siteAddresses: ReadonlySet<string>;
  /** Old address → new one. */
  redirects: ReadonlyMap<string, string>;
  /** Addresses in data files, which are checked. */
  written: readonly WrittenAddress[];
  /** Ids that `connection:` may use. */
  catalogueIds: ReadonlySet<string>;
  /** What documents print from code; a page that uses it is compiled again when it changes. */
  prints: Prints;
  /** Drafts are served when false; the compile threads are then kept for the next reload. */
  production: boolean;
}

/** Content from markdown: read, compile or take from the cache, index, freeze. */
export interface ContentLoader {
  load(): Promise<Content>;
  /** Compiles what changed; paths are absolute or below the content folder. */
  reload(changedFiles: readonly string[]): Promise<Content>;
  /** Recompiles the pages for which the compiler failed; undefined when that changed nothing. */
  retry(): Promise<Content | undefined>;
  /** Runs `read`; a text that the cache has lost since the start is recompiled for it. */
  whole<T>(read: () => T | Promise<T>): Promise<T>;
  /** Stops what is underway; the content can no longer be read. */
  close(): Promise<void>;
}

/** Creates the loader of a content folder. */
export function createContentLoader(options: LoaderOptions): ContentLoader {
  const { contentDir, builtInDir, brand, prints, production } = options;
  const cache = openCache(options);
  const batch = createCompileBatch(cache, { ...options, keepThreads: !production });
  const salt = keyOf(pipelineVersion(), JSON.stringify(brand));
  const pages = new Map<string, LoadedPage>();
  const settings = new Map<string, string>();
  const leftOut = new Map<string, string>();
  const gone = new Set<string>();
  const assets = createAssets(contentDir, cache);
  const builtInAssets = createAssets(builtInDir, cache);
  const check = createLinkCheck();
  let last: Promise<unknown> = Promise.resolve();

  /** One after another: they all use the threads and change the pages. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = last.then(work);
    last = turn.catch(() => undefined); // the caller has the error
    return turn;
  }

  /** Caches files that several pages include, so each batch has its own. */
  function sourceReader(): SourceReader {
    const { snippetFolders } = readMkdocsConfig(settings.get(mkdocsFile));
    return createSourceReader({ contentDir, salt, snippetFolders, prints });
  }

  /** Takes pages from the cache or compiles them; returns how many were compiled. */
  async function take(sources: readonly SourceFile[]): Promise<number> {
    const missing: ReadSource[] = [];
    const readSource = sourceReader();
    for (const file of sources) {
      const read = readSource(file);
      const facts = 'source' in read ? cache.facts(read.key) : undefined;
      if (!('source' in read)) pages.set(file.file, read);
      else if (facts === undefined) missing.push(read);
      else pages.set(file.file, { ...withoutText(read), facts });
    }
    await batch.run(missing, (page) => pages.set(page.file, page));
    return missing.length;
  }

  /** Returns the source when there is something to compile. */
  function takeChange(file: string): SourceFile | undefined {
    const place = realPlace(contentDir, join(contentDir, file));
    const kind = 'path' in place ? roleOf(file, place.path) : kindOf(file);
    const reason = whyNoPage(file);
    if (kind && 'problem' in place && isThere(join(contentDir, file))) leftOut.set(file, place.problem);
    else if (reason && isThere(join(contentDir, file))) leftOut.set(file, reason);
    else leftOut.delete(file);
    if (!kind) for (const memory of [assets, builtInAssets, check]) memory.forget();
    forgetAtOrBelow(file);
    if (!kind || 'problem' in place || !isFile(place.path)) return undefined;
    if (kind !== 'setting') return { file, path: place.path, kind, builtIn: false };
    settings.set(file, place.path);
    return undefined;
  }

  /** Pages that include what has changed; pages that changed themselves have been forgotten by then. */
  function includersOf(changed: readonly string[]): SourceFile[] {
    return [...pages.values()].filter(({ includes }) => includes?.some((one) => changed.includes(one)));
  }

  function forgetAtOrBelow(place: string): void {
    for (const known of [pages, settings])
      for (const file of known.keys()) if (file === place || file.startsWith(`${place}/`)) known.delete(file);
  }

  /** Logged once, like what is left out at a start; otherwise every visitor who requests it would log it again. */
  function onGone({ file, facts }: LoadedPage): void {
    if (gone.has(file)) return;
    gone.add(file);
    const message = facts.broken?.join(' ') ?? '';
    warnOf(options.log, { file, line: 1, column: 1, rule: 'broken-page', message });
  }

  async function index(started: number, compiled: number): Promise<Content> {
    const orders = await readOrders(settings);
    const today = options.now.toISOString().slice(0, 10);
    const made = buildIndex({
      ...options,
      pages: pages.values(),
      settings,
      orders,
      isVault: isVault(contentDir),
      leftOut,
      assets,
      builtInAssets,
      check,
      today,
    });
    const stats = {
      pages: pages.size,
      compiled,
      cached: pages.size - compiled,
      leftOut: leftOut.size,
      ms: Math.round(performance.now() - started),
    };
    return contentOf(made, { cache, brand, salt, stats, readSource: (page) => sourceReader()(page), onGone });
  }

  /** Recompiles a page's text, and all other texts that are found to be gone. */
  async function restore(file: string): Promise<void> {
    const lost = [...pages.values()].filter((page) =>
      page.file === file ? cache.body(page.key) === undefined : !page.facts.broken && !cache.hasBody(page.key),
    );
    const readSource = sourceReader();
    const sources = lost.map((page) => ({ page, read: readSource(page) }));
    const same = sources.flatMap(({ page, read }) => ('source' in read && read.key === page.key ? read : []));
    await batch.run(same, () => undefined);
    if (sources.some(({ page }) => page.file === file) && !same.some((read) => read.file === file))
      throw new Error(
        `${file} has changed since the start, and the cache has lost its earlier content: restart the server.`,
      );
  }

  return {
    load: () =>
      inTurn(async () => {
        const started = performance.now();
        const found = findSources(contentDir, builtInDir);
        for (const known of [pages, settings, leftOut]) known.clear();
        for (const [file, path] of found.settings) settings.set(file, path);
        for (const [file, problem] of found.leftOut) leftOut.set(file, problem);
        const compiled = await take(found.pages);
        cache.keep([...pages.values()].map((page) => page.key));
        return index(started, compiled);
      }),
    reload: (changedFiles) =>
      inTurn(async () => {
        const started = performance.now();
        const changed = changedFiles.map((path) => belowRoot(contentDir, path));
        const sources = changed.flatMap((file) => takeChange(file) ?? []);
        return index(started, await take([...sources, ...includersOf(changed)]));
      }),
    retry: () =>
      inTurn(async () => {
        const started = performance.now();
        const failed = [...pages.values()].filter((page) => page.transient);
        const compiled = await take(failed);
        return failed.some(({ file }) => !pages.get(file)?.transient) ? index(started, compiled) : undefined;
      }),
    whole: (read) => withBodies(read, (file) => inTurn(() => restore(file))),
    async close() {
      await batch.close();
      await last;
      cache.close();
    },
  };
}

function belowRoot(root: string, path: string): string {
  return (isAbsolute(path) ? relative(root, path) : path).split(sep).join('/');
}
