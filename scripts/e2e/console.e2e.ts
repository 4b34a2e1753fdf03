import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { expect, inject } from 'vitest';
import { z } from 'zod';
import { createDatabase } from '../../server/testing/postgres.ts';
import { test } from './browser.ts';
import { nextCode, operate, password } from './console-account.ts';
import { type RunningSite, startSite } from './site.ts';

const mail = 'ada@site.example';

async function signUp(page: Page, site: RunningSite): Promise<string> {
  await page.goto(`${site.url}/console/licences`);
  await page.waitForURL('**/login');
  await page.getByRole('link', { name: 'Sign up' }).first().click();
  await page.waitForURL('**/register');
  await page.getByLabel('User name').fill('Ada');
  await page.getByLabel('E-mail', { exact: true }).fill(mail);
  await page.getByRole('button', { name: 'Send code' }).click();
  const code = await nextCode(site, mail);
  await page.getByLabel('E-mail code').fill(code);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign up', exact: true }).click();
  // Where the visitor wanted to be before the sign-in.
  await page.waitForURL('**/console/licences');
  return code;
}

async function order(page: Page, applyCode: string, edition: string): Promise<void> {
  await page.getByRole('link', { name: 'Licences', exact: true }).first().click();
  await page.getByLabel('Apply code').fill(applyCode);
  await page.getByLabel('Edition').selectOption({ label: edition });
  await page.getByRole('button', { name: 'Show the price' }).click();
  await page.getByRole('button', { name: /^(Order|Pay by bank transfer)$/ }).click();
  await page.waitForURL('**/console/orders?order=*');
}

test.for(['sqlite', 'postgres'] as const)(
  'from sign-up to a paid licence, a bill and an invoice, on %s',
  async (kind, { page }) => {
    const env: Record<string, string> =
      kind === 'postgres' ? { DATABASE_URL: await createDatabase(inject('postgresUrl')) } : {};
    const site = await startSite({ env });
    const run = (command: string, ...args: string[]) => operate(site, env, command, ...args);
    try {
      const firstCode = await signUp(page, site);
      const applyCode = run('licence', 'apply-code', '3');
      await order(page, applyCode, 'Community');
      await page.locator('details[open]').getByText('Issued').first().waitFor();
      await order(page, applyCode, 'Enterprise');
      const entry = page.locator('details[open]');
      const reference = await entry.locator('code').first().innerText();
      expect(run('order', 'confirm', reference)).toBe(`Order ${reference} is ISSUED.`);
      await page.reload();

      await entry.getByRole('button', { name: 'Send code' }).click();
      await entry.getByLabel('Code', { exact: true }).fill(await nextCode(site, mail, firstCode));
      await entry.getByRole('button', { name: 'Show the authorization code' }).click();
      const authCode = await entry.locator('code', { hasText: /^eyJ/ }).innerText();
      const keyFile = join(site.dataDir, 'key.json');
      writeFileSync(keyFile, run('licence', 'public-key'));
      expect(run('licence', 'verify', authCode, keyFile)).toContain('Valid: ENTERPRISE, 5 links');

      await page.getByRole('link', { name: 'Subscription', exact: true }).click();
      await page.getByRole('button', { name: 'Subscribe' }).click();
      await page.getByText('Active').waitFor();

      await page.getByRole('link', { name: 'Invoices', exact: true }).click();
      const pdf = page.waitForEvent('download');
      await page.getByRole('link', { name: /^PDF/ }).click();
      expect(
        readFileSync(await (await pdf).path())
          .subarray(0, 5)
          .toString(),
      ).toBe('%PDF-');

      const { uid } = z
        .object({ userInfo: z.object({ uid: z.string() }) })
        .parse(JSON.parse((await page.evaluate(() => localStorage.getItem('user-store'))) ?? '')).userInfo;
      const file = join(site.dataDir, 'usage.ndjson');
      const record = {
        id: 'a',
        uid,
        day: '2026-11-20',
        dataJobId: '7',
        dataJobName: 'orders',
        item: 'INCREMENT',
        rows: 5e6,
      };
      writeFileSync(file, `${JSON.stringify(record)}\n${JSON.stringify(record)}\n`);
      expect(run('usage', 'import', file)).toContain('1 new records');
      run('usage', 'bill');
      await page.getByRole('link', { name: 'Billing', exact: true }).click();
      await page.locator('.console-entry summary').first().click();
      await page.getByRole('rowheader', { name: 'orders' }).waitFor();
      expect(await page.locator('.console-entry summary .figure').innerText()).toBe('50.00 USD');

      await page.getByRole('link', { name: 'User center', exact: true }).click();
      await page.getByRole('tab', { name: 'Sessions' }).click();
      await page.getByText('This one').waitFor();
      await page.locator('.account > summary').click();
      await page.locator('.bar').getByRole('button', { name: 'Logout' }).click();
      await page.waitForURL(`${site.url}/`);
      expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
    } finally {
      await site.stop();
    }
  },
);
