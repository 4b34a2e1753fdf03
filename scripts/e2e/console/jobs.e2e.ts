import { execFile } from 'node:child_process';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import pg from 'pg';
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, expect, inject } from 'vitest';
import { z } from 'zod';
import { jobCalls } from '../../../client/contract/jobs/calls.ts';
import { newJob } from '../../../server/testing/job-fixtures.ts';
import { createDatabase } from '../../../server/testing/postgres.ts';
import { settingsOf } from '../../../server/testing/postgres-source.ts';
import { overflow } from '../page-checks.ts';
import { type RunningSite, startSite } from '../site.ts';
import { settle } from '../visitor.ts';
import { type Account, newAccount, signInAs, startOwnedSite } from './account.ts';
import { test } from './browser.ts';
import { fillJobs } from './filled-jobs.ts';
import { mouse } from './hand.ts';
import { retryCreating } from './retry-creating.ts';
import { retrySlowQueries, untilAnswers } from './slow-queries.ts';

const run = promisify(execFile);
let site: RunningSite;
let owner: Account;

beforeAll(async () => {
  ({ site, owner } = await startOwnedSite());
});
afterAll(() => site.stop());

const figure = (page: Page, name: string) => page.locator('.job-legend li', { hasText: name });

test('the practice pair starts with one press, pauses and resumes by table, and leaves nothing behind', async ({
  page,
}) => {
  const hand = mouse(page);
  await signInAs(page.context(), owner);
  await page.goto(`${site.url}/console/jobs`);
  await hand.press('Try the practice pair');
  await page.waitForURL('**/console/job?id=*');
  await figure(page, 'Live').getByText('3').waitFor();
  await page.locator('[data-moving]').waitFor();
  await page.goto(`${page.url()}&tab=unknown`);
  await page.getByRole('tab', { name: /^Tables/, selected: true }).waitFor();

  await page.getByRole('button', { name: /orders/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Pause' }).click();
  await dialog.getByText('Paused').waitFor();
  // Once a change was left out, resuming means a resync, for which there is one button that asks first.
  const resume = dialog.first().getByRole('button', { name: 'Resume with a resync' });
  await resume.waitFor();
  expect(await dialog.getByRole('button', { name: 'Resync', exact: true }).count()).toBe(0);
  const question = dialog.filter({ hasText: 'deletes those that the source lacks' }).filter({ hasText: 'Back' });
  await resume.click();
  await question.getByRole('button', { name: 'Back' }).click();
  await question.waitFor({ state: 'detached' });
  await dialog.getByText('Paused').waitFor();
  await resume.click();
  await question.getByRole('button', { name: 'Resume with a resync' }).click();
  await dialog.getByText('Live', { exact: true }).waitFor();
  await dialog.getByRole('button', { name: 'Resync', exact: true }).click();
  await question.getByRole('button', { name: 'Back' }).click();
  await question.waitFor({ state: 'detached' });
  await dialog.getByRole('button', { name: 'Close' }).click();

  await hand.press('Events');
  await page.getByText('The job was created.').waitFor();
  await hand.press('Stop');
  await page.getByText('Stopped').first().waitFor();
  await hand.press('Delete');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.waitForURL('**/console/jobs');
  await page.getByText('Connect two databases').waitFor();
  await hand.go('Data sources');
  await page.getByText('No data sources yet').waitFor();
});

test('a hidden or silent page drops its connection for live events and reconnects', async ({ page, problems }) => {
  problems.allow(/ERR_ABORTED/);
  await signInAs(page.context(), owner);
  await page.clock.install();
  const listens = () => page.waitForResponse(`**${jobCalls.jobEvents}`);
  const endOf = () => page.waitForEvent('requestfailed', (request) => request.url().endsWith(jobCalls.jobEvents));
  const show = (hidden: boolean) =>
    page.evaluate((isHidden) => {
      Object.defineProperty(document, 'hidden', { configurable: true, value: isHidden });
      document.dispatchEvent(new Event('visibilitychange'));
    }, hidden);
  const first = listens();
  await page.goto(`${site.url}/console/jobs`);
  await first;
  const given = endOf();
  await show(true);
  await page.clock.fastForward(5_000);
  await given;
  const seen = listens();
  await show(false);
  await seen;
  const silent = endOf();
  await page.clock.fastForward(30_000);
  await silent;
  const again = listens();
  await page.clock.fastForward(1_000);
  await again;
});

test('of 200 jobs only those in view are drawn, all can be found and selected, and 1,000 tables fit a page', async ({
  page,
}) => {
  const large = await startSite({ env: { ALLOW_PLAIN_PASSWORD: 'on' } });
  try {
    const account = await newAccount(large, 'ada@site.example');
    // Stopped, since a job that fails meanwhile would move to the top of the list.
    const filled = await fillJobs(large, account, { jobs: 200, tables: 1_000, status: 'STOP' });
    await signInAs(page.context(), account);
    await page.goto(`${large.url}/console/jobs`);
    const rows = page.getByRole('grid', { name: 'Jobs' }).getByRole('row');
    await page.getByRole('link', { name: filled.newest, exact: true }).waitFor();
    expect(await rows.count()).toBeLessThan(60);
    await page.getByLabel('Filter jobs').fill('job 150');
    await page.getByRole('link', { name: 'job 150', exact: true }).waitFor();
    await page.waitForURL('**/console/jobs?q=job+150');
    await expect.poll(() => page.getByRole('link', { name: /^job \d+$/ }).count()).toBe(1);
    await page.getByLabel('Filter jobs').fill('');
    await page.getByRole('button', { name: 'Select all 200' }).click();
    await page.getByText('200 jobs selected').waitFor();

    // The background of the sticky head hides the rows below it.
    const head = page.getByRole('rowgroup').filter({ has: page.getByRole('columnheader') });
    const cell = await head.getByRole('columnheader').first().boundingBox();
    expect(await head.boundingBox()).toMatchObject({ y: cell?.y, height: cell?.height });

    // The focused row is fully visible.
    const focused = page.getByRole('grid', { name: 'Jobs' }).locator('[role=row]:focus');
    const placeOf = async (part: Locator) => {
      const { y, height } = (await part.boundingBox()) ?? { y: 0, height: 0 };
      return { top: y, bottom: y + height, height };
    };
    const enterRows = async () => {
      await page.getByRole('button', { name: 'Start' }).focus();
      await page.keyboard.press('Tab');
      // A row without focus receives no keys.
      await focused.waitFor();
    };
    await enterRows();
    await page.keyboard.press('ArrowDown');
    await expect.poll(async () => (await placeOf(focused)).height).toBe(64);
    const before = (await focused.getByRole('link').textContent()) ?? '';
    await page.keyboard.press('PageDown');
    await focused.filter({ hasNotText: before }).waitFor();
    await expect
      .poll(async () => (await placeOf(focused)).top - (await placeOf(head)).bottom)
      .toBeGreaterThanOrEqual(0);

    // On a phone the rows scroll with the page, and still only those in view are drawn.
    await page.setViewportSize({ width: 390, height: 844 });
    const grid = page.getByRole('grid', { name: 'Jobs' });
    await expect.poll(() => grid.evaluate((table) => table.scrollHeight - table.clientHeight)).toBe(0);
    const beyond = () =>
      page.locator('.console-long').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    await expect.poll(beyond).toBe(0);
    const oldest = page.getByRole('link', { name: 'job 1', exact: true });
    expect(await oldest.count()).toBe(0);
    // The end is known once rows are measured, on a starved machine later than the first try.
    const toEnd = () => grid.evaluate((table) => scrollBy(0, table.getBoundingClientRect().bottom - innerHeight));
    await expect.poll(() => toEnd().then(() => oldest.isVisible())).toBe(true);
    await expect.poll(() => rows.count()).toBeLessThan(60);
    await enterRows();
    for (const key of ['PageDown', 'PageDown', 'PageDown', 'End']) {
      await page.keyboard.press(key);
      await settle(page);
      await focused.waitFor();
    }
    await focused.filter({ hasText: '1001 tables' }).waitFor();
    await expect.poll(async () => (await placeOf(focused)).top).toBeGreaterThanOrEqual(0);
    await expect.poll(async () => (await placeOf(focused)).bottom).toBeLessThanOrEqual(844);
    await page.setViewportSize({ width: 820, height: 1180 });
    await page.getByRole('columnheader', { name: 'Last hour' }).waitFor();
    await expect.poll(beyond).toBe(0);
    await page.setViewportSize({ width: 1280, height: 720 });

    await page.goto(`${large.url}/console/job?id=${filled.large}`);
    // Roles are not queried before: that requires laying out every cell.
    await page.locator('.job-cell').first().waitFor();
    const layouts = await countLayouts(page);
    await page.getByLabel('Find a table').focus();
    for (const key of ['Tab', 'Tab', 'Enter']) await page.keyboard.press(key);
    await expect.poll(() => page.locator('[role=dialog]:focus').count()).toBe(1);
    await settle(page);
    // Opening by keyboard lays the page out a few times, not once for each table.
    expect(await layouts()).toBeLessThan(100);
    await page.keyboard.press('Escape');
    const cells = page
      .getByRole('list', { name: 'Tables', exact: true })
      .getByRole('button', { name: /^table_\d+: Live when it stopped$/ });
    await expect.poll(() => cells.nth(1).and(page.locator(':focus')).count()).toBe(1);
    expect(await cells.count()).toBe(1_000);
    await page.getByLabel('Find a table').fill('table_77');
    await expect.poll(() => cells.count()).toBe(11);
    await cells.first().click();
    await page.getByRole('dialog').getByText('table_77', { exact: false }).first().waitFor();
    // It would keep polling a server that is gone.
    await page.close();
  } finally {
    await large.stop();
  }
});

test('parked rows of a completed full copy can be retried on its page', async ({ page, problems }) => {
  const files = join(site.dataDir, 'files');
  mkdirSync(files, { recursive: true });
  // The job may still be writing when its page says that it is complete.
  const timeout = 60_000;
  const [source, target] = ['full.sqlite', 'copy.sqlite'].map(
    (name) => new DatabaseSync(join(files, name), { timeout }),
  );
  if (!source || !target) throw new Error('There are two.');
  const rows = `(id TEXT NOT NULL PRIMARY KEY, name TEXT, note TEXT`;
  source.exec(`PRAGMA journal_mode=WAL; CREATE TABLE item ${rows});
    INSERT INTO item VALUES ('a', 'too long', 'hidden'), ('b', 'fits', 'hidden'); CREATE TABLE log ${rows})`);
  target.exec(`PRAGMA journal_mode=WAL; CREATE TABLE item ${rows}, CHECK (length(name) < 5))`);
  const [from, to] = await Promise.all(
    ['full.sqlite', 'copy.sqlite'].map((file) =>
      owner.ask(jobCalls.addDataSource, z.string(), { type: 'SQLite', instanceDesc: file, settings: { file } }),
    ),
  );
  const tables = [
    { table: '*', tablePattern: '*', columns: [{ column: 'note', inBlackList: true }] },
    { table: 'log', inBlackList: true },
  ];
  const request = newJob(Number(from), Number(to), '', {
    jobType: 'MIGRATION',
    srcSchema: JSON.stringify([{ db: '', tables }]),
    autoStart: false,
  });
  const jobId = await owner.ask(jobCalls.createJob, z.string(), request);
  const untilJob = (state: object) => expect.poll(() => retryCreating(owner, Number(jobId))).toMatchObject(state);
  await untilJob({ lifeCycleState: 'CREATED' });
  await signInAs(page.context(), owner);
  // The page is there before the job runs, and is live only once the job is complete.
  const complete = Promise.withResolvers<void>();
  await page.route(`**${jobCalls.jobEvents}?*`, (route) => complete.promise.then(() => route.continue()));
  await page.goto(`${site.url}/console/job?id=${jobId}`);
  await page.getByRole('heading', { name: /^canal/ }).waitFor();
  await owner.ask(jobCalls.startJob, z.unknown(), { jobId: Number(jobId) });
  await untilJob({ dataTaskState: 'COMPLETE' });
  complete.resolve();
  await retrySlowQueries(page, problems);
  await page.getByRole('button', { name: /item.*1 parked/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('The job is complete: a replay copies its tables again.').waitFor();
  target.exec(`ALTER TABLE item RENAME TO old; CREATE TABLE item ${rows});
    INSERT INTO item SELECT * FROM old; DROP TABLE old`);
  await dialog.getByRole('button', { name: 'Retry row a' }).press('Enter');
  await dialog.getByRole('list', { name: 'Parked rows' }).waitFor({ state: 'detached' });
  expect(target.prepare('SELECT id, name, note FROM item ORDER BY id').all()).toEqual([
    { id: 'a', name: 'too long', note: null },
    { id: 'b', name: 'fits', note: null },
  ]);
  await dialog.getByRole('button', { name: 'Close' }).click();
  for (const database of [source, target]) database.close();

  // The duplicate's form contains what the job leaves out.
  // By key: the buttons before it change as the job completes again, and would move it away from a pointer.
  await page.getByRole('link', { name: 'Duplicate' }).press('Enter');
  await page.getByLabel('Columns').waitFor();
  await expect.poll(() => page.getByLabel('Columns').inputValue()).toBe('main.*: !note');
  await mouse(page).press('As a list');
  await expect.poll(() => page.locator('#job-tables').inputValue()).toBe('main.*\n!main.log');
  await page.locator('#job-tables').fill('main.*');
  await page.reload();
  await page.getByLabel('Columns').waitFor();
  await expect.poll(() => page.getByLabel('Columns').inputValue()).toBe('main.*: !note');
  await mouse(page).press('As a list');
  await expect.poll(() => page.locator('#job-tables').inputValue()).toBe('main.*');
  // The next test counts the jobs of this account.
  await owner.ask(jobCalls.deleteJob, z.null(), { jobId: Number(jobId) });
  await expect.poll(() => owner.ask(jobCalls.listJobs, z.array(z.unknown()))).toEqual([]);
  for (const dataSourceId of [from, to])
    await owner.ask(jobCalls.deleteDataSource, z.null(), { dataSourceId: Number(dataSourceId) });
});

test('a fault to repair in a data source links to it, as do the ends of the diagram', async ({ page }) => {
  const files = join(site.dataDir, 'files');
  mkdirSync(files, { recursive: true });
  const ends: number[] = [];
  for (const name of ['gone.sqlite', 'here.sqlite']) {
    const database = new DatabaseSync(join(files, name));
    database.exec('PRAGMA journal_mode=WAL; CREATE TABLE item (id INTEGER PRIMARY KEY)');
    database.close();
    const settings = { file: name };
    ends.push(
      Number(await owner.ask(jobCalls.addDataSource, z.string(), { type: 'SQLite', instanceDesc: name, settings })),
    );
  }
  const [from = 0, to = 0] = ends;
  const request = newJob(from, to, 'item', { jobType: 'MIGRATION', autoStart: false });
  const jobId = Number(await owner.ask(jobCalls.createJob, z.string(), request));
  const made = z.object({ lifeCycleState: z.literal('CREATED') });
  await expect.poll(() => owner.ask(jobCalls.queryJob, made, { jobId }).catch(() => null)).not.toBe(null);
  const gone = join(files, 'gone.sqlite');
  renameSync(gone, `${gone}.away`);
  await owner.ask(jobCalls.startJob, z.unknown(), { jobId });
  await signInAs(page.context(), owner);
  await page.goto(`${site.url}/console/job?id=${jobId}`);
  const cures = page.getByRole('alert').getByRole('link');
  await cures.getByText('Open the data source gone.sqlite').waitFor();
  expect(await cures.count()).toBe(1);
  await cures.click();
  await page.waitForURL(`**/console/data-sources?id=${from}`);
  const opened = page.locator('details[open] > summary');
  await opened.getByText('gone.sqlite').first().waitFor();
  expect(await opened.count()).toBe(1);
  await page.goBack();
  await page.locator('.job-channel').getByRole('link', { name: 'here.sqlite' }).click();
  await page.waitForURL(`**/console/data-sources?id=${to}`);
  // The next test counts the jobs of this account. A file that stays away keeps no job.
  await owner.ask(jobCalls.deleteJob, z.null(), { jobId });
  await page.goto(`${site.url}/console/job?id=${jobId}`);
  const hand = mouse(page);
  await hand.press('Delete anyway');
  await page.getByRole('dialog').getByText('stays there').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete anyway' }).click();
  await page.waitForURL('**/console/jobs');
  await expect.poll(() => owner.ask(jobCalls.listJobs, z.array(z.unknown()))).toEqual([]);
});

/** Counts how often a page is laid out from now on. */
async function countLayouts(page: Page): Promise<() => Promise<number>> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable');
  return async () => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    const count = metrics.find(({ name }) => name === 'LayoutCount');
    if (!count) throw new Error('Chromium no longer counts layouts.');
    return count.value;
  };
}

/** Adds a database of the test server through the form. */
async function addSource(page: Page, name: string, address: string): Promise<void> {
  const hand = mouse(page);
  const { hostname, port, pathname, username } = new URL(address);
  await hand.fill('Name', name);
  await hand.fill('Host', hostname);
  await hand.fill('Port', port);
  await hand.fill('Database', pathname.slice(1));
  await hand.fill('User', username);
  await hand.choose('TLS', 'disable');
  await hand.press('Add data source');
  // It is tested as soon as it is added.
  const entry = page.locator('details.console-entry', { hasText: name });
  await untilAnswers(entry);
  // No job uses it yet.
  await entry.locator('.job-findings').waitFor();
  expect(await entry.locator('.job-findings small').allInnerTexts()).not.toContain('source');
}

async function rowsOf(client: pg.Client, condition = 'true'): Promise<unknown> {
  const { rows } = await client.query(
    `SELECT count(*)::int AS n, md5(string_agg(t::text, ',' ORDER BY id)) FROM item t WHERE ${condition}`,
  );
  return rows[0];
}

test('the data source form asks for the password again before sending it to another address', async ({ page }) => {
  await signInAs(page.context(), owner);
  const settings = { host: '127.0.0.1', port: 1, database: 'shop', user: 'ada', password: 'old', tls: 'disable' };
  const wanted = { type: 'PostgreSQL', instanceDesc: 'Guarded', settings };
  const dataSourceId = Number(await owner.ask(jobCalls.addDataSource, z.string(), wanted));
  const hand = mouse(page);
  await page.goto(`${site.url}/console/data-sources`);
  await hand.press('Guarded');
  await hand.press('Change settings');
  const entry = page.locator('details.console-entry', { hasText: 'Guarded' });
  await entry.getByLabel('Port', { exact: true }).fill('2');
  await hand.press('Save settings');
  await entry.getByRole('alert').getByText('it is used at the new address', { exact: false }).waitFor();
  await entry.locator('.console-facts').getByText('1', { exact: true }).waitFor();
  await entry.getByLabel('Password').fill('old');
  await hand.press('Save settings');
  await entry.locator('.console-facts').getByText('2', { exact: true }).waitFor();
  await owner.ask(jobCalls.deleteDataSource, z.null(), { dataSourceId });
});

test('two PostgreSQL databases are connected through the pages, and an API key reads the same job', async ({
  page,
  problems,
}) => {
  const addresses = [await createDatabase(inject('postgresUrl')), await createDatabase(inject('postgresUrl'))] as const;
  const [source, target] = addresses.map((connectionString) => new pg.Client({ connectionString }));
  if (!source || !target) throw new Error('There are two.');
  await Promise.all([source.connect(), target.connect()]);
  try {
    await source.query(`CREATE TABLE item (id int PRIMARY KEY, name text);
      INSERT INTO item SELECT i, 'item ' || i FROM generate_series(1, 1000) i`);
    const hand = mouse(page);
    await signInAs(page.context(), owner);
    await page.goto(`${site.url}/console/data-sources`);
    await addSource(page, 'Shop', addresses[0]);
    await addSource(page, 'Warehouse', addresses[1]);
    await hand.press('Shop');
    await hand.press('Change settings');
    const [entry, port] = [page.locator('details.console-entry', { hasText: 'Shop' }), new URL(addresses[0]).port];
    const save = async (value: string) => {
      await entry.getByLabel('Port', { exact: true }).fill(value);
      await hand.press('Save settings');
      await entry.locator('.console-facts').getByText(value, { exact: true }).waitFor();
    };
    await save('1');
    await entry.getByText('Failed', { exact: true }).waitFor();
    // Changes made elsewhere while the form is open are not reverted.
    const listed = z.array(
      z.object({
        id: z.number(),
        instanceDesc: z.string(),
        settings: z.object({ publication: z.string().optional() }),
      }),
    );
    const shop = async () =>
      (await owner.ask(jobCalls.listDataSources, listed, {})).find(({ instanceDesc }) => instanceDesc === 'Shop');
    const publish = async (publication: string) =>
      owner.ask(jobCalls.changeDataSource, z.null(), {
        dataSourceId: (await shop())?.id,
        updateConfigs: { publication },
      });
    await publish('elsewhere');
    await save(port);
    expect((await shop())?.settings.publication).toBe('elsewhere');
    await publish('');
    await entry.getByRole('button', { name: 'Test', exact: true }).click();
    await untilAnswers(entry);

    await page.goto(`${site.url}/console/new-job`);
    const stopRetrying = await retrySlowQueries(page, problems);
    await hand.choose('Source', 'PostgreSQL: Shop');
    await hand.choose('Target', 'PostgreSQL: Warehouse');
    await page.getByLabel('public.item').check();
    await hand.press('Only some rows');
    const create = page.getByRole('button', { name: 'Create and start' });
    await create.waitFor();
    await page.getByLabel('Row filters').fill('public.item id <= 900');
    await page.locator('#job-filters-error').getByText('has no colon after its table').waitFor();
    await create.waitFor({ state: 'detached' });
    await page.getByLabel('Row filters').fill('public.item: ide <= 900');
    await page.getByText('column "ide" does not exist', { exact: false }).waitFor();
    // A warning has to be read, so there is no button that applies all suggestions.
    await page.getByText('max_slot_wal_keep_size has no limit', { exact: false }).waitFor();
    expect(await page.getByText('Fix all faults').count()).toBe(0);
    await page.getByLabel('Row filters').fill('public.item: id <= 900');
    await page.getByText('is an immutable condition', { exact: false }).waitFor();
    await hand.press('What is created at the target');
    await page.getByText('CREATE TABLE', { exact: false }).first().waitFor();
    await hand.press('The same job as YAML');
    const yaml = await page.locator('code', { hasText: /^clusterId: 1$/m }).innerText();
    await hand.press('The same job as a call');
    const curl = await page.locator('code', { hasText: /^curl / }).innerText();
    await hand.press('Create and start');
    await page.waitForURL('**/console/job?id=*');
    await page.getByRole('heading', { name: 'Shop to Warehouse' }).waitFor();
    await figure(page, 'Live').getByText('1').waitFor();

    await source.query(
      `UPDATE item SET name = 'changed' WHERE id % 10 = 0; DELETE FROM item WHERE id = 7; INSERT INTO item VALUES (5000, NULL)`,
    );
    await expect.poll(() => rowsOf(target)).toEqual(await rowsOf(source, 'id <= 900'));

    await target.query('ALTER TABLE item ADD CONSTRAINT short CHECK (length(name) < 20) NOT VALID');
    await source.query(`UPDATE item SET name = 'a name that is too long' WHERE id = 11`);
    await page.getByText('1 parked').waitFor();
    await page.getByRole('button', { name: /public\.item.*1 parked/ }).click();
    const dialog = page.getByRole('dialog');
    const parked = dialog.getByRole('list', { name: 'Parked rows' });
    await parked.getByText('CONSTRAINT_REFUSED').waitFor();
    await target.query('ALTER TABLE item DROP CONSTRAINT short');
    await parked.getByRole('button', { name: 'Retry row 11' }).press('Enter');
    await parked.waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'Close' }).click();
    await stopRetrying();
    expect(await rowsOf(target)).toEqual(await rowsOf(source, 'id <= 900'));

    const key = await owner.ask(jobCalls.createApiKey, z.object({ accessKey: z.string(), secret: z.string() }), {
      name: 'shell',
    });
    // A repeated request returns the first job: both are the same one.
    const bearer = `${key.accessKey}.${key.secret}`;
    const jobId = new URL(page.url()).searchParams.get('id');
    const called = await run('sh', ['-c', curl.replace('KEY.SECRET', bearer)]);
    expect(JSON.parse(called.stdout)).toMatchObject({ code: '1', data: jobId });
    const file = join(site.dataDir, 'job.yaml');
    writeFileSync(file, yaml);
    const words = [join(import.meta.dirname, '../../millrace.ts'), 'job', 'create', '-f', file];
    const env = { ...process.env, MILLRACE_URL: site.url, MILLRACE_KEY: bearer };
    expect((await run(process.execPath, words, { env })).stdout.trim()).toBe(jobId);
    const answer = await fetch(site.url + jobCalls.listJobs, {
      method: 'POST',
      headers: { Authorization: `Bearer ${bearer}`, 'Content-Type': 'application/json' },
      body: '{}',
    });
    expect(await answer.json()).toMatchObject({
      code: '1',
      data: [{ dataTaskState: 'INCRE', currTaskStatus: 'RUNNING' }],
    });

    await hand.press('Stop');
    await page.getByText('Stopped').first().waitFor();
    await hand.press('Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL('**/console/jobs');
    await page.getByText('Connect two databases').waitFor();
    const left = await source.query(`SELECT slot_name FROM pg_replication_slots WHERE database = current_database()
      UNION ALL SELECT pubname FROM pg_publication`);
    expect(left.rows).toEqual([]);
  } finally {
    await Promise.all([source.end(), target.end()]);
  }
});

test('a job that could not be created says why, and a retry creates it while its page is open', async ({ page }) => {
  const addresses = [await createDatabase(inject('postgresUrl')), await createDatabase(inject('postgresUrl'))] as const;
  const client = new pg.Client({ connectionString: addresses[0] });
  await client.connect();
  await client.query('CREATE TABLE item (id int PRIMARY KEY)');
  await client.end();
  const add = (address: string, changes: object) => {
    const settings = { ...settingsOf(address), ...changes };
    return owner.ask(jobCalls.addDataSource, z.string(), { type: 'PostgreSQL', instanceDesc: 'a', settings });
  };
  const [from, to] = [await add(addresses[0], { port: 1 }), await add(addresses[1], {})];
  const srcSchema = JSON.stringify([
    { db: '', schemas: [{ schema: 'public', tables: [{ table: '*', tablePattern: '*' }] }] },
  ]);
  const request = newJob(Number(from), Number(to), '', { jobType: 'MIGRATION', srcSchema });
  const jobId = await owner.ask(jobCalls.createJob, z.string(), request);
  await signInAs(page.context(), owner);
  await page.goto(`${site.url}/console/jobs`);
  await page.getByRole('row').filter({ hasText: 'Could not be created' }).getByText('not known yet').waitFor();
  await page.goto(`${site.url}/console/job?id=${jobId}`);
  await page.getByText('Could not be created', { exact: true }).waitFor();
  await page.getByText('Failed', { exact: true }).waitFor();
  const steps = page.locator('.job-steps').getByRole('listitem');
  await steps.nth(2).getByText('Save the job').waitFor();
  expect(await steps.getByText(/schema|state machine/i).count()).toBe(0);
  expect([...(await overflow(page, 820)), ...(await overflow(page, 1280))]).toEqual([]);
  const updateConfigs = { port: Number(new URL(addresses[0]).port) };
  await owner.ask(jobCalls.changeDataSource, z.null(), { dataSourceId: Number(from), updateConfigs });
  const retried = page.waitForResponse(`**${jobCalls.retryTask}`);
  await page.getByRole('button', { name: 'Retry', exact: true }).press('Enter');
  await retried;
  const job = () => retryCreating(owner, Number(jobId));
  await expect.poll(job).toMatchObject({ dataTaskState: 'COMPLETE' });
  await page.locator('.job-head').getByText('Complete', { exact: true }).waitFor();
});
