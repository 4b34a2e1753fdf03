import pg from 'pg';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, inject } from 'vitest';
import { z } from 'zod';
import { jobCalls } from '../../client/contract/jobs/calls.ts';
import { createDatabase } from '../../server/testing/postgres.ts';
import { test } from './browser.ts';
import { type Account, newAccount, signInAs } from './console-account.ts';
import { mouse } from './hand.ts';
import { type RunningSite, startSite } from './site.ts';

let site: RunningSite;
let owner: Account;

beforeAll(async () => {
  site = await startSite({ env: { ALLOW_PLAIN_PASSWORD: 'on' } });
  owner = await newAccount(site, 'ada@site.example');
});
afterAll(() => site.stop());

const figure = (page: Page, name: string) => page.locator('.job-legend li', { hasText: name });

test('the practice pair moves by one press, is paused and resumed by table, and leaves nothing behind', async ({
  page,
}) => {
  const hand = mouse(page);
  await signInAs(page.context(), owner);
  await page.goto(`${site.url}/console/jobs`);
  await hand.press('Try the practice pair');
  await page.waitForURL('**/console/job?id=*');
  await figure(page, 'Live').getByText('3').waitFor();
  await page.locator('[data-moving]').waitFor();

  await page.getByRole('button', { name: /orders/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Pause' }).click();
  await dialog.getByText('Paused').waitFor();
  await dialog.getByRole('button', { name: /^Resume/ }).click();
  await dialog.getByText('Live', { exact: true }).waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();

  await hand.press('Events');
  await page.getByText('The job was made.').waitFor();
  await hand.press('Stop');
  await page.getByText('Stopped').first().waitFor();
  await hand.press('Delete');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.waitForURL('**/console/jobs');
  await page.getByText('Connect two databases').waitFor();
  await hand.go('Data sources');
  await page.getByText('No data source yet').waitFor();
});

/** Adds a database of the tests' server by the form. */
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
  await page.locator('summary', { hasText: name }).waitFor();
}

async function rowsOf(client: pg.Client, condition = 'true'): Promise<unknown> {
  const { rows } = await client.query(
    `SELECT count(*)::int AS n, md5(string_agg(t::text, ',' ORDER BY id)) FROM item t WHERE ${condition}`,
  );
  return rows[0];
}

test('two databases of PostgreSQL are connected through the pages, and the same job is read with a key', async ({
  page,
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
    await hand.press('Test');
    await page.getByText('Answers', { exact: true }).waitFor();

    await page.goto(`${site.url}/console/new-job`);
    await hand.choose('Source', 'PostgreSQL: Shop');
    await hand.choose('Target', 'PostgreSQL: Warehouse');
    await page.getByLabel('public.item').check();
    await hand.press('Only some rows');
    await page.getByLabel('Row filters').fill('public.item: ide <= 900');
    await page.getByText('column "ide" does not exist', { exact: false }).waitFor();
    await page.getByLabel('Row filters').fill('public.item: id <= 900');
    await page.getByText('is an immutable condition', { exact: false }).waitFor();
    await hand.press('What is made at the target');
    await page.getByText('CREATE TABLE', { exact: false }).first().waitFor();
    await hand.press('Create and start');
    await page.waitForURL('**/console/job?id=*');
    await figure(page, 'Live').getByText('1').waitFor();

    await source.query(
      `UPDATE item SET name = 'changed' WHERE id % 10 = 0; DELETE FROM item WHERE id = 7; INSERT INTO item VALUES (5000, NULL)`,
    );
    await expect.poll(() => rowsOf(target), { timeout: 60_000 }).toEqual(await rowsOf(source, 'id <= 900'));

    const key = await owner.ask(jobCalls.createApiKey, z.object({ accessKey: z.string(), secret: z.string() }), {
      name: 'shell',
    });
    const answer = await fetch(site.url + jobCalls.listJobs, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key.accessKey}.${key.secret}`, 'Content-Type': 'application/json' },
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
