import { readdirSync } from 'node:fs';
import { join, parse, resolve } from 'node:path';
import { readSiteData } from '../server/content/data/site-data.ts';
import type { Fault } from '../server/content/fault.ts';
import { createContentLoader } from '../server/content/loader.ts';
import { mergeFaults, reportFaults } from '../server/content/report.ts';
import { requireContent } from '../server/content/sources.ts';
import { contentOptions } from '../server/site/content-options.ts';

// `npm run check:content -- [dir]`: compiles a content folder, including drafts, for every brand; prints all faults.
const root = resolve(import.meta.dirname, '..');
const builtInDir = join(root, 'content');
const contentDir = resolve(process.argv[2] ?? builtInDir);
const brands = readdirSync(join(builtInDir, 'brand')).filter((name) => name.endsWith('.yml'));

try {
  requireContent(contentDir);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

const readings: Fault[][] = [];
let pages = 0;
for (const brand of brands.map((file) => parse(file).name)) {
  const read = readSiteData(contentDir, builtInDir, brand);
  const loader = createContentLoader({
    contentDir,
    builtInDir,
    dataDir: resolve(process.env.DATA_DIR ?? join(root, 'data')),
    ...contentOptions(read),
    production: false,
    now: new Date(),
    log: {
      info: (details, message) => console.log(`› ${message}`, details),
      warn: (_details, message) => console.error(`› ${message}`),
    },
  });
  const first = await loader.load();
  const content = (await loader.retry()) ?? first;
  await loader.close();
  pages = content.stats.pages;
  readings.push([...read.faults, ...content.faults]);
}
const faults = mergeFaults(readings);
if (faults.length > 0) console.error(reportFaults(faults));
console.log(`${pages} pages checked for ${brands.length} brands: ${faults.length === 0 ? 'no faults' : 'see above'}.`);
if (faults.length > 0) process.exitCode = 1;
