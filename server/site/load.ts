import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { firstPaint } from '../../client/contract/first-paint.ts';
import type { SiteConfig } from '../config/site.ts';
import { realInside } from '../content/confine.ts';
import type { Content } from '../content/content.ts';
import { readSiteData, type SiteData } from '../content/data/site-data.ts';
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
import { inlineStyles } from './inline-styles.ts';
import { readLastUpdated } from './last-updated.ts';
import { pageScript } from './page-script.ts';
import { findPreview } from './preview/find-preview.ts';
import type { SiteSources } from './props/site-sources.ts';
import { render, renderCrash } from './render.ts';
import { createFindPage } from './routes.ts';
import { readyIndex } from './search/ready-index.ts';
import { SearchIndex } from './search/search-index.ts';
import type { Rendered, SiteServices } from './services.ts';
import { sourceHash } from './source-hash.ts';
import { listUrls } from './urls.ts';

const root = join(import.meta.dirname, '../..');
const builtInDir = join(root, 'content');
const clientDir = join(root, 'dist/client');

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
  // Built ahead, so no visitor waits for it; in development it would delay showing an edit.
  let search = withVite ? undefined : indexed(content);
  const searchIndex = (): Promise<SearchIndex> => {
    search ??= indexed(content);
    return readyIndex(search);
  };

  function indexed(made: Content): Promise<SearchIndex> {
    const building = loader.whole(() => SearchIndex.build(made, () => closed || content !== made));
    building.catch((error: unknown) => log.error({ err: error }, 'the search index could not be built'));
    return building;
  }

  const staticDirs = [
    realInside(config.contentDir, join(config.contentDir, 'static')),
    join(builtInDir, 'static'),
  ].filter((folder) => folder !== undefined);

  function pagesOf(made: Content) {
    const sources: SiteSources = { content: made, data, history, search: searchIndex };
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
    search = undefined;
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
      const sources = { content, data, site: pages.site, urls: pages.urls, search: searchIndex };
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
      return loader.close();
    },
  };
}

async function importBuiltPages(): Promise<void> {
  const entry = join(root, 'dist/server/entry.mjs');
  if (!existsSync(entry))
    throw new Error('The pages are not built: run `npm run build` first, or start with `npm start`.');
  await import('../../dist/server/entry.mjs');
}

/** Vite changes scripts and style sheets while it serves them; built ones have their hash in their name. */
function pageRenderers(withVite: boolean): Pick<SiteServices, 'render' | 'renderCrash'> {
  if (withVite) return { render, renderCrash };
  const withScript = pageScript(clientDir);
  const withStyles = inlineStyles(clientDir);
  const finished = ({ status, html }: Rendered, waits: boolean) => ({ status, html: withScript(html, waits) });
  return {
    // The console is drawn by its script: there the first paint is not worth waiting for.
    render: async (page, site) => withStyles(finished(await render(page, site), page.folder !== 'console')),
    renderCrash: async (site, id) => finished(await renderCrash(site, id), true),
  };
}

/** Version of what the browser loads: the names of all built files contain their content hashes. */
function builtVersion(): string {
  const files = readFileSync(join(root, 'dist/assets.json'));
  return createHash('sha256').update(files).digest('hex').slice(0, 8);
}

/** The site's data without answers about features that are not set up. */
function offered(data: SiteData, { capabilities }: SiteConfig): SiteData {
  const way = capabilities.card ? 'card' : 'transfer';
  const questions = data.pricing.questions.filter(({ when }) => when === undefined || when === way);
  return { ...data, pricing: { ...data.pricing, questions } };
}

function siteOf(config: SiteConfig, data: SiteData, build: string, icon: string): SiteServices['site'] {
  return {
    brand: data.brand,
    icon,
    navigation: data.navigation,
    ...(data.announcement && { announcement: data.announcement }),
    closing: data.texts.closing,
    publicUrl: config.publicUrl,
    cloudAppUrl: config.cloudAppUrl,
    deploySite: config.deploySite,
    capabilities: config.capabilities,
    plainPassword: config.allowPlainPassword,
    dataLayer: config.dataLayer,
    build,
  };
}

function report(log: Log, faults: readonly Fault[], strict: boolean): void {
  if (faults.length === 0) return;
  if (strict) throw new Error(`The content has faults, and STRICT_CONTENT is on:\n${reportFaults(faults)}`);
  for (const fault of faults) warnOf(log, fault);
}
