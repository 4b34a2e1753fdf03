import { openCache } from '../content/cache/content-cache.ts';
import { pack } from '../content/packed-page.ts';
import { brokenPage } from '../content/page-facts.ts';
import { keptLog } from './content-log.ts';

/** Fills a data folder's cache in a separate process, and prints how many pages it returns, and its warnings. */

const [dataDir = '', count = '0'] = process.argv.slice(2);
const log = keptLog();
const cache = openCache({ dataDir, now: new Date(), log });
const keys = Array.from({ length: Number(count) }, (_, index) => `page ${index}`);
for (const key of keys) {
  const page = brokenPage([]);
  cache.put([[key, pack({ facts: { ...page.facts, intro: key.repeat(500) }, body: { ...page.body, text: key } })]]);
}
const back = keys.filter((key) => cache.body(key)?.text === key && cache.facts(key) !== undefined).length;
cache.close();
process.stdout.write(JSON.stringify({ back, warnings: log.warnings }));
