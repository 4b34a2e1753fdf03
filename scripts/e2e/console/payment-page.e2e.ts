import { afterAll, beforeAll, expect } from 'vitest';
import { calls } from '../../../client/contract/calls.ts';
import { writeApplyCode } from '../../../server/console/licensing/apply-code.ts';
import { type StripeStandIn, startStripe } from '../../../server/testing/stripe.ts';
import { type RunningSite, startSite } from '../site.ts';
import { eventually } from '../visitor.ts';
import { newAccount, signInAs } from './account.ts';
import { test } from './browser.ts';
import { mouse } from './hand.ts';

let service: StripeStandIn;
let site: RunningSite;
beforeAll(async () => {
  service = await startStripe();
  site = await startSite({
    env: {
      ALLOW_PLAIN_PASSWORD: 'on',
      STRIPE_SECRET_KEY: 'sk_test_key',
      STRIPE_WEBHOOK_SECRET: 'whsec_test_secret',
      STRIPE_API_URL: service.url,
    },
  });
});
afterAll(async () => {
  await site.stop();
  await service.close();
});

test('a customer who goes back from the payment page can open it again, and sees an order that was closed elsewhere', async ({
  page,
}) => {
  const hand = mouse(page);
  await signInAs(page.context(), await newAccount(site, 'ada@site.example'));
  // Without content the browser stays on this page, as if it had kept it and come back.
  await page.route('https://pay.example/**', (route) => route.fulfill({ status: 204 }));
  await page.goto(`${site.url}/console/licences`);
  await hand.fill('Apply code', writeApplyCode({ installation: 'installation-number-1', used: 0 }));
  await hand.press('Show the price');
  const opened = () => page.waitForRequest('https://pay.example/**');
  const first = opened();
  await hand.press('Pay by card');
  const url = (await first).url();
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
  const button = page.getByRole('button', { name: 'Pay by card' });
  await eventually(() => button.getAttribute('aria-disabled')).toBe('false');
  const second = opened();
  await hand.press('Pay by card');
  expect((await second).url()).toBe(url);

  await page.goto(`${site.url}/console/orders`);
  const other = await page.context().newPage();
  await other.goto(`${site.url}/console/orders`);
  for (const tab of [page, other]) {
    await tab.locator('.console-entry summary').click();
    await tab.getByRole('button', { name: /^Actions/ }).click();
    await tab.getByRole('menuitem', { name: 'Close the order' }).click();
  }
  const close = (tab: typeof page) => tab.getByRole('button', { name: 'Close this order' });
  await close(other).click();
  await other.locator('.console-entry summary').getByText('Closed').waitFor();
  const refused = page.waitForResponse(`**${calls.closeOrder}`);
  await close(page).click();
  await (await refused).finished();
  await eventually(() => page.locator('.console-entry summary').innerText()).toContain('Closed');
  await page.getByText(/^You closed this order\. .* name the order MR-/).waitFor();
});
