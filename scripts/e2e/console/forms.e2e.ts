import type { Page } from 'playwright';
import { afterAll, beforeAll, expect } from 'vitest';
import { calls } from '../../../client/contract/calls.ts';
import { type RunningSite, startSite } from '../site.ts';
import { eventually, hold } from '../visitor.ts';
import { newAccount, operate, password, signInAs } from './account.ts';
import { test } from './browser.ts';

const env = { ALLOW_PLAIN_PASSWORD: 'on' };
let site: RunningSite;
beforeAll(async () => {
  site = await startSite({ env });
});
afterAll(() => site.stop());

const kept = (page: Page) => page.evaluate(() => JSON.stringify({ ...sessionStorage }));
const drafts = (page: Page) =>
  page.evaluate(() => Object.keys(sessionStorage).filter((name) => name.startsWith('draft:')));

test('typed text survives the session, except secrets, and is deleted at sign-out', async ({ page, problems }) => {
  problems.allow(/status of 401|status 401|The current user could not be read/);
  const account = await newAccount(site, 'ada@site.example');
  await signInAs(page.context(), account);
  await page.goto(`${site.url}/console/usercenter?tab=email`);
  await page.getByLabel('New e-mail address').fill('new@site.example');
  await page.getByRole('textbox', { name: 'Current password' }).fill('not to be kept');
  await page.getByLabel('Code', { exact: true }).fill('424242');
  await eventually(() => drafts(page)).toHaveLength(1);
  expect(await kept(page)).not.toMatch(/not to be kept|424242/);

  operate(site, env, 'account', 'end-sessions', account.email);
  await page.getByRole('button', { name: 'Send code' }).click();
  await page.waitForURL('**/login');
  // Before that a press of its button would submit it without the script.
  await page.locator('form[data-attached]').waitFor();
  await page.getByLabel('E-mail', { exact: true }).fill(account.email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.waitForURL('**/console/usercenter?tab=email');
  await eventually(() => page.getByLabel('New e-mail address').inputValue()).toBe('new@site.example');
  expect(await page.getByRole('textbox', { name: 'Current password' }).inputValue()).toBe('');

  const other = await page.context().newPage();
  await other.goto(`${site.url}/console/usercenter`);
  await other.getByRole('textbox', { name: 'Company' }).fill('Another tab');
  await eventually(() => drafts(other)).toHaveLength(1);
  await page.locator('.account > summary').click();
  await page.getByRole('button', { name: 'Logout' }).click();
  await page.waitForURL(`${site.url}/`);
  expect(await drafts(page)).toEqual([]);
  await eventually(() => drafts(other)).toEqual([]);
});

test('a page is loaded again once another tab has signed in a different user', async ({ page }) => {
  const first = await newAccount(site, 'edsger@site.example', 'Edsger');
  const second = await newAccount(site, 'barbara@site.example', 'Barbara');
  await signInAs(page.context(), first);
  await page.goto(`${site.url}/console/usercenter`);
  const name = page.getByRole('textbox', { name: 'User name' });
  await eventually(() => name.inputValue()).toBe('Edsger');
  await page.getByRole('textbox', { name: 'Company' }).fill('Of Edsger');

  const other = await page.context().newPage();
  await other.goto(`${site.url}/login`);
  await other.locator('form[data-attached]').waitFor();
  await other.getByLabel('E-mail', { exact: true }).fill(second.email);
  await other.getByRole('textbox', { name: 'Password' }).fill(password);
  await other.getByRole('button', { name: 'Log in', exact: true }).click();
  await other.waitForURL(`${site.url}/`);
  // What was typed for the one account is not saved in the other.
  await eventually(() => name.inputValue()).toBe('Barbara');
  expect(await page.getByRole('textbox', { name: 'Company' }).inputValue()).toBe('Analytical Engines');
});

test('a draft is deleted once its form is sent', async ({ page }) => {
  await signInAs(page.context(), await newAccount(site, 'grace@site.example'));
  await page.goto(`${site.url}/console/usercenter`);
  await page.getByRole('textbox', { name: 'Company' }).fill('Compilers');
  await eventually(() => drafts(page)).toHaveLength(1);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  expect(await drafts(page)).toEqual([]);
  await page.reload();
  await eventually(() => page.getByRole('textbox', { name: 'Company' }).inputValue()).toBe('Compilers');
});

test('text typed while the form is being sent is kept', async ({ page }) => {
  await signInAs(page.context(), await newAccount(site, 'alan@site.example'));
  await page.goto(`${site.url}/console/usercenter`);
  const company = page.getByRole('textbox', { name: 'Company' });
  await company.fill('Machines');
  const late = await hold(page, `**${calls.updateProfile}`);
  const asked = page.waitForRequest(`**${calls.updateProfile}`);
  await page.getByRole('button', { name: 'Save' }).click();
  await asked;
  await company.fill('Universal machines');
  late.release();
  await page.getByText('Saved.').waitFor();
  expect(await company.inputValue()).toBe('Universal machines');
  expect(await kept(page)).toContain('Universal machines');
});

test('what another tab has saved is not reverted, and "Saved." stands until something is changed', async ({ page }) => {
  await signInAs(page.context(), await newAccount(site, 'mary@site.example'));
  await page.goto(`${site.url}/console/usercenter`);
  const company = page.getByRole('textbox', { name: 'Company' });
  await company.waitFor();
  const other = await page.context().newPage();
  await other.goto(`${site.url}/console/usercenter`);
  await other.getByRole('textbox', { name: 'Company' }).fill('Elsewhere');
  await other.getByRole('button', { name: 'Save' }).click();
  await other.getByText('Saved.').waitFor();

  await page.bringToFront();
  const asked = page.waitForRequest(`**${calls.updateProfile}`);
  await page.getByLabel('Country').selectOption('NL');
  await page.getByRole('button', { name: 'Save' }).click();
  expect((await asked).postDataJSON()).toEqual({ country: 'NL' });
  await page.getByText('Saved.').waitFor();
  await company.fill('Third');
  await eventually(() => page.getByText('Saved.').count()).toBe(0);
  // Sent again, it is said again.
  const late = await hold(page, `**${calls.updateProfile}`);
  await page.getByRole('button', { name: 'Save' }).click();
  await eventually(() => page.getByText('Saved.').count()).toBe(0);
  late.release();
  await page.getByText('Saved.').waitFor();
});

test('errors appear at their fields and above the form, and typed text is kept', async ({ page, problems }) => {
  problems.allow(/400/);
  await signInAs(page.context(), await newAccount(site, 'kim@site.example'));
  await page.goto(`${site.url}/console/usercenter?tab=password`);
  const chosen = page.getByLabel('New password');
  await chosen.fill('short');
  await page.getByRole('button', { name: 'Change the password' }).click();
  const summary = page.getByRole('alert');
  await summary.waitFor();
  await eventually(() => summary.evaluate((one) => one === document.activeElement)).toBe(true);
  // In the page's order, whichever was found first.
  expect(await summary.getByRole('button').allInnerTexts()).toEqual([
    'Please enter Current password',
    'New password must be at least 8 characters',
  ]);
  await chosen.fill('');
  await summary.getByRole('button', { name: 'Please enter New password' }).click();
  await eventually(() => chosen.evaluate((one) => one === document.activeElement)).toBe(true);
  await chosen.fill('short');
  const fault = page.locator('#password-password-error');
  await eventually(() => fault.innerText()).toBe('New password must be at least 8 characters');
  expect(await chosen.getAttribute('aria-invalid')).toBe('true');

  // Refused only by the server.
  await page.getByRole('textbox', { name: 'Current password' }).fill(password);
  await chosen.fill('password123');
  await eventually(() => fault.count()).toBe(0);
  await page.getByRole('button', { name: 'Change the password' }).click();
  await fault.waitFor();
  expect(await chosen.inputValue()).toBe('password123');
});

test('a form is sent once, however often it is submitted', async ({ page }) => {
  await signInAs(page.context(), await newAccount(site, 'lin@site.example'));
  await page.goto(`${site.url}/console/usercenter`);
  const sent: string[] = [];
  page.on('request', (request) => sent.push(new URL(request.url()).pathname));
  const answer = await hold(page, `**${calls.updateProfile}`);
  const save = page.getByRole('button', { name: 'Save' });
  await save.dispatchEvent('click');
  await save.dispatchEvent('click');
  await page.getByLabel('User name').press('Enter');
  answer.release();
  await page.getByText('Saved.').waitFor();
  expect(sent.filter((path) => path === calls.updateProfile)).toHaveLength(1);
});
