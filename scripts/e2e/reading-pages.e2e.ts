import { describe } from 'vitest';
import { test } from './browser.ts';
import { checkPage } from './page-checks.ts';

/** One address of every kind of page that is made from content or from a question. */
const kinds = [
  '/docs/intro/product_intro',
  '/docs/dataMigrationAndSync/datasource_func/MySQL/privs_for_mysql',
  '/docs/dataMigrationAndSync/connection/mysql?target=kafka',
  '/docs/protocol/privacy_policy',
  '/blog/authors/engineering',
  '/blog/tags/ai',
  '/blog/data_insights/data_verification',
  '/connector?kind=streaming&role=target',
  '/search?q=binlog',
  '/search?q=zzzzqqqq',
  '/nowhere/at/all',
];

describe.each(kinds)('%s', (address) => {
  test('is accessible, fits and makes no noise', ({ page, problems }) =>
    checkPage(page, problems, address, address.startsWith('/nowhere') ? 404 : 200));
});
