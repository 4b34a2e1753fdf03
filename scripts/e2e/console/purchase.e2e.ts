import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { expect, inject } from 'vitest';
import { z } from 'zod';
import { calls } from '../../../client/contract/calls.ts';
import { createDatabase } from '../../../server/testing/postgres.ts';
import { type RunningSite, startSite } from '../site.ts';
import { eventually, hold, settle } from '../visitor.ts';
import { nextCode, offerPackages, operate, password } from './account.ts';
import { test } from './browser.ts';
import { type Hand, keyboard, mouse } from './hand.ts';

const mail = 'ada@site.example';

async function signUp(page: Page, hand: Hand, site: RunningSite): Promise<string> {
  await page.goto(`${site.url}/console/licences`);
  await page.waitForURL('**/login');
  await hand.press('Sign up');
  await page.waitForURL('**/register');
  // Before that a press of its button would submit it without the script.
  await page.locator('form[data-attached]').waitFor();
  await hand.fill('User name', 'Ada');
  await hand.fill('E-mail', mail);
  await hand.press('Send code');
  const code = await nextCode(site, mail);
  await hand.fill('E-mail code', code);
  await hand.fill('Password', password);
  await hand.press('Sign up');
  // The page that the visitor wanted before the sign-in.
  await page.waitForURL('**/console/licences');
  return code;
}

async function order(page: Page, hand: Hand, applyCode: string, edition: string, button: string): Promise<void> {
  await hand.go('Licences');
  await hand.fill('Apply code', applyCode);
  await hand.choose('Edition', edition);
  await hand.press('Show the price');
  await hand.press(button);
  await page.waitForURL('**/console/orders?order=*');
}

/** A price that arrives after the request was changed is not for the current request. */
async function changeWhilePriced(page: Page, hand: Hand, applyCode: string): Promise<void> {
  await hand.go('Licences');
  await hand.fill('Apply code', applyCode);
  await hand.choose('Edition', 'Enterprise');
  const late = await hold(page, `**${calls.calculatePrice}`);
  const asked = page.waitForRequest(`**${calls.calculatePrice}`);
  await hand.press('Show the price');
  await asked;
  await hand.fill('Links', '7');
  const answered = page.waitForResponse(`**${calls.calculatePrice}`);
  late.release();
  await answered;
  await settle(page);
  expect(await page.getByText('To pay').count()).toBe(0);
  await page.unroute(`**${calls.calculatePrice}`);
  // As a Persian keyboard types it.
  await hand.fill('Links', '۵');
}

/** A price for much less than the licence just bought says that the rest of that licence is lost. */
async function priceLess(page: Page, hand: Hand, applyCode: string): Promise<void> {
  await hand.go('Licences');
  await hand.fill('Apply code', applyCode);
  await hand.choose('Edition', 'Enterprise');
  await hand.choose('Period', '1 day');
  await hand.press('Show the price');
  await page.getByText(/The current licence ends with this order\. [\d,.]+ USD .+ is lost/).waitFor();
  // A price is only a question: what was entered for it stays until a licence is ordered.
  await page.reload();
  const entered = (label: string) => page.getByLabel(label, { exact: true }).inputValue();
  await eventually(() => entered('Apply code')).toBe(applyCode);
  expect(await entered('Edition')).toBe('ENTERPRISE');
}

/** What the data plane would report for a day. */
function usageFile(dataDir: string, uid: string): string {
  const file = join(dataDir, 'usage.ndjson');
  const job = { dataJobId: '7', dataJobName: 'orders', item: 'INCREMENT', rows: 5e6 };
  const record = JSON.stringify({ id: 'a', uid, day: '2026-11-20', ...job });
  writeFileSync(file, `${record}\n${record}\n`);
  return file;
}

const hands = { 'the mouse': mouse, 'the keyboard alone': keyboard };

