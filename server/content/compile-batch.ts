import { availableParallelism } from 'node:os';
import type { Brand } from '../../client/contract/site.ts';
import { errorMessage } from '../error-message.ts';
import type { ContentCache } from './cache/content-cache.ts';
import { type CompilePool, createCompilePool } from './compile-pool.ts';
import type { ContentLog } from './content-log.ts';
import type { LoadedPage } from './index/pages.ts';
import { type PackedPage, unpackFacts } from './packed-page.ts';
import { failedPage, type ReadSource, withoutText } from './read-source.ts';
import type { CompiledJob } from './worker-messages.ts';

export interface CompileBatchOptions {
  brand: Brand;
  log: ContentLog;
  /** Default: two, or one on a single processor. */
  threads?: number;
  /** Keep threads for the next batch. */
  keepThreads: boolean;
  /** How often a long batch logs its progress. */
  progressMs?: number;
  /** The thread's script; tests pass one that fails. */
  workerFile?: URL;
}

/** Compiles the pages that are missing from the cache, and stores them. */
export interface CompileBatch {
  /** Calls `done` for each source. One batch at a time. */
  run(sources: readonly ReadSource[], done: (page: LoadedPage) => void): Promise<void>;
  /** Pages that are underway are reported as not compiled. */
  close(): Promise<void>;
}

// At most this many pages are lost when the process is killed during a start.
const storedAtOnce = 64;

/** Creates a loader's compiler. */
export function createCompileBatch(cache: ContentCache, options: CompileBatchOptions): CompileBatch {
  let pool: CompilePool | undefined;

  async function release(): Promise<void> {
    const used = pool;
    pool = undefined;
    await used?.close();
  }

  return {
    async run(sources, done) {
      if (sources.length === 0) return;
      pool ??= createCompilePool({
        brand: options.brand,
        threads: options.threads ?? Math.min(2, availableParallelism()),
        ...(options.workerFile && { workerFile: options.workerFile }),
      });
      const store: [string, PackedPage][] = [];
      let compiled = 0;
      const progress = setInterval(
        () => options.log.info({ compiled, of: sources.length }, 'compiling content'),
        options.progressMs ?? 5_000,
      );
      try {
        await pool.run(sources, (index, made) => {
          const source = sources[index];
          if (!source) return;
          compiled += 1;
          const page = loaded(source, made);
          done(page);
          if ('page' in made && !page.transient) store.push([source.key, made.page]);
          if (store.length >= storedAtOnce) cache.put(store.splice(0));
        });
        if (store.length > 0) cache.put(store);
      } finally {
        clearInterval(progress);
        if (!options.keepThreads) await release();
      }
    },
    close: release,
  };
}

function loaded(source: ReadSource, made: CompiledJob): LoadedPage {
  const read = withoutText(source);
  if ('failed' in made) return failedPage(read, made.failed);
  try {
    return { ...read, facts: unpackFacts(made.page.facts) };
  } catch (error) {
    return failedPage(read, errorMessage(error));
  }
}
