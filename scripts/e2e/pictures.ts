import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Browser } from 'playwright';
import { launchChromium } from './chromium.ts';
import { startSite } from './site.ts';

// npm run pictures -- <paths> [widths] [themes] [folder]
// npm run pictures -- /,/pricing 390,1280 light,dark /tmp/pictures
// With SITE_URL set, a server that already runs is photographed.
const [paths = '/', widths = '390,1280', themes = 'light,dark', folder = 'data/pictures'] = process.argv.slice(2);

interface Picture {
  path: string;
  width: number;
  theme: 'light' | 'dark';
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
  await page.waitForLoadState('networkidle');
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
const running = process.env.SITE_URL ? undefined : await startSite();
const browser = await launchChromium();
try {
  const siteUrl = process.env.SITE_URL ?? running?.url ?? '';
  for (const picture of pictures) console.log(await take(browser, siteUrl, picture));
} finally {
  await browser.close();
  await running?.stop();
}
