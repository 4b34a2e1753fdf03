import { join } from 'node:path';
import { firstPaint } from '../../client/contract/first-paint.ts';
import type { SiteConfig } from '../config/site.ts';
import { realInside } from '../content/confine.ts';
import type { Content } from '../content/content.ts';
import { readSiteData } from '../content/data/site-data.ts';
import { type Fault, warnOf } from '../content/fault.ts';
import { createContentLoader, type LoaderOptions } from '../content/loader.ts';
import { reportFaults } from '../content/report.ts';
import { requireContent } from '../content/sources.ts';
import type { Log } from '../log.ts';
import { contentOptions } from './content-options.ts';
import { fitShell } from './fit-shell.ts';
import { findGeneratedFile } from './generated/find-generated-file.ts';
import { findSecurityTxt } from './generated/security-txt.ts';
import { iconOf } from './icon.ts';
import { readLastUpdated } from './last-updated.ts';
import { builtVersion, clientDir, importBuiltPages, pageRenderers } from './page-renderers.ts';
import { findPreview } from './preview/find-preview.ts';
import type { SiteSources } from './props/site-sources.ts';
import { createFindPage } from './routes.ts';
import { CurrentIndex } from './search/current-index.ts';
import type { SiteServices } from './services.ts';
import { offered, siteOf } from './shell-data.ts';
import { sourceHash } from './source-hash.ts';
import { listUrls } from './urls.ts';

const root = join(import.meta.dirname, '../..');
const builtInDir = join(root, 'content');

/** The services that come from content and built files, and how to renew them when an author saves. */
export type LoadedSite = Pick<
  SiteServices,
  | 'content'
  | 'contentSince'
  | 'onContentChange'
  | 'site'
  | 'findPage'
  | 'findGeneratedFile'
  | 'render'
  | 'renderCrash'
  | 'clientDir'
  | 'staticDirs'
  | 'scriptHashes'
> & {
  /** Loads changed files of the content folder; faults are logged. */
  reload(changedFiles: readonly string[]): Promise<void>;
  close(): Promise<void>;
};

/**
 * Reads the content and the built pages.
 * @throws with one sentence when there is no content or no build, a brand is unknown, or content is faulty under
 *   STRICT_CONTENT
 * @param threads a compile thread's script; tests pass one that fails
 */
export async function loadSite(
  config: SiteConfig,
  log: Log,
  withVite: boolean,
  threads: Pick<LoaderOptions, 'workerFile'> = {},
): Promise<LoadedSite> {
  requireContent(config.contentDir);
  if (!withVite) await importBuiltPages();
  const read = readSiteData(config.contentDir, builtInDir, config.siteBrand);
  const data = offered(read.data, config);
  const loader = createContentLoader({
    contentDir: config.contentDir,
    builtInDir,
    dataDir: config.dataDir,
    seedCacheFile: join(root, 'dist/content-cache.sqlite'),
    ...contentOptions(read),
    production: !withVite,
    now: new Date(),
    log,
    ...threads,
  });
  let closed = false;
  let content = await loader.load();
  if (config.strictContent) content = (await loader.retry()) ?? content;
  report(log, [...read.faults, ...content.faults], config.strictContent);
  log.info(content.stats, 'content ready');
  const search = new CurrentIndex(content, loader, log);
  // So no visitor waits for it; in development it would delay showing an edit.
  if (!withVite) void search.begin();

  const staticDirs = [
    realInside(config.contentDir, join(config.contentDir, 'static')),
    join(builtInDir, 'static'),
  ].filter((folder) => folder !== undefined);

  function pagesOf(made: Content) {
    const sources: SiteSources = { content: made, data, history, search: () => search.ready() };
    const urls = listUrls(sources);
    const fitting = fitShell(data, made, urls);
    return {
      urls,
      site: siteOf(config, fitting, build, iconOf(data.brand.id, staticDirs)),
      find: createFindPage({ ...sources, data: fitting }, urls),
    };
  }

  // The build knows only our own content's history.
  const ownContent = config.contentDir === builtInDir;
  const updated = ownContent ? readLastUpdated(join(root, 'dist/last-updated.json')) : new Map<string, string>();
  const history = { updated, editUrl: config.editUrl, showFaults: withVite };
  const build = withVite ? 'development' : builtVersion();
  let pages = pagesOf(content);
  let since = Date.now();
  const listeners: (() => void)[] = [];
  // Not awaited: visitors see the pages that are sound, and the failed ones say that they will be tried again.
  loader.retry().then(
    (next) => {
      if (!next || closed) return;
      takeIn(next);
      log.info(next.stats, 'pages that could not be compiled at the start are now available');
    },
    (error: unknown) => log.error({ err: error }, 'the failed pages could not be recompiled'),
  );

  function takeIn(next: Content): void {
    content = next;
    pages = pagesOf(next);
    search.renew(next);
    since = Date.now();
    for (const listener of listeners) listener();
  }

  return {
    content: () => content,
    get site() {
      return pages.site;
    },
    contentSince: () => since,
    onContentChange: (listener) => void listeners.push(listener),
    findPage: (path, query) => loader.whole(() => pages.find(path, query)),
    findGeneratedFile: (path, query) => {
      const sources = { content, data, site: pages.site, urls: pages.urls, search: () => search.ready() };
      return findPreview(path, sources) ?? findSecurityTxt(path, config) ?? findGeneratedFile(path, query, sources);
    },
    ...pageRenderers(withVite),
    clientDir,
    staticDirs,
    scriptHashes: [sourceHash(firstPaint)],
    async reload(changedFiles) {
      const next = await loader.reload(changedFiles);
      takeIn(next);
      report(log, next.faults, false);
    },
    close() {
      closed = true;
      search.stop();
      return loader.close();
    },
  };
}

function report(log: Log, faults: readonly Fault[], strict: boolean): void {
  if (faults.length === 0) return;
  if (strict) throw new Error(`The content has faults, and STRICT_CONTENT is on:\n${reportFaults(faults)}`);
  for (const fault of faults) warnOf(log, fault);
}
