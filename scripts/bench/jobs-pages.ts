import { join } from 'node:path';
import type { Locator, Page } from 'playwright';
import { jobCalls } from '../../client/contract/jobs/calls.ts';
import { launchChromium } from '../e2e/chromium.ts';
import { type Account, newAccount, signInAs } from '../e2e/console/account.ts';
import { type FilledJobs, fillJobs } from '../e2e/console/filled-jobs.ts';
import { startSite } from '../e2e/site.ts';
import { type Row, record, round } from './record.ts';

// The cost of 200 jobs, one of them with 1,000 tables, compared with 10 jobs and 10 tables, in one run: the server's
// response, the page until it shows the result, and the longest reaction to a key or a press.
const sizes = [
  { jobs: 10, tables: 10 },
  { jobs: 200, tables: 1_000 },
];
const runs = 5;
const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

async function answer(account: Account, base: string, path: string, body: object) {
  const times: number[] = [];
  let bytes = 0;
  for (let run = 0; run < runs; run += 1) {
    const started = performance.now();
    const response = await fetch(base + path, {
      method: 'POST',
      headers: { Authorization: `Bearer ${account.token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    bytes = (await response.arrayBuffer()).byteLength;
    times.push(performance.now() - started);
  }
  return { ms: round(median(times), 1), kB: round(bytes / 1_000) };
}

/** Makes the page record the longest time from a key or a press to the frame that shows its effect. */
const noteInteractions = (page: Page) =>
  page.addInitScript(() => {
    const note = (list: PerformanceObserverEntryList) => {
      const longest = Math.max(0, ...list.getEntries().map(({ duration }) => duration));
      Reflect.set(window, 'longest', Math.max(Number(Reflect.get(window, 'longest') ?? 0), longest));
    };
    new PerformanceObserver(note).observe({
      type: 'event',
      durationThreshold: 16,
      buffered: true,
    } as PerformanceObserverInit);
  });
const longest = (page: Page) => page.evaluate(() => Number(Reflect.get(window, 'longest') ?? 0));
const elements = (page: Page) => page.evaluate(() => document.querySelectorAll('*').length);

async function shown(page: Page, path: string, content: Locator): Promise<number> {
  const started = performance.now();
  await page.goto(path);
  await content.first().waitFor();
  return round(performance.now() - started);
}

async function measure(
  page: Page,
  account: Account,
  base: string,
  filled: FilledJobs,
  { jobs, tables }: (typeof sizes)[number],
): Promise<Row[]> {
  const list = await answer(account, base, jobCalls.listJobs, {});
  const listShown = await shown(page, '/console/jobs', page.getByText(filled.newest));
  await page.getByLabel('Filter jobs').pressSequentially('job 7');
  await page.getByLabel('Filter jobs').fill('');
  await page.getByRole('button', { name: /^Select all/ }).click();
  const listRow = {
    page: 'Jobs',
    jobs,
    tables: '',
    ...list,
    'shown ms': listShown,
    'longest ms': await longest(page),
    elements: await elements(page),
  };

  const detail = await answer(account, base, jobCalls.jobDetail, { jobId: filled.large });
  const jobShown = await shown(page, `/console/job?id=${filled.large}`, page.locator('.job-grid button'));
  await page.locator('.job-grid button').first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await page.locator('.job-grid button').nth(1).press('Enter');
  await page.getByRole('dialog').press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const jobRow = {
    page: 'Job',
    jobs: '',
    tables,
    ...detail,
    'shown ms': jobShown,
    'longest ms': await longest(page),
    elements: await elements(page),
  };
  return [listRow, jobRow];
}

const browser = await launchChromium();
const rows: Row[] = [];
try {
  for (const { jobs, tables } of sizes) {
    const site = await startSite({ env: { ALLOW_PLAIN_PASSWORD: 'on' } });
    try {
      const account = await newAccount(site, 'ada@site.example');
      const filled = await fillJobs(site, account, { jobs, tables, status: 'RUNNING' });
      const context = await browser.newContext({ baseURL: site.url, viewport: { width: 1280, height: 800 } });
      await signInAs(context, account);
      const page = await context.newPage();
      await noteInteractions(page);
      rows.push(...(await measure(page, account, site.url, filled, { jobs, tables })));
      if (process.env.PICTURES) await page.screenshot({ path: join(process.env.PICTURES, `job-${tables}.png`) });
      await context.close();
    } finally {
      await site.stop();
    }
  }
  await record('jobs-pages', rows, { chromium: browser.version() });
} finally {
  await browser.close();
}
