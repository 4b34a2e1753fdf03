import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, BrowserContext, Page } from 'playwright';
import { launchChromium } from '../e2e/chromium.ts';
import { startSite } from '../e2e/site.ts';
import { startConsoleStandIn, tokenOf } from '../e2e/upstream.ts';
import { count, kindNames } from './count-bytes.ts';
import { type Row, record, round } from './record.ts';

// The bytes of a first visit over the wire, by kind, as a real Chromium counts them: bodies as sent (brotli), headers
// separately. Everything that loads on its own counts, including what waits until the browser is idle.
const columns = [...kindNames, 'other', 'headers'];
const aimJs = 8;
const aimDocument = 45;
const aimFurther = 15;

const pages = {
  home: '/',
  document: '/docs/intro/product_intro',
  'document with tabs': '/docs/dataMigrationAndSync/datasource_func/PostgreSQL/privs_for_pg',
  post: '/blog/tech_share/mysql_clickhouse_sync',
  pricing: '/pricing',
  login: '/login',
};

function rowOf(name: string, kilobytes: Map<string, number>): Row {
  const all = [...kilobytes.values()].reduce((sum, value) => sum + value, 0);
  return {
    page: name,
    ...Object.fromEntries(columns.map((kind) => [`${kind} kB`, round(kilobytes.get(kind) ?? 0, 1)])),
    'all kB': round(all, 1),
  };
}

async function open(context: BrowserContext, path: string) {
  const page = await context.newPage();
  const counted = count(page);
  const response = await page.goto(path, { waitUntil: 'networkidle' });
  if (response?.status() !== 200) throw new Error(`${path} answered ${response?.status()}.`);
  return { page, counted };
}

/** What each use of a page adds, in sequence; each ends with what the visitor then sees. */
const uses: [name: string, run: (page: Page) => Promise<unknown>, shown: string][] = [
  ['… and the menu opened', (page) => page.locator('.bar-groups summary').first().click(), '.bar details[open] a'],
  ['… and the search box opened', (page) => page.keyboard.press('/'), '.search-dialog[open]'],
  ['… and something searched', (page) => page.keyboard.type('mysql'), '.search-dialog mark'],
  [
    '… and the download dialog opened',
    async (page) => {
      await page.keyboard.press('Escape');
      await page.locator('[data-download]').first().click();
    },
    'dialog[open] input, dialog[open] select',
  ],
];

/** The bytes of the next page for a visitor who follows a link to it from a document. */
async function further(context: BrowserContext): Promise<Row> {
  const { page, counted } = await open(context, pages.document);
  const before = await counted();
  await page.locator('main a[rel=next]').click();
  await page.waitForURL((url) => url.pathname !== pages.document);
  await page.waitForLoadState('networkidle');
  const after = await counted();
  return rowOf(
    '… and the next document',
    new Map([...after].map(([kind, size]) => [kind, size - (before.get(kind) ?? 0)])),
  );
}

/** The server first sends quickly compressed pages and recompresses them in the background: the latter counts. */
async function warm(browser: Browser, baseURL: string): Promise<void> {
  const context = await browser.newContext({ baseURL });
  for (const path of Object.values(pages)) await (await open(context, path)).page.close();
  await context.close();
  await pause(3000);
}

async function measure(browser: Browser, baseURL: string, token: string): Promise<Row[]> {
  const fresh = () => browser.newContext({ baseURL, viewport: { width: 1280, height: 800 } });
  const rows: Row[] = [];
  for (const [name, path] of Object.entries(pages)) {
    const context = await fresh();
    const { counted } = await open(context, path);
    rows.push(rowOf(name, await counted()));
    await context.close();
  }
  const reader = await fresh();
  rows.push(await further(reader));
  await reader.close();
  for (const name of ['document with tabs', 'home'] as const) {
    const context = await fresh();
    await context.addInitScript((value) => localStorage.setItem('token', value), token);
    const { page, counted } = await open(context, pages[name]);
    rows.push(rowOf(`${name}, signed in`, await counted()));
    for (const [use, run, shown] of name === 'home' ? uses : []) {
      await run(page);
      await page.locator(shown).first().waitFor();
      // Links in view are prefetched after the first interaction.
      await pause(1000);
      rows.push(rowOf(use, await counted()));
    }
    await context.close();
  }
  return rows;
}

const upstream = await startConsoleStandIn();
const site = await startSite({ env: { API_BASE_URL: upstream.url } });
const browser = await launchChromium();
try {
  // Chromium accepts brotli only on https and localhost.
  const base = site.url.replace('127.0.0.1', 'localhost');
  await warm(browser, base);
  const rows = await measure(browser, base, tokenOf({ user: { uid: '7', username: 'Ada' } }));
  await record('bytes', rows, { chromium: browser.version() });
  const heavy = rows.filter((row) => !String(row.page).startsWith('…') && Number(row['js kB']) > aimJs);
  for (const row of heavy) console.log(`Over the aim of ${aimJs} kB of scripts before a click: ${row.page}.`);
  const document = rows.find((row) => row.page === 'document');
  if (Number(document?.['all kB']) > aimDocument) console.log(`Over the aim of ${aimDocument} kB in all: document.`);
  const next = rows.find((row) => row.page === '… and the next document');
  if (Number(next?.['all kB']) > aimFurther) console.log(`Over the aim of ${aimFurther} kB for a further page.`);
} finally {
  await browser.close();
  await site.stop();
  await upstream.stop();
}
