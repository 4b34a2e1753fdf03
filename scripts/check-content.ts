import { readdirSync } from 'node:fs';
import { join, parse, resolve } from 'node:path';
import { readSiteData } from '../server/content/data/site-data.ts';
import { createContentLoader } from '../server/content/loader.ts';
import { reportFaults } from '../server/content/report.ts';
import { contentOptions } from '../server/site/content-options.ts';

// `npm run check:content -- [dir]`: compiles a content folder, drafts too, for every brand, and prints all faults at once.
const root = resolve(import.meta.dirname, '..');
const builtInDir = join(root, 'content');
const contentDir = resolve(process.argv[2] ?? builtInDir);
const brands = readdirSync(join(builtInDir, 'brand')).filter((name) => name.endsWith('.yml'));

// A fault that both brands have is one fault.
const reports = new Set<string>();
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
  });
  const content = await loader.load();
  await loader.close();
  pages = content.stats.pages;
  const report = reportFaults([...read.faults, ...content.faults]);
  if (report) reports.add(report);
}
for (const report of reports) console.error(report);
console.log(`${pages} pages checked for ${brands.length} brands: ${reports.size === 0 ? 'no faults' : 'see above'}.`);
if (reports.size > 0) process.exitCode = 1;
