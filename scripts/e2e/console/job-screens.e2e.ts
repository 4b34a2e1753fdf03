import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, expect } from 'vitest';
import { z } from 'zod';
import { jobCalls } from '../../../client/contract/jobs/calls.ts';
import { newJob } from '../../../server/testing/job-fixtures.ts';
import { chooseFontSize, overflow, pageFaults, violationsByTheme, withAxe } from '../page-checks.ts';
import type { RunningSite } from '../site.ts';
import { eventually, hold, settle } from '../visitor.ts';
import { type Account, newAccount, signInAs, startOwnedSite } from './account.ts';
import { test } from './browser.ts';
import { retrySlowQueries, untilAnswers } from './slow-queries.ts';

let site: RunningSite;
let owner: Account;
let jobId: number;

beforeAll(async () => {
  ({ site, owner } = await startOwnedSite());
  const pair = await owner.ask(jobCalls.createPractice, z.object({ jobId: z.number() }), {});
  jobId = pair.jobId;
});
afterAll(() => site.stop());

/** Opens a console page with axe in it; a page with live events always has a pending request. */
async function open(page: Page, path: string): Promise<void> {
  await signInAs(page.context(), owner);
  await withAxe(page.context());
  await page.goto(site.url + path);
  await page.locator('.console-nav').waitFor();
  await loaded(page);
}

const loaded = (page: Page) =>
  page.waitForFunction(() => document.querySelector('h1') && !document.querySelector('.console-skeleton'));

const topOf = async (one: Locator) => (await one.boundingBox())?.y;

async function follows(page: Page): Promise<void> {
  const head = page.locator('.job-head');
  await head.getByText('Following').waitFor();
  // That hint takes a line of its own on a phone.
  await head.getByText('connecting …').waitFor({ state: 'detached' });
}

test('the job list has no page faults while a job runs', async ({ page }) => {
  await open(page, '/console/jobs');
  await page.getByRole('row').getByText('Following').waitFor();
  expect(await pageFaults(page, 'jobs')).toEqual([]);
  await page.getByRole('checkbox').first().check();
  await page.getByText('1 job selected').waitFor();
  expect(await violationsByTheme(page, 'chosen')).toEqual([]);
  await page.getByRole('searchbox').fill('no such job');
  await page.getByText('No job matches').waitFor();
  expect(await violationsByTheme(page, 'none matches')).toEqual([]);
});

// As in WebKitGTK if the system has no language.
test('charts are drawn in a browser whose language is not a valid tag', async ({ page }) => {
  await page.addInitScript(() => Object.defineProperty(navigator, 'language', { value: 'C' }));
  await open(page, `/console/job?id=${jobId}`);
  await page.getByRole('tab', { name: 'Lag and rows' }).click();
  await page.locator('.console-chart canvas').first().waitFor();
});

test('the overview names and links the job, and shows no jobs to accounts that may have none', async ({
  page,
  browser,
}) => {
  await open(page, '/console');
  const section = page.getByRole('region', { name: 'Jobs' });
  await section.getByText('Following').waitFor();
  expect(await pageFaults(page, 'overview')).toEqual([]);
  await section.getByRole('link').click();
  await page.waitForURL(`**/console/job?id=${jobId}`);
  await eventually(() => page.title()).toBe('Practice pair · Console');

  const other = await browser.newContext();
  await signInAs(other, await newAccount(site, 'grace@site.example'));
  const theirs = await other.newPage();
  await theirs.goto(`${site.url}/console`);
  await theirs.getByRole('region', { name: 'Orders' }).getByText('No orders yet').waitFor();
  await theirs.getByRole('region', { name: 'Jobs' }).waitFor({ state: 'detached' });

  // A refused request is not repeated.
  let asked = 0;
  theirs.on('request', (request) => {
    if (request.url().endsWith(jobCalls.jobEvents)) asked += 1;
  });
  await theirs.clock.install();
  const refused = theirs.waitForResponse(`**${jobCalls.jobEvents}`);
  await theirs.goto(`${site.url}/console/jobs`);
  await theirs.getByText('On this installation, jobs are limited to its owner').waitFor();
  await refused;
  await settle(theirs);
  await theirs.clock.runFor(20_000);
  await settle(theirs);
  expect(asked).toBe(1);
  await other.close();
});

