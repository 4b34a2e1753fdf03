import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect } from 'vitest';
import { z } from 'zod';
import { jobCalls } from '../../../client/contract/jobs/calls.ts';
import { consoleJobSchema, jobDetailSchema, jobSchema } from '../../../client/contract/jobs/jobs.ts';
import { newJob } from '../../../server/testing/job-fixtures.ts';
import type { RunningSite } from '../site.ts';
import { settle } from '../visitor.ts';
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

/** Changes the stored samples of the job. */
function changeSamples(statement: string, ...values: number[]): void {
  const store = new DatabaseSync(join(site.dataDir, 'console.sqlite'), { timeout: 60_000 });
  try {
    store.prepare(statement).run(...values);
  } finally {
    store.close();
  }
}

/** Opens the charts of the last day. */
async function openDay(page: Page): Promise<void> {
  await openJob(page);
  await page.getByRole('tab', { name: 'Lag and rows' }).click();
  await page.getByLabel('Time').selectOption({ label: 'Last day' });
  await page.locator('.console-chart canvas').first().waitFor();
}

test('a chart of the last day keeps its day while the job runs', async ({ page }) => {
  changeSamples(
    `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 719)
     INSERT INTO job_sample SELECT ?, 10000, ? - i * 10000, 0, 5000, 500, 500000, 20, 3000, 7000, '0/1', 1, 90000000
     FROM n`,
    jobId,
    Math.floor(Date.now() / 10_000) * 10_000 - 600_000,
  );
  await openDay(page);
  const chart = page.locator('.console-chart').first();
  const before = await sampledAt();
  await expect.poll(sampledAt).toBeGreaterThan(before);
  await hears(page, 'Shop, day');
  await chart.locator('.u-over').hover({ position: { x: 1, y: 40 } });
  const shown = await chart.locator('.u-legend .u-value').first().textContent();
  expect(Date.now() - Date.parse(`${shown}`)).toBeGreaterThan(100 * 60_000);
});

test('a chart of the last day shows new figures every minute', async ({ page }) => {
  await page.clock.install();
  await openDay(page);
  await page.getByText('The same figures as a table').click();
  changeSamples('UPDATE job_sample SET lag_ms = 7200000 WHERE job_id = ? AND span = 10000', jobId);
  await page.clock.fastForward(60_000);
  await page.locator('.job-figures').getByText('2 h').first().waitFor();
});

test('the last time below a chart is not cut off at the edge', async ({ page }) => {
  await expect.poll(sampledAt).toBeGreaterThan(0);
  const { samples, ...others } = await detail();
  const [sample] = samples;
  const minute = Math.floor(Date.now() / 60_000) * 60_000;
  const two = Array.from({ length: 13 }, (_, at) => ({ ...sample, at: minute - 120_000 + at * 10_000 }));
  await page.route(`**${jobCalls.jobDetail}`, (route) =>
    route.request().postDataJSON().span === 'DAY'
      ? route.fulfill({ json: { success: true, data: { ...others, samples: two } } })
      : route.fallback(),
  );
  await openDay(page);
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await expect.poll(() => page.locator('.console-chart canvas').first().evaluate(inkAtEdge)).toBe(0);
  }
});

/** How much is drawn in the last column of a canvas. */
function inkAtEdge(canvas: Element): number {
  const drawing = canvas instanceof HTMLCanvasElement && canvas.getContext('2d');
  if (!drawing) throw new Error('This is no canvas to draw on.');
  const { data } = drawing.getImageData(drawing.canvas.width - 1, 0, 1, drawing.canvas.height);
  return [...data].filter((_, at) => at % 4 === 3).reduce((sum, alpha) => sum + alpha, 0);
}

