import type { Page } from 'playwright';
import { describe, expect } from 'vitest';
import { test } from './browser.ts';
import { chunkOf } from './chunk.ts';
import { eventually } from './visitor.ts';

describe('tabs', () => {
  const faq = '/docs/faq/solve_db_connect_fail';
  const delay = '/docs/faq/solve_incre_task_delay';
  const licence = '/docs/license/license_use';
  /** The selected label in each group of the page, and its visible sections. */
  const shown = (page: Page) =>
    page.locator('[data-tabs]').evaluateAll((groups) =>
      groups.map((group) => ({
        selected: [...group.querySelectorAll('[role=tab][aria-selected=true]')].map((tab) => tab.textContent),
        visible: [...group.querySelectorAll<HTMLElement>(':scope > .tab')]
          .filter((section) => section.lastElementChild?.checkVisibility())
          .map((section) => section.dataset.label),
      })),
    );
  const of = (label: string) => [{ selected: [label], visible: [label] }];
  const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true });

  test('keep the choice across reloads and pages, also in groups with other tabs', async ({ page }) => {
    await page.goto(faq);
    await eventually(() => shown(page)).toEqual(of('MySQL'));
    await tab(page, 'PostgreSQL').click();
    expect(await shown(page)).toEqual(of('PostgreSQL'));
    await page.reload();
    await eventually(() => shown(page)).toEqual(of('PostgreSQL'));
    await page.goto(delay);
    await eventually(() => shown(page)).toEqual(of('PostgreSQL'));
    await page.goto(licence);
    await eventually(() => shown(page)).toEqual(of('PostgreSQL'));
    // A choice that only one of them has leaves the other's as it was.
    await tab(page, 'Oracle').click();
    await page.goto(delay);
    await eventually(() => shown(page)).toEqual(of('PostgreSQL'));
    await page.goto(faq);
    await eventually(() => shown(page)).toEqual(of('Oracle'));
  });

  test('open if the address points into them, as folded blocks do', async ({ page }) => {
    await page.route(`**${faq}`, async (route) => {
      const answer = await route.fetch();
      const inTab = (await answer.text()).replace(
        /(data-label="Oracle".*?<[/]p>.*?<(?:p|ol|ul|pre))/s,
        '$1 id="in-tab"',
      );
      const folded = '<details><summary>More</summary><p id="folded">It.</p></details>';
      await route.fulfill({ response: answer, body: inTab.replace(/<\w+[^>]* data-tabs/, (group) => folded + group) });
    });
    const isSeen = (id: string) => page.locator(`#${id}`).evaluate((one) => one.checkVisibility());
    await page.goto(`${faq}#in-tab`);
    await eventually(() => shown(page)).toEqual(of('Oracle'));
    await tab(page, 'MySQL').click();
    expect(await isSeen('in-tab')).toBe(false);
    for (const id of ['folded', 'in-tab']) {
      await page.evaluate((hash) => {
        location.hash = hash;
      }, id);
      await eventually(() => isSeen(id)).toBe(true);
    }
    // From another page, without a full load.
    await page.goto(delay);
    await page.evaluate((address) => {
      const link = Object.assign(document.createElement('a'), { href: address, textContent: 'To the block' });
      document.querySelector('main')?.prepend(link);
    }, `${faq}#folded`);
    await page.getByRole('link', { name: 'To the block' }).click();
    await page.waitForURL(`**${faq}#folded`);
    await eventually(() => isSeen('folded')).toBe(true);
  });

  test('open if their text is found, which is not remembered as a choice', async ({ page }) => {
    await page.goto(faq);
    await eventually(() => shown(page)).toEqual(of('MySQL'));
    // The browser's own search cannot be operated from here; a link to a text finds it in the same way.
    await page.evaluate(() => {
      const link = Object.assign(document.createElement('a'), {
        href: '#:~:text=ORA%2D12514',
        textContent: 'To the text',
      });
      document.querySelector('main')?.prepend(link);
    });
    await page.getByRole('link', { name: 'To the text' }).click();
    await eventually(() => shown(page)).toEqual(of('Oracle'));
    await page.goto(delay);
    await page.goto(faq);
    await eventually(() => shown(page)).toEqual(of('MySQL'));
  });

  test('switch in every group of the page without moving the text being read', async ({ page }) => {
    await page.setViewportSize({ width: 1280, height: 500 });
    await page.goto('/docs/operation/job_manage/job_op/data_transform');
    const groups = page.locator('[data-tabs]');
    await eventually(async () => (await shown(page)).length).toBe(2);
    await eventually(() => shown(page)).toEqual([...of('PostgreSQL'), ...of('PostgreSQL')]);
    const second = groups.last().getByRole('tab', { name: 'MariaDB' });
    // Safari has no scroll anchoring.
    await page.evaluate(() => {
      document.documentElement.style.overflowAnchor = 'none';
    });
    // Otherwise there would be nothing to compensate.
    await groups
      .first()
      .locator('[data-label=MariaDB]')
      .evaluate((section) => {
        section.style.paddingBottom = '300px';
      });
    await second.scrollIntoViewIfNeeded();
    const place = await second.boundingBox();
    await second.click();
    expect(await shown(page)).toEqual([...of('MariaDB'), ...of('MariaDB')]);
    expect((await second.boundingBox())?.y).toBeCloseTo(place?.y ?? -1, 0);
  });

  test('are chosen with arrow keys, Home and End; Tab leads into the section', async ({ page }) => {
    await page.goto(faq);
    await tab(page, 'MySQL').focus();
    for (const [key, label] of [
      ['ArrowRight', 'PostgreSQL'],
      ['ArrowLeft', 'MySQL'],
      ['ArrowLeft', 'Redis'],
      ['ArrowRight', 'MySQL'],
      ['End', 'Redis'],
      ['Home', 'MySQL'],
    ] as const) {
      await page.keyboard.press(key);
      expect([key, await shown(page)]).toEqual([key, of(label)]);
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(label);
    }
    const panel = await tab(page, 'MySQL').getAttribute('aria-controls');
    expect(await page.locator(`[id="${panel}"]`).getAttribute('data-label')).toBe('MySQL');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).not.toBe('tab');
  });

  test('with the same label are shown one at a time', async ({ page }) => {
    await page.route(
      faq,
      async (route) => {
        const response = await route.fetch();
        await route.fulfill({
          response,
          body: (await response.text()).replaceAll('data-label="MySQL"', 'data-label="Redis"'),
        });
      },
      { times: 1 },
    );
    await page.goto(faq);
    await eventually(() => shown(page)).toEqual(of('Redis'));
    const [first, second] = await tab(page, 'Redis').all();
    await second?.click();
    expect(await shown(page)).toEqual(of('Redis'));
    expect(await first?.getAttribute('aria-selected')).toBe('false');
  });

  test('are all open, one below the other, if their script does not load', async ({ page, problems }) => {
    problems.allow(/tabs|ERR_FAILED/);
    await page.route(chunkOf('client/reading/tabs.ts'), (route) => route.abort());
    await page.goto(faq);
    await eventually(async () => (await shown(page))[0]?.visible.length).toBe(5);
  });
});