// Figures come every ten seconds, and one makes no line; a starved machine takes minutes for all of axe's checks.
test("a job's tables, table dialog, charts and events have no page faults", async ({ page }) => {
  await open(page, `/console/job?id=${jobId}`);
  await follows(page);
  await eventually(() => page.locator('.job-cell').count()).toBe(3);
  const found = await pageFaults(page, 'tables');
  await page.getByRole('button', { name: /orders/ }).click();
  await page.getByRole('dialog').waitFor();
  found.push(...(await pageFaults(page, 'one table')));
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  await page.getByRole('tab', { name: 'Lag and rows' }).click();
  await page.locator('.console-chart canvas').first().waitFor();
  // The legend has values even without a pointer on the chart; and dashed lines are explained.
  await page
    .locator('.u-legend .u-value', { hasText: /\d{4} \d\d:\d\d:\d\d$/ })
    .first()
    .waitFor();
  await page.locator('.job-chart-key').getByText('Late: more than 3 s').waitFor();
  await page.getByText('The same figures as a table').click();
  await page.getByRole('table', { name: 'Figures' }).getByRole('columnheader', { name: 'Changes/s' }).waitFor();
  found.push(...(await pageFaults(page, 'charts')));

  await page.getByRole('tab', { name: 'Events' }).click();
  await page.getByText('The job was created.').waitFor();
  expect([...found, ...(await pageFaults(page, 'events'))]).toEqual([]);
});

test("arrow keys move between tables, and a screen reader hears the job's state", async ({ page }) => {
  await open(page, `/console/job?id=${jobId}`);
  await follows(page);
  const cell = (name: string) => page.getByRole('button', { name: new RegExp(name) }).and(page.locator(':focus'));
  await page.getByRole('button', { name: /customers/ }).focus();
  await page.keyboard.press('ArrowRight');
  await cell('orders').waitFor();
  await page.keyboard.press('End');
  await cell('products').waitFor();
  await page.keyboard.press('ArrowRight');
  await cell('products').waitFor();
  await page.keyboard.press('Home');
  await cell('customers').waitFor();
  await page.locator('.job-head').getByRole('status').getByText('Following').waitFor();
});

test('on a phone a job opens at the top, and its actions change without moving anything', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page, `/console/job?id=${jobId}&tab=events`);
  await follows(page);
  await page.getByText('The job was created.').waitFor();
  expect(await page.evaluate(() => scrollY)).toBe(0);
  const places = () =>
    Promise.all([page.getByRole('link', { name: 'Duplicate' }), page.locator('.job-channel')].map((one) => topOf(one)));
  const before = await places();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.locator('.job-head').getByText('Stopped').waitFor();
  expect(await places()).toEqual(before);
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await follows(page);
});