/** Gives the answers to a call when they are released: by then they are older than what happened meanwhile. */
async function holdAnswers(page: Page, path: string) {
  const [asked, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route(`**${path}`, async (route) => {
    const response = await route.fetch();
    asked.resolve();
    await gate.promise;
    await route.fulfill({ response });
  });
  const release = async () => {
    const answered = page.waitForResponse(`**${path}`);
    gate.resolve();
    await (await answered).finished();
    await settle(page);
  };
  return { asked: asked.promise, release };
}

test('a list keeps what it was told while it was fetched', async ({ page }) => {
  await signInAs(page.context(), owner);
  const list = await holdAnswers(page, jobCalls.listJobs);
  await page.goto(`${site.url}/console/jobs`);
  await list.asked;
  const names = page.locator('.job-list a[href*="/console/job?"]');
  await names.first().waitFor();
  await owner.ask(jobCalls.renameJob, z.null(), { jobId, dataJobDesc: 'Shop, listed' });
  await names.getByText('Shop, listed').waitFor();
  await list.release();
  expect(await names.allTextContents()).toEqual(['Shop, listed']);
});

test('a job keeps what it was told while it was fetched', async ({ page }) => {
  await openJob(page);
  const held = await holdAnswers(page, jobCalls.jobDetail);
  await page.getByRole('button', { name: 'Rename' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Shop, first');
  await page.getByRole('button', { name: 'Save name' }).click();
  await held.asked;
  await owner.ask(jobCalls.renameJob, z.null(), { jobId, dataJobDesc: 'Shop, second' });
  const name = page.locator('.job-title h2');
  await name.getByText('Shop, second').waitFor();
  await held.release();
  expect(await name.textContent()).toBe('Shop, second');
});

/** Hides or shows a page whose clock is the test's. */
const hide = (page: Page, hidden: boolean) =>
  page.evaluate((isHidden) => {
    Object.defineProperty(document, 'hidden', { configurable: true, value: isHidden });
    document.dispatchEvent(new Event('visibilitychange'));
  }, hidden);

/** Hides a page until it has no connection. */
async function disconnect(page: Page): Promise<void> {
  const isEvents = (url: string) => url.includes(jobCalls.jobEvents);
  const ended = page.waitForEvent('requestfailed', (request) => isEvents(request.url()));
  await hide(page, true);
  await page.clock.fastForward(5_000);
  await ended;
}

test('a page that comes back shows what happened while it was hidden', async ({ page, problems }) => {
  problems.allow(/ERR_ABORTED/);
  await page.clock.install();
  await openJob(page);
  await hears(page, 'Shop, hidden');
  await disconnect(page);
  const table = (await detail()).tables[0];
  await owner.ask(jobCalls.pauseTable, z.unknown(), { jobId, table: table?.id });
  await expect.poll(async () => (await detail()).tables.map(({ state }) => state)).toContain('paused');
  await hide(page, false);
  await page.locator('.job-legend li', { hasText: 'Paused' }).getByText('1').waitFor();
  await page.getByRole('tab', { name: 'Events' }).click();
  const sentences = (await detail()).events.map(({ sentence }) => sentence);
  await page.getByText(sentences[0] ?? '').waitFor();
});

test('a page that comes back asks again when the server does not answer it', async ({ page, problems }) => {
  problems.allow(/ERR_ABORTED|ERR_FAILED/);
  await page.clock.install();
  await openJob(page);
  await disconnect(page);
  const tables = async () => Map.groupBy((await detail()).tables, ({ state }) => state === 'paused');
  const before = await tables();
  await owner.ask(jobCalls.pauseTable, z.unknown(), { jobId, table: before.get(false)?.[0]?.id });
  const paused = (before.get(true)?.length ?? 0) + 1;
  await expect.poll(async () => (await tables()).get(true)?.length).toBe(paused);
  await page.route(`**${jobCalls.jobDetail}`, (route) => route.abort(), { times: 1 });
  const failed = page.waitForEvent('requestfailed', (request) => request.url().endsWith(jobCalls.jobDetail));
  await hide(page, false);
  await failed;
  await page.clock.fastForward(10_000);
  await page.locator('.job-legend li', { hasText: 'Paused' }).getByText(String(paused)).waitFor();
});

test('a job that could not be created shows what another tab retries', async ({ page }) => {
  const id = z.string().transform(Number);
  const addFile = (file: string) =>
    owner.ask(jobCalls.addDataSource, id, { type: 'SQLite', instanceDesc: file, settings: { file } });
  const [source, target] = [await addFile('not-there.sqlite'), await addFile('target.sqlite')];
  const request = newJob(source, target, '', { srcSchema: '[{"db":"","tables":[]}]' });
  const made = await owner.ask(jobCalls.createJob, id, request);
  await page.clock.install();
  await signInAs(page.context(), owner);
  await page.goto(`${site.url}/console/job?id=${made}`);
  const step = page.locator('.job-steps li').first();
  await step.getByText('Failed').waitFor();
  const { consoleJobId } = await owner.ask(jobCalls.queryJob, jobSchema, { jobId: made });
  const steps = () => owner.ask(jobCalls.queryConsoleJob, consoleJobSchema, { consoleJobId });
  const [failed] = (await steps()).taskVOList;
  const folder = join(site.dataDir, 'files');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'not-there.sqlite'), 'This is no database.'.repeat(100));
  /** What the second try says; repeated while a starved machine has no answer within the 9 s, as maybe at the first. */
  const newMessage = async () => {
    const [now] = (await steps()).taskVOList;
    if (now?.message !== failed?.message) return now?.message ?? '';
    if (now?.taskState === 'FAILED')
      await owner.ask(jobCalls.retryTask, z.null(), { consoleJobId, consoleTaskId: now.id });
    return '';
  };
  await expect.poll(newMessage).not.toBe('');
  await page.clock.fastForward(5_000);
  await step.getByText(await newMessage()).waitFor();
});

test('a job that is deleted elsewhere is gone from its page', async ({ page }) => {
  await openJob(page);
  await owner.ask(jobCalls.stopJob, z.unknown(), { jobId });
  await page.locator('.job-head').getByText('Stopped').waitFor();
  await owner.ask(jobCalls.deleteJob, z.unknown(), { jobId });
  await page.getByText('There is no such job').waitFor();
});
