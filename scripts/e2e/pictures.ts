import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright';
import { z } from 'zod';
import { jobCalls } from '../../client/contract/jobs/calls.ts';
import { launchChromium } from './chromium.ts';
import { type Account, fillAccount, newAccount, signInAs } from './console/account.ts';
import { type RunningSite, startSite } from './site.ts';

// npm run pictures -- <paths> [widths] [themes] [folder]
// npm run pictures -- /,/pricing 390,1280 light,dark /tmp/pictures
// With SITE_URL set, it takes screenshots of a running server. Console pages are those of an account with all kinds of
// data; `#empty`, `#loading` and `#failed` after an address show that state, and `/console/job` is the practice pair.
const [paths = '/', widths = '390,1280', themes = 'light,dark', folder = 'data/pictures'] = process.argv.slice(2);

interface Picture {
  path: string;
  width: number;
  theme: 'light' | 'dark';
}

const accounts = new Map<'full' | 'empty', Account>();
let practiceJob = 0;

/** Creates the accounts for screenshots of console pages. */
async function makeAccounts(site: RunningSite): Promise<void> {
  const full = await newAccount(site, 'ada@site.example');
  await fillAccount(site, {}, full);
  accounts.set('full', full);
  accounts.set('empty', await newAccount(site, 'grace@site.example'));
  const pair = await full.ask(jobCalls.createPractice, z.object({ jobId: z.number() }), {});
  practiceJob = pair.jobId;
}

/** Signs in if the address is the console's, and puts its calls into the state named in the address. */
async function enter(context: BrowserContext, path: string): Promise<void> {
  if (!path.startsWith('/console')) return;
  const state = path.split('#')[1];
  const account = accounts.get(state === 'empty' ? 'empty' : 'full');
  if (!account) throw new Error('Pages of the console need a server of their own: leave out SITE_URL.');
  await signInAs(context, account);
  const inner = '**/console/api/v1/**';
  if (state === 'loading') await context.route(inner, () => undefined);
  if (state === 'failed') await context.route(inner, (route) => route.fulfill({ status: 503, body: '' }));
}

/** A job's page needs its number. */
function addressOf(path: string): string {
  const job = /^\/console\/job(?:\?([^#]*))?(#.*)?$/.exec(path);
  return job ? `/console/job?id=${practiceJob}&${job[1] ?? ''}${job[2] ?? ''}` : path;
}

/** Waits until everything has loaded; delayed calls never end, and a page with live events is never idle. */
async function settled(page: Page, path: string): Promise<void> {
  if (path.endsWith('#loading')) return;
  if (!path.startsWith('/console')) return page.waitForLoadState('networkidle');
  await page.locator('.console-nav').waitFor();
  await page.locator('.console-skeleton').first().waitFor({ state: 'detached' });
}

async function take(browser: Browser, siteUrl: string, { path, width, theme }: Picture): Promise<string> {
  const height = width < 700 ? 844 : 900;
  const context = await browser.newContext({
    baseURL: siteUrl,
    viewport: { width, height },
    colorScheme: theme,
    // A screenshot would catch fading parts half-way.
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await enter(context, path);
  await page.goto(addressOf(path), { waitUntil: 'load' });
  await page.evaluate(async () => {
    // Pictures load when they come near the window: scroll past all of them once.
    for (let y = 0; y < document.body.scrollHeight; y += innerHeight) {
      scrollTo(0, y);
      await new Promise((done) => setTimeout(done, 30));
    }
    scrollTo(0, 0);
    await document.fonts.ready;
  });
  await settled(page, path);
  const name = path.replace(/^\/|\/$/g, '').replace(/[^\w-]+/g, '_') || 'home';
  const file = resolve(folder, `${name}-${width}-${theme}.png`);
  await page.screenshot({ path: file, fullPage: true });
  await context.close();
  return file;
}

const pictures = paths
  .split(',')
  .flatMap((path) =>
    widths
      .split(',')
      .flatMap((width) =>
        themes
          .split(',')
          .map((theme): Picture => ({ path, width: Number(width), theme: theme === 'dark' ? 'dark' : 'light' })),
      ),
  );
await mkdir(join(folder), { recursive: true });
const running = process.env.SITE_URL ? undefined : await startSite({ env: { ALLOW_PLAIN_PASSWORD: 'on' } });
const browser = await launchChromium();
try {
  if (running && paths.includes('/console')) await makeAccounts(running);
  const siteUrl = process.env.SITE_URL ?? running?.url ?? '';
  for (const picture of pictures) console.log(await take(browser, siteUrl, picture));
} finally {
  await browser.close();
  await running?.stop();
}