test('long names fit every page, width and font size', async ({ page }) => {
  const long = 'A_name_that_no_line_can_break_'.repeat(3);
  const idText = z.string().transform(Number);
  const add = (name: string) =>
    owner.ask(jobCalls.addDataSource, idText, { type: 'SQLite', instanceDesc: name, settings: { file: 'a.sqlite' } });
  const [source, target] = [await add(`${long}source`), await add(`${long}target`)];
  const request = newJob(source, target, 'shop', { autoStart: false, dataJobDesc: long });
  const named = await owner.ask(jobCalls.createJob, idText, request);
  try {
    await signInAs(page.context(), owner);
    const found: string[] = [];
    for (const path of ['/console', '/console/jobs', `/console/job?id=${named}`, '/console/data-sources']) {
      await page.goto(site.url + path);
      await page.getByText(long).first().waitFor();
      for (const size of [16, 32]) {
        await chooseFontSize(page, size);
        for (const width of [320, 390, 700, 996, 1280])
          found.push(...(await overflow(page, width)).map((one) => `${path}, ${size} px: ${one}`));
      }
      await chooseFontSize(page, 16);
    }
    expect(found).toEqual([]);
    // Below its name, a job's button starts at the same edge.
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${site.url}/console/job?id=${named}`);
    const [name, button] = [page.locator('.job-head h2'), page.getByRole('button', { name: 'Rename' })];
    await button.waitFor();
    expect((await button.boundingBox())?.x).toBe((await name.boundingBox())?.x);
  } finally {
    await owner.ask(jobCalls.deleteJob, z.null(), { jobId: named });
  }
});

test('forced colours show which page and tab are open, and which steps are done', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await open(page, `/console/job?id=${jobId}`);
  await follows(page);
  const colours = (selector: string, property: 'borderLeftColor' | 'borderBottomColor' | 'backgroundColor') =>
    page
      .locator(selector)
      .evaluateAll((all, property) => [...new Set(all.map((one) => getComputedStyle(one)[property]))], property);
  const ground = await colours('html', 'backgroundColor');
  expect(await colours('.console-nav a:not([aria-current])', 'borderLeftColor')).toEqual(ground);
  expect(await colours('.console-nav [aria-current]', 'borderLeftColor')).not.toEqual(ground);
  expect(await colours('[role=tab][aria-selected=false]', 'borderBottomColor')).toEqual(ground);
  expect(await colours('[role=tab][aria-selected=true]', 'borderBottomColor')).not.toEqual(ground);
  const [done, now] = [
    await colours('.job-bead-done', 'backgroundColor'),
    await colours('.job-bead-now', 'backgroundColor'),
  ];
  expect(new Set([...ground, ...done, ...now]).size).toBe(3);
});

test('charts fit the paper, and their grid is as pale there in the dark theme as in the light one', async ({
  page,
  context,
}) => {
  // None runs while a page is laid out for paper.
  await page.addInitScript(() => {
    window.ResizeObserver = class {
      observe() {}
      unobserve() {}
      disconnect() {}
    };
  });
  await page.emulateMedia({ colorScheme: 'dark' });
  await open(page, `/console/job?id=${jobId}&tab=lag`);
  const chart = page.locator('.console-chart canvas').first();
  await chart.waitFor();
  await page.setViewportSize({ width: 718, height: 1000 });
  await page.emulateMedia({ colorScheme: 'dark', media: 'print' });
  const room = await page.locator('.console-chart').first().boundingBox();
  expect((await chart.boundingBox())?.width).toBe(room?.width);
  const picture = (await chart.screenshot()).toString('base64');
  // The site's policy would not let a page of its own read it.
  const most = await (await context.newPage()).evaluate(async (png) => {
    const bytes = Uint8Array.from(atob(png), (one) => one.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes]));
    const drawing = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    drawing?.drawImage(bitmap, 0, 0);
    const counts = new Map<string, number>();
    const { data = [] } = drawing?.getImageData(0, 0, bitmap.width, bitmap.height) ?? {};
    for (let at = 0; at < data.length; at += 4) {
      const colour = `${data[at]} ${data[at + 1]} ${data[at + 2]}`;
      counts.set(colour, (counts.get(colour) ?? 0) + 1);
    }
    return [...counts].sort((one, other) => other[1] - one[1]).slice(0, 2);
  }, picture);
  // The ground and the grid.
  expect(most.map(([colour]) => Number(colour.split(' ')[1]) > 190)).toEqual([true, true]);
});

test('an unknown job links to the list of all jobs', async ({ page }) => {
  await open(page, '/console/job?id=999999');
  await page.getByText('There is no such job').waitFor();
  await page.getByRole('link', { name: 'All jobs' }).click();
  await page.waitForURL('**/console/jobs');
});

test('a job that never ran has one start button and can be renamed', async ({ page }) => {
  const ends = await owner.ask(jobCalls.listDataSources, z.array(z.object({ id: z.number() })), {});
  const request = newJob(ends[0]?.id ?? 0, ends[1]?.id ?? 0, 'orders', { autoStart: false, dataJobDesc: 'Never ran' });
  const id = await owner.ask(jobCalls.createJob, z.string(), request);
  await open(page, `/console/job?id=${id}`);
  await page.locator('.job-head').getByText('Not started').waitFor();
  expect(await page.getByRole('button', { name: 'Start', exact: true }).count()).toBe(1);
  await page.getByRole('button', { name: 'Rename' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Orders');
  expect(await violationsByTheme(page, 'another name')).toEqual([]);
  await page.getByRole('button', { name: 'Save name' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: 'Orders', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.waitForURL('**/console/jobs');
});

test('a job that creates only the structure does not seem to wait for its tables', async ({ page }) => {
  const ends = await owner.ask(jobCalls.listDataSources, z.array(z.object({ id: z.number() })), {});
  const changes = { jobType: 'STRUCT_MIGRATION', autoStart: false, dataJobDesc: 'Structure' };
  const request = newJob(ends[0]?.id ?? 0, ends[1]?.id ?? 0, 'orders', changes);
  const id = await owner.ask(jobCalls.createJob, z.string(), request);
  await open(page, `/console/job?id=${id}`);
  await page.getByText('The job creates only the structure.', { exact: false }).waitFor();
  await owner.ask(jobCalls.deleteJob, z.unknown(), { jobId: Number(id) });
  // The other tests of this file rely on one job.
  await eventually(() => owner.ask(jobCalls.listJobs, z.array(z.unknown()), {})).toHaveLength(1);
});

test('a new job has no page faults, from its sides to its findings', async ({ page, problems }) => {
  await open(page, '/console/new-job');
  const stopRetrying = await retrySlowQueries(page, problems);
  await page.getByLabel('Source', { exact: true }).selectOption({ label: 'SQLite: Practice source' });
  await page.getByLabel('Target', { exact: true }).selectOption({ label: 'SQLite: Practice target' });
  await page.getByRole('button', { name: /^Select all/ }).click();
  await page.getByText('Passed').first().waitFor();
  await stopRetrying();
  await page.getByText('As a list').click();
  await page.getByText('The same job as a call').click();
  await page.getByText('What is created at the target').click();
  await loaded(page);
  expect(await pageFaults(page, 'new job')).toEqual([]);
});

test('tested data sources and errors of their form have no page faults', async ({ page }) => {
  await open(page, '/console/data-sources');
  await page.locator('summary', { hasText: 'Practice source' }).click();
  const entry = page.locator('details[open]');
  await entry.getByRole('button', { name: 'Test' }).click();
  await untilAnswers(entry);
  const found = await pageFaults(page, 'tested');
  await page.getByLabel('System', { exact: true }).selectOption({ label: 'PostgreSQL' });
  await page.getByLabel('Host', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Add data source' }).click();
  await page.getByRole('alert').waitFor();
  expect([...found, ...(await pageFaults(page, 'faults of the form'))]).toEqual([]);
});

test('a rarely needed setting is folded away until it is wrong', async ({ page, problems }) => {
  problems.allow(/status (of )?400/);
  await open(page, '/console/data-sources');
  await page.getByLabel('System', { exact: true }).selectOption({ label: 'PostgreSQL' });
  for (const label of ['Name', 'Host', 'Database', 'User']) await page.getByLabel(label, { exact: true }).fill('shop');
  const more = page.getByText('More settings');
  const slot = page.getByLabel('Replication slot');
  await more.click();
  await slot.fill('My Slot');
  const add = page.getByRole('button', { name: 'Add data source' });
  const refusal = page.getByRole('alert').getByRole('button', { name: 'A slot name has at most' });
  await add.click();
  await refusal.waitFor();
  await more.click();
  await slot.waitFor({ state: 'hidden' });
  await add.click();
  await slot.waitFor();
  await refusal.click();
  expect(await slot.evaluate((field) => field === document.activeElement)).toBe(true);
  expect(await violationsByTheme(page, 'a wrong setting that was folded away')).toEqual([]);
});

test('an API key is created, shown once, listed, and revoked only after a question', async ({ page, problems }) => {
  problems.allow(/status (of )?(400|500)/);
  await open(page, '/console/api-keys');
  await page.getByLabel('Name', { exact: true }).fill('shell');
  await page.getByLabel('From addresses').fill('192.0.2.0/24 somewhere');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.locator('.field-error', { hasText: 'addresses or networks' }).waitFor();
  await page.getByLabel('From addresses').fill('192.0.2.0/24');
  // A part of a date reads as empty, which means never.
  await page.getByLabel('Expires on (UTC)').focus();
  await page.keyboard.type('12');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.locator('#api-key-expiresAt-error').getByText('Please enter a whole date, or none').waitFor();
  await page.getByLabel('Expires on (UTC)').fill('2030-01-02');
  const created = page.waitForRequest(`**${jobCalls.createApiKey}`);
  await page.getByRole('button', { name: 'Create key' }).click();
  expect((await created).postDataJSON()).toMatchObject({ expiresAt: Date.parse('2030-01-02T23:59:59Z') });
  const dialog = page.getByRole('dialog');
  await dialog.getByText('The secret is shown only once.').waitFor();
  const found = await pageFaults(page, 'the secret');
  await page.mouse.click(4, 4);
  await settle(page);
  await dialog.getByText('The secret is shown only once.').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('row').getByText('shell').first().waitFor();
  found.push(...(await pageFaults(page, 'the list')));
  const revoke = page.getByRole('button', { name: 'Revoke shell' });
  await revoke.click();
  await dialog.waitFor();
  found.push(...(await violationsByTheme(page, 'asked before it is revoked')));
  expect(found).toEqual([]);

  // A failure is not shown in the next question, which stays until it is answered.
  await page.route(`**${jobCalls.revokeApiKey}`, (route) => route.fulfill({ status: 500 }));
  const [answer, back] = ['Revoke', 'Back'].map((name) => dialog.getByRole('button', { name }));
  await answer?.click();
  await dialog.getByText('The server answered with an error').waitFor();
  await back?.click();
  await dialog.waitFor({ state: 'detached' });
  await revoke.click();
  await back?.waitFor();
  expect(await dialog.getByText('The server answered with an error').count()).toBe(0);
  await page.unroute(`**${jobCalls.revokeApiKey}`);
  const late = await hold(page, `**${jobCalls.revokeApiKey}`);
  const asked = page.waitForRequest(`**${jobCalls.revokeApiKey}`);
  await answer?.click();
  await asked;
  // The request may leave before the question is busy.
  await eventually(() => back?.getAttribute('aria-disabled')).toBe('true');
  await page.keyboard.press('Escape');
  expect(await back?.getAttribute('aria-disabled')).toBe('true');
  late.release();
  await page.getByText('No API key yet').waitFor();
  await dialog.waitFor({ state: 'detached' });
});

test('selected jobs are stopped and started together, and a screen reader hears it', async ({ page }) => {
  await open(page, '/console/jobs');
  await page.getByRole('button', { name: /^Select all/ }).press('Enter');
  await page.getByRole('button', { name: 'Stop' }).press('Enter');
  await page.getByRole('status').getByText('1 job asked to stop.').waitFor({ state: 'attached' });
  await page.getByRole('grid', { name: 'Jobs' }).getByText('Stopped', { exact: true }).waitFor();
  await page.getByRole('button', { name: /^Select all/ }).press('Enter');
  await page.getByRole('button', { name: 'Start' }).press('Enter');
  await page.getByRole('status').getByText('1 job started.').waitFor({ state: 'attached' });
  await page.getByRole('grid', { name: 'Jobs' }).getByText('Following').waitFor();
});

test('a failed action is reported below the actions and moves none of them', async ({ page, problems }) => {
  problems.allow(/503/);
  await open(page, `/console/job?id=${jobId}`);
  await follows(page);
  await page.route('**/datajob/stop', (route) => route.fulfill({ status: 503, body: '' }));
  const actions = page.locator('.job-actions > .button');
  const places = () =>
    actions.evaluateAll((all) => all.map((one) => one instanceof HTMLElement && [one.offsetLeft, one.offsetTop]));
  const before = await places();
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  const report = page.locator('.job-actions .retry');
  await report.waitFor();
  expect(await places()).toEqual(before);
  const last = await actions.last().boundingBox();
  expect((await report.boundingBox())?.y).toBeGreaterThan((last?.y ?? 0) + (last?.height ?? 0));
});

test('a stopped job keeps its layout and the focus among its actions', async ({ page }) => {
  await open(page, `/console/job?id=${jobId}`);
  const placeOfDuplicate = async () => (await page.getByRole('link', { name: 'Duplicate' }).boundingBox())?.x;
  await page.getByRole('button', { name: 'Stop', exact: true }).waitFor();
  const before = await placeOfDuplicate();
  await page.getByRole('button', { name: 'Stop', exact: true }).press('Enter');
  await page.locator('.job-head').getByText('Stopped').waitFor();
  expect(await placeOfDuplicate()).toBe(before);
  await page.locator('.job-legend').getByText('Live when it stopped').waitFor();
  // A job that has just been started may be at an earlier step.
  await page
    .locator('.job-head')
    .getByText(/: not running$/)
    .waitFor({ state: 'attached' });
  // The button is gone, and the focus is still among the actions.
  await eventually(() => page.evaluate(() => document.activeElement?.closest('.job-actions') !== null)).toBe(true);
  const found = await pageFaults(page, 'stopped');
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').waitFor();
  expect([...found, ...(await violationsByTheme(page, 'asked before it is deleted'))]).toEqual([]);
});
