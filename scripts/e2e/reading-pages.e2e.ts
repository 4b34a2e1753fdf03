import { describe, expect } from 'vitest';
import { isFrameId } from '../../client/contract/frame-ids.ts';
import { test } from './browser.ts';
import { checkPage } from './page-checks.ts';

/** One address of every kind of page that is generated from content or from a query. */
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
  test('is accessible, fits the window and logs no problems', async ({ page, problems }) => {
    await checkPage(page, problems, address, address.startsWith('/nowhere') ? 404 : 200);
    const ids = await page.evaluate(() => {
      const around = document.querySelector('.prose') ? document.querySelectorAll('[id]:not(.prose *)') : [];
      return [...around].map(({ id }) => id);
    });
    expect(ids.filter((id) => !isFrameId(id))).toEqual([]);
  });
});
