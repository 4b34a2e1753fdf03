import { createServer } from 'node:http';
import { join, relative, resolve } from 'node:path';
import { createDevMiddleware } from 'vike/server';
import { startBackend } from '../../server/backend/start.ts';
import { readConsoleConfig } from '../../server/config/console.ts';
import { readSiteConfig } from '../../server/config/site.ts';
import { listen } from '../../server/http/listen.ts';
import { openLog } from '../../server/log.ts';
import { createApp } from '../../server/site/app.ts';
import { loadSite } from '../../server/site/load.ts';
import { cannotStart } from './cannot-start.ts';
import { cssInPlace } from './css-in-place.ts';
import { gather } from './gather.ts';
import { type Change, watchTree } from './watch-tree.ts';

// The development server: Vite updates pages and client in the browser; saved content is compiled file by file before
// the open page reloads.
const root = resolve(import.meta.dirname, '../..');
const settings = readSiteConfig(process.env);
const { log, close } = openLog(settings.logLevel, process.stdout.isTTY);
const backend = settings.embeddedBackend
  ? await startBackend(readConsoleConfig(process.env), log, 'debug').catch(refuse)
  : undefined;
const config = { ...settings, ...(backend && { apiBaseUrl: backend.url }) };

const server = createServer((req, res) => app.listener(req, res));
const { devMiddleware, viteServer: vite } = await createDevMiddleware({
  root,
  // The web socket shares the server's port, so that several checkouts can run side by side.
  viteConfig: { plugins: [cssInPlace()], server: { hmr: { server } } },
});
// Before the content is read, so what is saved meanwhile is not missed.
const tree = watchTree(config.contentDir);
let site = await loadSite(config, log, true);
let app = appOf(site);

function appOf(loaded: typeof site) {
  return createApp({ ...loaded, config, log, devMiddleware });
}

/** Files that are compiled one by one, and the pictures beside them; the blog's data files are read with the others. */
const oneByOne = /^docs\/|^(?:blog|pages)\/.*(?<!\.yml)$/;

let changedAt = 0;
vite.ws.on('millrace:opened', ({ at }: { at: number }, client) => {
  if (changedAt > at) client.send('millrace:refresh');
});

/** The open page updates its main part; bar, footer and head need a full reload. */
function show(whole: boolean): void {
  changedAt = Date.now();
  vite.ws.send(whole ? { type: 'full-reload' } : { type: 'custom', event: 'millrace:refresh' });
}

/** After a failure it is unknown what the site has taken in. */
let failed = false;

/** Data shared by all pages (navigation, prices, brand), the pages' texts and links need a complete reload. */
async function reload(changed: readonly Change[]): Promise<void> {
  const isText = !failed && changed.every(({ file, isLink }) => oneByOne.test(file) && !isLink);
  failed = true;
  if (isText) await site.reload(changed.map(({ file }) => file));
  else {
    const next = await loadSite(config, log, true);
    await site.close();
    site = next;
  }
  failed = false;
  app = appOf(site);
  show(!isText);
}

/** Editors write a file in several steps, and a branch switch writes many files: they are handled together. */
const saved = gather<true>(60, async () => {
  const started = performance.now();
  const changed = tree.changes();
  if (changed.length === 0) return;
  try {
    await reload(changed);
    const files = changed.map(({ file }) => relative(root, join(config.contentDir, file)));
    log.info({ files, ms: Math.round(performance.now() - started) }, 'content reloaded');
  } catch (error) {
    log.error({ err: error }, 'The content could not be reloaded; the last good one stays.');
  }
});
tree.onTouch(() => saved(true));
saved(true);

await listen(server, config).catch(refuse);
log.info(`Development server: http://localhost:${config.port}`);

/** A refusal by the system, such as a port in use, is one sentence; other errors are for the developer. */
function refuse(error: unknown): never {
  if (!(error instanceof Error && error.cause instanceof Error && 'syscall' in error.cause)) throw error;
  console.error(error.message);
  process.exit(cannotStart);
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, async () => {
    // Otherwise the closing server answers an open page that asks whether the server is back.
    server.close();
    server.closeAllConnections();
    tree.close();
    await Promise.allSettled([vite.close(), site.close(), backend?.stop()]);
    await close();
    process.exit();
  });
}
