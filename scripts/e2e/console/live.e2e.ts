import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect } from 'vitest';
import { z } from 'zod';
import { jobCalls } from '../../../client/contract/jobs/calls.ts';
import { jobDetailSchema } from '../../../client/contract/jobs/jobs.ts';
import type { RunningSite } from '../site.ts';
import { type Account, signInAs, startOwnedSite } from './account.ts';
import { test } from './browser.ts';

let site: RunningSite;
let owner: Account;
let jobId: number;

beforeAll(async () => {
  ({ site, owner } = await startOwnedSite());
  ({ jobId } = await owner.ask(jobCalls.createPractice, z.object({ jobId: z.number() }), {}));
});
afterAll(() => site.stop());

async function openJob(page: Page): Promise<void> {
  await signInAs(page.context(), owner);
  await page.goto(`${site.url}/console/job?id=${jobId}`);
  const head = page.locator('.job-head');
  await head.getByText('Following').waitFor();
  await head.getByText('connecting …').waitFor({ state: 'detached' });
}

const detail = () => owner.ask(jobCalls.jobDetail, jobDetailSchema, { jobId, span: 'HOUR' });
const sampledAt = async () => (await detail()).samples.at(-1)?.at ?? 0;

/** Ends once a page has heard of what happened until now. */
async function hears(page: Page, name: string): Promise<void> {
  await owner.ask(jobCalls.renameJob, z.null(), { jobId, dataJobDesc: name });
  await page.getByRole('heading', { name, exact: true }).waitFor();
}

test('a chart of the last day keeps its day while the job runs', async ({ page }) => {
  const store = new DatabaseSync(join(site.dataDir, 'console.sqlite'), { timeout: 60_000 });
  try {
    store
      .prepare(
        `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 719)
         INSERT INTO job_sample SELECT ?, 10000, ? - i * 10000, 0, 5000, 500, 500000, 20, 3000, 7000, '0/1', 1, 90000000
         FROM n`,
      )
      .run(jobId, Math.floor(Date.now() / 10_000) * 10_000 - 600_000);
  } finally {
    store.close();
  }
  await openJob(page);
  await page.getByRole('tab', { name: 'Lag and rows' }).click();
  await page.getByLabel('Time').selectOption({ label: 'Last day' });
  const chart = page.locator('.console-chart').first();
  await chart.locator('canvas').waitFor();
  const before = await sampledAt();
  await expect.poll(sampledAt).toBeGreaterThan(before);
  await hears(page, 'Shop, day');
  await chart.locator('.u-over').hover({ position: { x: 1, y: 40 } });
  const shown = await chart.locator('.u-legend .u-value').first().textContent();
  expect(Date.now() - Date.parse(`${shown}`)).toBeGreaterThan(100 * 60_000);
});

test('a page that comes back shows what happened while it was hidden', async ({ page, problems }) => {
  problems.allow(/ERR_ABORTED/);
  await page.clock.install();
  await openJob(page);
  const isEvents = (url: string) => url.includes(jobCalls.jobEvents);
  const show = (hidden: boolean) =>
    page.evaluate((isHidden) => {
      Object.defineProperty(document, 'hidden', { configurable: true, value: isHidden });
      document.dispatchEvent(new Event('visibilitychange'));
    }, hidden);
  await hears(page, 'Shop, hidden');
  const ended = page.waitForEvent('requestfailed', (request) => isEvents(request.url()));
  await show(true);
  await page.clock.fastForward(5_000);
  await ended;
  const table = (await detail()).tables[0];
  await owner.ask(jobCalls.pauseTable, z.unknown(), { jobId, table: table?.id });
  await expect.poll(async () => (await detail()).tables.map(({ state }) => state)).toContain('paused');
  await show(false);
  await page.locator('.job-legend li', { hasText: 'Paused' }).getByText('1').waitFor();
  await page.getByRole('tab', { name: 'Events' }).click();
  const sentences = (await detail()).events.map(({ sentence }) => sentence);
  await page.getByText(sentences[0] ?? '').waitFor();
});

test('a job that is deleted elsewhere is gone from its page', async ({ page }) => {
  await openJob(page);
  await owner.ask(jobCalls.stopJob, z.unknown(), { jobId });
  await page.locator('.job-head').getByText('Stopped').waitFor();
  await owner.ask(jobCalls.deleteJob, z.unknown(), { jobId });
  await page.getByText('There is no such job').waitFor();
});
