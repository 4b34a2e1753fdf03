import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Browser, BrowserContext } from 'playwright';
import { launchChromium } from './chromium.ts';
import { type Account, fillAccount, newAccount, signInAs } from './console-account.ts';
import { type RunningSite, startSite } from './site.ts';

// npm run pictures -- <paths> [widths] [themes] [folder]
// npm run pictures -- /,/pricing 390,1280 light,dark /tmp/pictures
// With SITE_URL set, a server that already runs is photographed. Pages of the console are those of an account that has
// everything; `#empty`, `#loading` and `#failed` behind an address show it in that state.
const [paths = '/', widths = '390,1280', themes = 'light,dark', folder = 'data/pictures'] = process.argv.slice(2);

interface Picture {
  path: string;
  width: number;
  theme: 'light' | 'dark';
}

const accounts = new Map<'full' | 'empty', Account>();

/** Makes the accounts that pages of the console are photographed with. */
async function makeAccounts(site: RunningSite): Promise<void> {
  const full = await newAccount(site, 'ada@site.example');
  await fillAccount(site, {}, full);
  accounts.set('full', full);
  accounts.set('empty', await newAccount(site, 'grace@site.example'));
}

/** Signs in where the address is the console's, and puts its calls into the state that the address names. */
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

async function take(browser: Browser, siteUrl: string, { path, width, theme }: Picture): Promise<string> {
  const height = width < 700 ? 844 : 900;
  const context = await browser.newContext({
    baseURL: siteUrl,
    viewport: { width, height },
    colorScheme: theme,
    // Fading parts would be photographed half-way.
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await enter(context, path);
  await page.goto(path, { waitUntil: 'load' });
  await page.evaluate(async () => {
    // Pictures load when they come near the window: pass by all of them once.
    for (let y = 0; y < document.body.scrollHeight; y += innerHeight) {
      scrollTo(0, y);
      await new Promise((done) => setTimeout(done, 30));
    }
    scrollTo(0, 0);
    await document.fonts.ready;
  });
  // Calls that are held back never end.
  if (!path.endsWith('#loading')) await page.waitForLoadState('networkidle');
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
