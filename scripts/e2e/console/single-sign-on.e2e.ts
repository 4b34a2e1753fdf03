import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { z } from 'zod';
import { calls } from '../../../client/contract/calls.ts';
import { freePort } from '../../../server/testing/free-port.ts';
import {
  type IdentityProvider,
  type Person,
  startIdentityProvider,
} from '../../../server/testing/identity-provider.ts';
import { patience } from '../../../server/testing/patience.ts';
import { type RunningSite, startSite } from '../site.ts';
import { eventually } from '../visitor.ts';
import { newAccount, nextCode, signInAs } from './account.ts';
import { test } from './browser.ts';

let site: RunningSite;
let provider: IdentityProvider;

const starts = z.object({ data: z.object({ oidc: z.string().optional() }).optional() });

beforeAll(async () => {
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  provider = await startIdentityProvider(`${url}/loading`);
  const own = { OIDC_NAME: 'Mill Ltd', ALLOW_PLAIN_PASSWORD: 'on' };
  site = await startSite({ env: { PORT: port, PUBLIC_URL: url, ...provider.settings, ...own } });
  // A provider that did not answer in time is left alone for a while; one that did is not asked again for an hour.
  await vi.waitUntil(async () => {
    const answer = await fetch(url + calls.ssoType, { method: 'POST' });
    return starts.parse(await answer.json()).data?.oidc;
  }, patience);
});
afterAll(async () => {
  await site.stop();
  await provider.close();
});

/** Goes from the sign-in page to the provider, which signs the user in at once, and back to /loading. */
async function signIn(page: Page, person: Person): Promise<void> {
  provider.meet(person);
  await page.goto(`${site.url}/login`);
  await page.getByRole('link', { name: 'Continue with Mill Ltd' }).click();
}

const greeting = (page: Page, name: string) => page.locator('.bar .account', { hasText: `Hello, ${name}` }).waitFor();

test('a user whose provider confirms the address is signed in by the button with its name', async ({ page }) => {
  await signIn(page, { sub: 'a', name: 'Ada L.', email: 'ada@mill.example', email_verified: true });
  await page.waitForURL(`${site.url}/`);
  await greeting(page, 'Ada L.');
  // The account has no password, which a new address needs.
  await page.goto(`${site.url}/console/usercenter?tab=email`);
  await page.getByText('If you have no password yet').getByRole('link', { name: 'a code' }).click();
  await page.waitForURL(`${site.url}/resetPwd`);
});

test('a sign-in page that waited for longer than its start addresses are valid asks for new ones', async ({ page }) => {
  provider.meet({ sub: 'e', name: 'Joan', email: 'joan@mill.example', email_verified: true });
  await page.clock.install();
  await page.goto(`${site.url}/login`);
  const button = page.getByRole('link', { name: 'Continue with Mill Ltd' });
  const first = await button.getAttribute('href');
  await page.clock.fastForward(10 * 60_000);
  // The provider does not show a page at once, and the user presses again.
  await page.route('**/auth?*', (route) => route.fulfill({ status: 204 }), { times: 1 });
  const started = page.waitForRequest((request) => request.isNavigationRequest());
  await button.click();
  const second = (await started).url();
  expect(second).not.toBe(first);
  expect(await button.getAttribute('href')).toBe(second);
  await button.click();
  await page.waitForURL(`${site.url}/`);
  await greeting(page, 'Joan');
});

test('without a confirmed address a form asks for one, even after a reload, and a mailed code completes it', async ({
  page,
}) => {
  const email = 'grace@mill.example';
  await signIn(page, { sub: 'b', name: 'Grace H.' });
  await page.getByRole('heading', { name: 'One more step' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'One more step' }).waitFor();
  const form = page.locator('form[data-attached]');
  await form.getByRole('button', { name: 'Finish the sign-in' }).click();
  expect(await form.getByRole('alert').innerText()).toContain('Please enter E-mail');

  await form.getByLabel('E-mail', { exact: true }).fill(email);
  await form.getByRole('button', { name: 'Send code' }).click();
  const code = await nextCode(site, email);
  expect(await form.getByRole('button', { name: /^Again in \d+ s$/ }).isDisabled()).toBe(true);
  await form.getByLabel('E-mail code').fill(code === '123456' ? '654321' : '123456');
  await form.getByRole('button', { name: 'Finish the sign-in' }).click();
  await form.getByRole('alert').waitFor();
  // A wrong code loses no input.
  expect(await form.getByLabel('E-mail', { exact: true }).inputValue()).toBe(email);
  await form.getByLabel('E-mail code').fill(code);
  await form.getByRole('button', { name: 'Finish the sign-in' }).click();
  await page.waitForURL(`${site.url}/`);
  await greeting(page, 'Grace H.');
  expect(await page.evaluate(() => sessionStorage.getItem('sso_profile'))).toBeNull();
});

test('a user who wanted a console page returns to it after the sign-in', async ({ page }) => {
  provider.meet({ sub: 'c', name: 'Kim', email: 'kim@mill.example', email_verified: true });
  await page.goto(`${site.url}/console/billing`);
  await page.getByRole('link', { name: 'Continue with Mill Ltd' }).click();
  await page.waitForURL(`${site.url}/console/billing`);
  await page.getByText('No bills yet').waitFor();
});

test('a sign-in never returns to an address of another site', async ({ page }) => {
  await page.addInitScript(() => sessionStorage.setItem('return_to', '//elsewhere.example/console'));
  await signIn(page, { sub: 'c', name: 'Kim', email: 'kim@mill.example', email_verified: true });
  await page.waitForURL(`${site.url}/`);
});

test('a signed-in user can connect a provider to the account and remove it', async ({ page }) => {
  const account = await newAccount(site, 'lin@mill.example', 'Lin');
  await signInAs(page.context(), account);
  provider.meet({ sub: 'd', name: 'Somebody' });
  await page.goto(`${site.url}/console/usercenter?tab=providers`);
  // The visitor returns to the page where the sign-in began.
  const connected = page.waitForResponse(`**${calls.auth}`);
  await page.getByRole('link', { name: 'Connect Mill Ltd' }).click();
  await connected;
  await page.waitForURL(`${site.url}/console/usercenter?tab=providers`);
  await page.getByRole('link', { name: 'Connect Mill Ltd' }).waitFor();
  const uid = () =>
    page.evaluate(() => JSON.parse(localStorage.getItem('user-store') ?? '{}').userInfo?.uid as unknown);
  await eventually(uid).toBe(account.uid);
  // The sign-in is listed, and its owner removes it.
  const table = page.getByRole('grid', { name: 'Connected providers' });
  await table.getByRole('button', { name: /^Remove/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove it' }).click();
  await table.waitFor({ state: 'detached' });
});
