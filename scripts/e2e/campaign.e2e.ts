import type { BrowserContext, Page } from 'playwright';
import { describe, expect } from 'vitest';
import { test } from './browser.ts';
import { follow, isMarked, mark, store } from './visitor.ts';

/** What the site stores about a visit, in local and session storage; other keys are left out. */
async function kept(page: Page) {
  return page.evaluate(() => {
    const campaign = (area: Storage) =>
      Object.fromEntries(Object.entries(area).filter(([key]) => /_for_cc$|^cc_info/.test(key)));
    return { local: campaign(localStorage), session: campaign(sessionStorage) };
  });
}

/** Waits until the page's scripts have run: the entry creates this region after it has read the campaign. */
const started = (page: Page) => page.locator('[aria-live=polite]').waitFor({ state: 'attached' });

async function land(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await started(page);
}

const searchPage = 'http://search.example/find?q=data+sync&user=7';

/** Serves a page on another site that links here and sends its full address as the referrer. */
async function elsewhere(context: BrowserContext, href: string, address = searchPage): Promise<void> {
  await context.route(address, (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<meta name="referrer" content="unsafe-url"><link rel="icon" href="data:,"><a href="${href}">Millrace</a>`,
    }),
  );
}

async function comeFrom(page: Page, address = searchPage): Promise<void> {
  await page.goto(address);
  await page.getByRole('link').click();
  await started(page);
}

const sessionOnly = { session: { source_for_cc: '' } };

describe('the first visit', () => {
  test('from an ad stores its values, the referrer without query and the landing address', async ({
    context,
    page,
    siteUrl,
  }) => {
    const landing = `${siteUrl}/why?bd_vid=click-1&kw=cdc&state=spring#top`;
    await elsewhere(context, landing);
    await comeFrom(page);
    expect(await page.evaluate(() => document.referrer)).toBe(searchPage);
    expect(await kept(page)).toEqual({
      local: {
        vbid_for_cc: 'click-1',
        source_for_cc: 'http://search.example/find',
        url_for_cc: landing,
        state_for_cc: 'spring',
        kw_for_cc: 'cdc',
        cc_info_collected: '1',
      },
      session: { source_for_cc: 'http://search.example/find' },
    });
  });

  test('without an ad stores the referrer for the session only', async ({ context, page, siteUrl }) => {
    await elsewhere(context, `${siteUrl}/pricing`);
    await comeFrom(page);
    expect(await kept(page)).toEqual({
      local: { cc_info_collected: '1' },
      session: { source_for_cc: 'http://search.example/find' },
    });
  });

  test.for([
    ['/?bd_vid=7', (url: string) => ({ vbid_for_cc: '7', url_for_cc: `${url}/?bd_vid=7` })],
    ['/docs/intro/product_intro?state=a%20b', () => ({ state_for_cc: 'a b' })],
    ['/blog?kw=%E6%B5%81', () => ({ kw_for_cc: '流' })],
    ['/?bd_vid=&kw=&state=', () => ({})],
    ['/?BD_VID=7&vbid=7&keyword=7', () => ({})],
    ['/nowhere?kw=lost', () => ({ kw_for_cc: 'lost' })],
  ] as const)('at %s stores its parameters', async ([path, values], { page, problems, siteUrl }) => {
    problems.allow(/status of 404/);
    await land(page, path);
    expect(await kept(page)).toEqual({ local: { ...values(siteUrl), cc_info_collected: '1' }, ...sessionOnly });
  });

  test('keeps values that are already stored, and adds the others', async ({ context, page, siteUrl }) => {
    const older = { vbid_for_cc: 'old', source_for_cc: 'http://old.example/', kw_for_cc: '' };
    await store(context, older);
    await elsewhere(context, `${siteUrl}/?bd_vid=new&kw=new&state=new`);
    await comeFrom(page);
    expect((await kept(page)).local).toEqual({
      ...older,
      url_for_cc: `${siteUrl}/?bd_vid=new&kw=new&state=new`,
      state_for_cc: 'new',
      cc_info_collected: '1',
    });
  });
});

describe('once per browser', () => {
  test('a later visit from an ad stores nothing, in this tab or another', async ({ context, page }) => {
    await land(page, '/?kw=first');
    await land(page, '/why?bd_vid=2&kw=second&state=s');
    const first = { kw_for_cc: 'first', cc_info_collected: '1' };
    expect((await kept(page)).local).toEqual(first);
    const other = await context.newPage();
    await land(other, '/pricing?bd_vid=3&kw=third');
    expect((await kept(other)).local).toEqual(first);
  });

  test('a first visit without parameters counts, too', async ({ page }) => {
    await land(page, '/');
    await land(page, '/?bd_vid=2&kw=second&state=s');
    expect((await kept(page)).local).toEqual({ cc_info_collected: '1' });
  });

  test('a soft navigation is not a visit', async ({ page }) => {
    await land(page, '/?kw=first');
    const first = await kept(page);
    await mark(page);
    await follow(page, '/about?bd_vid=2&state=s');
    await page.waitForURL('**/about?*');
    expect(await kept(page)).toEqual(first);
    expect(await isMarked(page)).toBe(true);
  });
});

describe('a single sign-on response is not a campaign', () => {
  test.for([
    '/loading?state=secret&bd_vid=7&kw=a',
    '/loading?code=1&state=secret',
    '/loading',
    '/login?code=1&state=secret&kw=a',
    '/login?error=access_denied&state=secret',
    '/?code=&state=secret',
    '/why?error&bd_vid=7',
  ])('%s stores nothing, and the next page is the first visit', async (path, { page }) => {
    await land(page, path);
    expect(await kept(page)).toEqual({ local: {}, ...sessionOnly });
    await land(page, '/pricing?kw=later');
    expect((await kept(page)).local).toEqual({ kw_for_cc: 'later', cc_info_collected: '1' });
  });
});

describe('the session source', () => {
  test('stays the first referrer, whatever follows in the tab', async ({ context, page, siteUrl }) => {
    await elsewhere(context, `${siteUrl}/pricing`);
    await comeFrom(page);
    await land(page, '/about');
    await elsewhere(context, `${siteUrl}/why?bd_vid=2`, 'http://mail.example/letter?id=9');
    await comeFrom(page, 'http://mail.example/letter?id=9');
    await follow(page, '/about');
    await page.waitForURL('**/about');
    expect(await kept(page)).toEqual({
      local: { cc_info_collected: '1' },
      session: { source_for_cc: 'http://search.example/find' },
    });
  });

  test('is stored without a campaign, on /loading and after the first visit', async ({ context, page, siteUrl }) => {
    await store(context, { cc_info_collected: '1' });
    await elsewhere(context, `${siteUrl}/loading?code=1&state=secret`);
    await comeFrom(page);
    expect(await kept(page)).toEqual({
      local: { cc_info_collected: '1' },
      session: { source_for_cc: 'http://search.example/find' },
    });
    // Another tab is another session.
    const other = await context.newPage();
    await land(other, '/');
    expect((await kept(other)).session).toEqual({ source_for_cc: '' });
  });
});
