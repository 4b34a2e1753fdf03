import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { readSiteData } from '../../server/content/data/site-data.ts';
import { createContentLoader } from '../../server/content/loader.ts';
import { contentOptions } from '../../server/site/content-options.ts';
import { startSite } from '../e2e/site.ts';
import { copyContent, countPages } from './copied-content.ts';
import { type Row, record, round } from './record.ts';

// The server's time and memory until every page is ready, with nothing cached and with everything cached, for 270 and
// for 5,000 pages; then one changed page; then one thread against two.
const folder = await mkdtemp(join(tmpdir(), 'millrace-bench-'));
const contentDir = join(folder, 'content');
const rows: Row[] = [];

/** Peak resident memory in MB, if the kernel reports it. */
async function peakMegabytes(pid: number | undefined): Promise<number | '–'> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kilobytes = /VmHWM:\s+(\d+)/.exec(status)?.[1];
  return kilobytes ? Math.round(Number(kilobytes) / 1024) : '–';
}

async function measureStart(what: string, dataDir: string, pages: number): Promise<void> {
  const site = await startSite({ dataDir, env: { CONTENT_DIR: contentDir, STRICT_CONTENT: 'off' }, limitMs: 600_000 });
  const memory = await peakMegabytes(site.process.pid);
  const seconds = site.readyAfterMs / 1000;
  rows.push({ what, pages, seconds: round(seconds, 2), 'pages/s': Math.round(pages / seconds), 'peak MB': memory });
  await site.stop();
}

function loaderOf(dataDir: string, threads: number) {
  return createContentLoader({
    contentDir,
    builtInDir: contentDir,
    dataDir,
    ...contentOptions(readSiteData(contentDir, contentDir, 'millrace')),
    // Threads stay for the next reload, as in development.
    production: false,
    now: new Date(),
    log: pino({ level: 'warn' }),
    threads,
  });
}

/** One saved document, from the second time on: the first waits for the thread to start. */
async function measureReload(pages: number): Promise<void> {
  const loader = loaderOf(join(folder, `data-${pages}`), 1);
  await loader.load();
  const file = join(contentDir, 'docs/intro/product_intro.md');
  const times: number[] = [];
  for (let turn = 0; turn < 6; turn += 1) {
    await appendFile(file, `\nTurn ${turn}.\n`);
    const started = performance.now();
    await loader.reload([file]);
    times.push(performance.now() - started);
  }
  await loader.close();
  const median = times.slice(1).toSorted((a, b) => a - b)[2] ?? Number.NaN;
  rows.push({ what: 'one changed page', pages, seconds: round(median / 1000, 3), 'pages/s': '–', 'peak MB': '–' });
}

async function measureThreads(threads: number, pages: number): Promise<void> {
  const loader = loaderOf(await mkdtemp(join(folder, 'threads-')), threads);
  const started = performance.now();
  await loader.load();
  const seconds = (performance.now() - started) / 1000;
  await loader.close();
  const what = `compile only, ${threads} ${threads === 1 ? 'thread' : 'threads'}`;
  rows.push({ what, pages, seconds: round(seconds, 2), 'pages/s': Math.round(pages / seconds), 'peak MB': '–' });
}

try {
  for (const wanted of [270, 5_000]) {
    await copyContent(contentDir, wanted);
    const pages = await countPages(contentDir);
    const dataDir = join(folder, `data-${wanted}`);
    await measureStart('start, nothing cached', dataDir, pages);
    await measureStart('start, cached', dataDir, pages);
    await measureReload(wanted);
    if (wanted === 270) for (const threads of [1, 2]) await measureThreads(threads, pages);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
await record('start', rows);
