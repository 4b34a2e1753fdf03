import { exportJWK, generateKeyPair } from 'jose';
import { expect } from 'vitest';
import { z } from 'zod';
import { calls } from '../../../client/contract/calls.ts';
import { readApplyCode } from '../../../server/console/licensing/apply-code.ts';
import { signAuthCode } from '../../../server/console/licensing/auth-code.ts';
import { overflow, violationsByTheme, withAxe } from '../page-checks.ts';
import { startSite } from '../site.ts';
import { settle } from '../visitor.ts';
import { newAccount, signInAs } from './account.ts';
import { test } from './browser.ts';
import { mouse } from './hand.ts';

const day = 86_400_000;
const env = { ALLOW_PLAIN_PASSWORD: 'on' };

test("an installation's owner finds the apply code in the settings and enters the seller's code", async ({ page }) => {
  const seller = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  const publicKey = JSON.stringify(await exportJWK(seller.publicKey));
  const site = await startSite({ env: { ...env, LICENCE_PUBLIC_KEY: publicKey } });
  try {
    const owner = await newAccount(site, 'ada@site.example');
    const { applyCode } = await owner.ask(calls.installation, z.object({ applyCode: z.string() }));
    const { installation } = readApplyCode(applyCode);
    const hand = mouse(page);
    await signInAs(page.context(), owner);
    await withAxe(page.context());
    await page.goto(`${site.url}/console`);
    await hand.go('Settings');
    await page.getByText('0 of 5 taken').waitFor();
    await page.getByText(applyCode, { exact: true }).waitFor();

    const now = Date.now();
    const code = (links: number, from: number, key = seller.privateKey) =>
      signAuthCode(
        { id: 'l', installation, edition: 'ENTERPRISE', links, from, to: from + 30 * day, replaces: [] },
        { kid: 'k', key },
      );
    const stranger = await generateKeyPair('EdDSA', { crv: 'Ed25519' });
    await hand.fill('Authorization code', await code(40, now - day, stranger.privateKey));
    await hand.press('Enter the code');
    await page.getByText('This authorization code is not valid', { exact: false }).waitFor();
    await page.getByText('0 of 5 taken').waitFor();

    await hand.fill('Authorization code', await code(40, now - day));
    await hand.press('Enter the code');
    await page.getByText('Valid: 40 links until', { exact: false }).waitFor();
    await page.getByText('0 of 40 taken').waitFor();
    await page.getByText('Enterprise', { exact: true }).waitFor();
    expect(await violationsByTheme(page, 'settings')).toEqual([]);
    for (const width of [320, 1280]) expect(await overflow(page, width)).toEqual([]);
    // The licence's proof is not kept as a draft.
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain('eyJ');
  } finally {
    // It may still have calls for a server that is gone.
    await page.close();
    await site.stop();
  }
});

test('without a seller’s key the navigation omits the settings, which say that no licence is needed', async ({
  page,
}) => {
  const site = await startSite({ env });
  try {
    const owner = await newAccount(site, 'ada@site.example');
    await signInAs(page.context(), owner);
    await page.goto(`${site.url}/console`);
    const asked = page.waitForResponse((answer) => answer.url().endsWith(calls.installation));
    await page.reload();
    await (await asked).finished();
    await settle(page);
    await page.locator('.console-nav').getByText('User center').waitFor();
    expect(await page.locator('.console-nav').getByText('Settings').count()).toBe(0);
    await page.goto(`${site.url}/console/settings`);
    await page.getByText('No licence is needed').waitFor();
  } finally {
    await page.close();
    await site.stop();
  }
});
