import type { Browser } from 'playwright';
import { launchChromium } from '../e2e/chromium.ts';
import { startSite } from '../e2e/site.ts';
import { type Row, record, round } from './record.ts';

// What a first visit costs over the wire, by kind, as a real Chromium's network log says.
const kinds: Record<string, string> = {
  Document: 'html',
  Stylesheet: 'css',
  Script: 'js',
  Font: 'font',
  Image: 'image',
};
const pages = {
  home: '/',
  document: '/docs/intro/product_intro',
  post: '/blog/tech_share/mysql_clickhouse_sync',
  pricing: '/pricing',
  login: '/login',
};

async function visit(browser: Browser, url: string): Promise<Map<string, number>> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  const kindOf = new Map<string, string>();
  const bytes = new Map<string, number>();
  session.on('Network.responseReceived', ({ requestId, type }) => kindOf.set(requestId, kinds[type] ?? 'other'));
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const kind = kindOf.get(requestId) ?? 'other';
    bytes.set(kind, (bytes.get(kind) ?? 0) + encodedDataLength);
  });
  await session.send('Network.enable');
  const response = await page.goto(url, { waitUntil: 'networkidle' });
  if (response?.status() !== 200) throw new Error(`${url} answered ${response?.status()}.`);
  await context.close();
  return bytes;
}

const site = await startSite();
// Chromium asks for brotli on https and localhost alone.
const base = site.url.replace('127.0.0.1', 'localhost');
const browser = await launchChromium();
const rows: Row[] = [];
try {
  for (const [name, path] of Object.entries(pages)) {
    const bytes = await visit(browser, base + path);
    const kilobytes = (kind: string) => round((bytes.get(kind) ?? 0) / 1000, 1);
    const all = [...bytes.values()].reduce((sum, value) => sum + value, 0);
    rows.push({
      page: name,
      ...Object.fromEntries([...Object.values(kinds), 'other'].map((kind) => [`${kind} kB`, kilobytes(kind)])),
      'all kB': round(all / 1000, 1),
    });
  }
} finally {
  await browser.close();
  await site.stop();
}
await record('bytes', rows, { chromium: browser.version() });