test.for([
  ['sqlite', 'the mouse'],
  ['postgres', 'the mouse'],
  ['sqlite', 'the keyboard alone'],
  ['postgres', 'the keyboard alone'],
] as const)(
  'a customer gets from sign-up to a paid licence, a bill and an invoice, on %s, with %s',
  async ([kind, tool], { page }) => {
    const env: Record<string, string> =
      kind === 'postgres' ? { DATABASE_URL: await createDatabase(inject('postgresUrl')) } : {};
    const site = await startSite({ env });
    const run = (command: string, ...args: string[]) => operate(site, env, command, ...args);
    const hand = hands[tool](page);
    try {
      offerPackages(site);
      const firstCode = await signUp(page, hand, site);
      const applyCode = run('licence', 'apply-code', '3');
      await order(page, hand, applyCode, 'Community', 'Order');
      await page.locator('details[open]').getByText('Issued').first().waitFor();
      await changeWhilePriced(page, hand, applyCode);
      await order(page, hand, applyCode, 'Enterprise', 'Pay by bank transfer');
      const entry = page.locator('details[open]');
      const reference = await entry.locator('code').first().innerText();
      expect(run('order', 'confirm', reference)).toBe(`Order ${reference} is ISSUED.`);
      await page.reload();

      await entry.getByRole('button', { name: 'Send code' }).waitFor();
      await hand.press('Send code');
      // The focus stays where it is while the button counts down.
      const again = entry.getByRole('button', { name: /^Again in \d+ s$/ });
      await again.waitFor();
      await eventually(() => again.evaluate((button) => button === document.activeElement)).toBe(true);
      await hand.fill('Code', await nextCode(site, mail, firstCode));
      await hand.press('Show the authorization code');
      const authCode = await entry.locator('code', { hasText: /^eyJ/ }).innerText();
      const keyFile = join(site.dataDir, 'key.json');
      writeFileSync(keyFile, run('licence', 'public-key'));
      expect(run('licence', 'verify', authCode, keyFile)).toContain('Valid: ENTERPRISE, 5 links');
      await priceLess(page, hand, applyCode);

      await hand.go('Downloads');
      await hand.pressInTable('Get the address');
      await page.getByRole('dialog').getByRole('link', { name: 'Download', exact: true }).waitFor();
      const archive = page.waitForEvent('download');
      await hand.press('Download');
      expect((await archive).suggestedFilename()).not.toBe('');
      await hand.press('Close');
      await page.getByRole('dialog').waitFor({ state: 'detached' });

      await hand.go('Subscription');
      await hand.press('Subscribe');
      await page.getByText('Active').waitFor();

      await hand.go('Invoices');
      const pdf = page.waitForEvent('download');
      await hand.pressInTable('PDF');
      const start = readFileSync(await (await pdf).path()).subarray(0, 5);
      expect(start.toString()).toBe('%PDF-');

      const stored = JSON.parse((await page.evaluate(() => localStorage.getItem('user-store'))) ?? '');
      const { uid } = z.object({ userInfo: z.object({ uid: z.string() }) }).parse(stored).userInfo;
      expect(run('usage', 'import', usageFile(site.dataDir, uid))).toContain('1 new records');
      run('usage', 'bill');
      await hand.go('Billing');
      await page.locator('.console-entry summary').waitFor();
      expect(await page.locator('.console-entry summary .figure').innerText()).toBe('50.00 USD');
      await hand.press(await page.locator('.console-entry summary time').innerText());
      await page.getByRole('rowheader', { name: 'orders' }).waitFor();

      await hand.go('User center');
      await page.getByRole('tab', { name: 'Profile' }).waitFor();
      await hand.press('Hello, Ada');
      await hand.press('Logout');
      await page.waitForURL(`${site.url}/`);
      expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
    } finally {
      // It may still have calls for a server that is gone.
      await page.close();
      await site.stop();
    }
  },
);

test('a customer with a phone number alone sees the authorization code after a code sent by SMS', async ({ page }) => {
  const site = await startSite({ env: { DEPLOY_SITE: 'china' } });
  const hand = mouse(page);
  const phone = '+8613800138000';
  try {
    await page.goto(`${site.url}/register`);
    await page.locator('form[data-attached]').waitFor();
    await hand.fill('User name', 'Ada');
    await page.locator('input[name=phoneAreaCode]').fill('+86');
    await hand.fill('Phone', '13800138000');
    await hand.press('Send code');
    const firstCode = await nextCode(site, phone);
    await hand.fill('SMS code', firstCode);
    await hand.fill('Password', password);
    await hand.press('Sign up');
    await page.waitForURL(`${site.url}/`);
    await page.goto(`${site.url}/console/licences`);
    await order(page, hand, operate(site, {}, 'licence', 'apply-code', '3'), 'Community', 'Order');
    const entry = page.locator('details[open]');
    await entry.getByText('a code that is sent to your phone').waitFor();
    await hand.press('Send code');
    await hand.fill('Code', await nextCode(site, phone, firstCode));
    await hand.press('Show the authorization code');
    await entry.locator('code', { hasText: /^eyJ/ }).waitFor();
  } finally {
    await page.close();
    await site.stop();
  }
});
