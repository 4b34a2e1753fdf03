import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { chromiumFlags, chromiumPath } from '../e2e/chromium.ts';
import { startSite } from '../e2e/site.ts';
import { installBenchTools } from './bench-tools.ts';
import { type Row, record, round } from './record.ts';

// Lighthouse's mobile run (simulated slow 4G, Moto G) on five pages; the median of `runs` by performance.
const runs = 3;
const pages = {
  home: '/',
  document: '/docs/intro/product_intro',
  post: '/blog/tech_share/mysql_clickhouse_sync',
  pricing: '/pricing',
  login: '/login',
};
const tools = join(import.meta.dirname, 'tools/node_modules/lighthouse');

const categoryNames = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
const category = z.object({
  score: z.number().nullable(),
  auditRefs: z.array(z.object({ id: z.string(), weight: z.number() })),
});
const reportSchema = z.object({
  categories: z.record(z.string(), category),
  audits: z.record(z.string(), z.object({ score: z.number().nullable(), numericValue: z.number().optional() })),
});
type Report = z.infer<typeof reportSchema>;

async function run(url: string, folder: string): Promise<Report> {
  const file = join(folder, 'report.json');
  const flags = ['--headless=new', ...chromiumFlags].join(' ');
  const options = [url, '--quiet', '--output=json', `--output-path=${file}`, `--chrome-flags=${flags}`];
  let fault = '';
  // On a busy machine Lighthouse sometimes loses its own trace (NO_NAVSTART).
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const { status, stderr } = spawnSync(process.execPath, [join(tools, 'cli/index.js'), ...options], {
      encoding: 'utf8',
      env: { ...process.env, CHROME_PATH: chromiumPath() },
    });
    if (status === 0) return reportSchema.parse(JSON.parse(await readFile(file, 'utf8')));
    fault = stderr;
  }
  throw new Error(`Lighthouse failed on ${url}:\n${fault}`);
}

const score = (report: Report, name: string) => Math.round((report.categories[name]?.score ?? 0) * 100);
const value = (report: Report, audit: string) => report.audits[audit]?.numericValue ?? Number.NaN;

/** Audits that cost points, so that a score below 100 says what to fix. */
function costly(report: Report): string {
  const ids = categoryNames.flatMap((name) =>
    (report.categories[name]?.auditRefs ?? []).filter(
      ({ id, weight }) => weight > 0 && (report.audits[id]?.score ?? 1) < 0.9,
    ),
  );
  return ids.map(({ id }) => id).join(', ');
}

installBenchTools();
const folder = await mkdtemp(join(tmpdir(), 'millrace-lighthouse-'));
const site = await startSite();
const base = site.url.replace('127.0.0.1', 'localhost');
const rows: Row[] = [];
try {
  for (const [page, path] of Object.entries(pages)) {
    const reports: Report[] = [];
    for (let turn = 0; turn < runs; turn += 1) reports.push(await run(base + path, folder));
    const report = reports.toSorted((a, b) => score(a, 'performance') - score(b, 'performance'))[Math.floor(runs / 2)];
    if (!report) throw new Error('Lighthouse gave no report.');
    rows.push({
      page,
      ...Object.fromEntries(categoryNames.map((name) => [name, score(report, name)])),
      'LCP s': round(value(report, 'largest-contentful-paint') / 1000, 2),
      'TBT ms': round(value(report, 'total-blocking-time')),
      CLS: round(value(report, 'cumulative-layout-shift'), 3),
      'to mend': costly(report),
    });
  }
} finally {
  await site.stop();
  await rm(folder, { recursive: true, force: true });
}
const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(join(tools, 'package.json'), 'utf8')));
await record('lighthouse', rows, { lighthouse: version });
