import { createRequire } from 'node:module';
import type { BrowserContext, Page } from 'playwright';
import { expect } from 'vitest';
import type { Problems } from './watch-page.ts';

declare global {
  interface Window {
    axe: typeof import('axe-core');
  }
}

export const sizes = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } };

/** Adds axe to every page of a context: the pages' policy does not apply to an init script. */
export const withAxe = (context: BrowserContext) =>
  context.addInitScript({ path: createRequire(import.meta.url).resolve('axe-core/axe.min.js') });

/** The rules about colours: a theme changes nothing else. */
const colourRules = ['color-contrast', 'link-in-text-block'];

/** axe's findings for all or some of its rules, one line each; the rest of its report stays in the page. */
async function violations(page: Page, rules?: string[]): Promise<string[]> {
  const { applied, found } = await page.evaluate(async (runOnly) => {
    const report = await window.axe.run(document, { resultTypes: ['violations'], ...(runOnly && { runOnly }) });
    const found = report.violations.map(
      ({ id, help, nodes }) => `${id} (${help}): ${nodes.map((node) => node.target.join(' ')).join(', ')}`,
    );
    return { applied: [...report.passes, ...report.violations].map(({ id }) => id), found };
  }, rules);
  if (rules) expect(applied).toContain(rules[0]);
  else expect(applied.length).toBeGreaterThan(10);
  return found;
}

/** Violations in both themes, each line with its circumstances. */
export async function violationsByTheme(page: Page, where: string): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' });
  const light = await violations(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await violations(page, colourRules);
  return [...light.map((one) => `${where}, light: ${one}`), ...dark.map((one) => `${where}, dark: ${one}`)];
}

/** Horizontal overflow at this width: the page's excess and the elements that cause it. */
export async function overflow(page: Page, width: number): Promise<string[]> {
  await page.setViewportSize({ width, height: 800 });
  return page.evaluate(async () => {
    const root = document.documentElement;
    // A canvas adopts its new width some frames after the window.
    for (let frame = 0; frame < 60 && root.scrollWidth > root.clientWidth; frame += 1)
      await new Promise((resolve) => requestAnimationFrame(resolve));
    const { scrollWidth, clientWidth } = root;
    if (scrollWidth <= clientWidth) return [];
    const wide = [...document.body.querySelectorAll('*')].filter(
      (one) => one.checkVisibility() && one.getBoundingClientRect().right > clientWidth + 1,
    );
    const names = wide.slice(0, 3).map((one) => `${one.tagName.toLowerCase()}.${one.getAttribute('class')}`);
    return [`${clientWidth} px wide: ${scrollWidth - clientWidth} px too much (${names.join(', ')})`];
  });
}

/** Sets the font size that a user chose in the browser's settings, in pixels; 16 is the default. */
export async function chooseFontSize(page: Page, standard: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Page.enable');
  await session.send('Page.setFontSizes', { fontSizes: { standard, fixed: Math.round((standard * 13) / 16) } });
}

const ground = (page: Page) => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);

/** axe's findings in the page's current state, in both themes and sizes, and the overflow at each width. */
export async function pageFaults(page: Page, where: string): Promise<string[]> {
  const found: string[] = [];
  for (const [name, size] of Object.entries(sizes)) {
    await page.setViewportSize(size);
    found.push(...(await violationsByTheme(page, `${where}, ${name}`)));
  }
  await page.emulateMedia({ colorScheme: 'light' });
  for (const width of [320, 390, 820, 1280])
    found.push(...(await overflow(page, width)).map((one) => `${where}: ${one}`));
  return found;
}

/** A page is accessible in both themes and sizes, fits every width, has text, and logs nothing to the console. */
export async function checkPage(page: Page, problems: Problems, address: string, status: number): Promise<void> {
  if (status === 404) problems.allow(/status of 404/);
  const warnings: string[] = [];
  page.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()));
  await withAxe(page.context());
  await page.emulateMedia({ colorScheme: 'light' });
  const response = await page.goto(address);
  expect(response?.status()).toBe(status);

  const heading = page.locator('h1');
  expect(await heading.count()).toBe(1);
  expect((await heading.innerText()).trim()).not.toBe('');
  expect((await page.locator('main').innerText()).length).toBeGreaterThan(60);

  const found: string[] = [];
  for (const [name, size] of Object.entries(sizes)) {
    await page.setViewportSize(size);
    found.push(...(await violationsByTheme(page, name)));
  }
  for (const width of [320, 390, 768, 995, 996, 1280, 1600]) found.push(...(await overflow(page, width)));
  expect([...found, ...warnings]).toEqual([]);

  const dark = await ground(page);
  await page.emulateMedia({ colorScheme: 'light' });
  expect(dark).not.toBe(await ground(page));
}
