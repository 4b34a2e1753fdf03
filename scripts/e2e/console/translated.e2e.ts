import type { Page } from 'playwright';
import { afterAll, beforeAll } from 'vitest';
import type { RunningSite } from '../site.ts';
import { translate } from '../translate.ts';
import { eventually } from '../visitor.ts';
import { type Account, signInAs, startOwnedSite } from './account.ts';
import { test } from './browser.ts';
import { mouse } from './hand.ts';

let site: RunningSite;
let owner: Account;

beforeAll(async () => {
  ({ site, owner } = await startOwnedSite());
});
afterAll(() => site.stop());

const legend = (page: Page) => page.locator('.job-legend').innerText();

test('a job that the browser has translated still shows its figures as they change', async ({ page }) => {
  const hand = mouse(page);
  await signInAs(page.context(), owner);
  await page.goto(`${site.url}/console/jobs`);
  await hand.press('Try the practice pair');
  await page.waitForURL('**/console/job?id=*');
  await eventually(() => legend(page)).toMatch(/^Live\s+3$/);
  await translate(page);
  await eventually(() => legend(page)).toMatch(/^«Live»\s+«?3»?$/);

  await page.locator('.job-cell', { hasText: 'orders' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Pause' }).waitFor();
  await translate(page);
  await dialog.getByRole('button', { name: 'Pause' }).click();
  await eventually(() => legend(page)).toMatch(/^«Live»\s+2\s+Paused\s+1$/);
  await dialog.getByText('Paused').waitFor();
  await translate(page);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await dialog.waitFor({ state: 'detached' });

  await hand.press('«Stop»');
  await page.getByText('Stopped').first().waitFor();
  await page.getByText('No process is running for this job.').waitFor();
});
