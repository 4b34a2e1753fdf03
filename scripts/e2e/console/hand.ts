import type { Page } from 'playwright';

/** How a person uses a page: everything is found by its visible words. */
export interface Hand {
  /** Presses the link, button, tab or line that has this text. */
  press(words: string): Promise<void>;
  /** Opens a console page through the navigation. */
  go(title: string): Promise<void>;
  /** Presses a control inside a console table. */
  pressInTable(words: string): Promise<void>;
  /** Types into the field with this label. */
  fill(label: string, text: string): Promise<void>;
  /** Selects an option in the list with this label. */
  choose(label: string, option: string): Promise<void>;
}

/** Whole words: “Order” is not “Orders”. */
const beginsWith = (words: string) => new RegExp(`^${words.replace(/[()]/g, '\\$&')}(?![a-z])`);
const controls = 'a, button, summary, [role=tab], [role=menuitem]';

/** A visitor with a mouse. */
export function mouse(page: Page): Hand {
  const control = (words: string) =>
    page
      .locator(controls)
      .filter({ hasText: beginsWith(words), visible: true })
      .first();
  return {
    press: (words) => control(words).click(),
    go: (title) => page.locator('.console-nav a', { hasText: beginsWith(title) }).click(),
    pressInTable: (words) => control(words).click(),
    fill: (label, text) => page.getByLabel(label, { exact: true }).locator('visible=true').fill(text),
    async choose(label, option) {
      await page.getByLabel(label, { exact: true }).selectOption({ label: option });
    },
  };
}

/** Words of the focused element: its label or its text. */
const focused = (page: Page) =>
  page.evaluate((stops) => {
    const { activeElement: at } = document;
    if (at instanceof HTMLInputElement || at instanceof HTMLSelectElement)
      return at.labels?.[0]?.firstChild?.textContent?.trim() ?? '';
    return at instanceof HTMLElement && at.matches(stops) ? at.innerText.trim() : '';
  }, controls);

/** More steps than any page has tab stops. */
const most = 200;

/** A visitor without a mouse: only Tab, arrow keys, Enter and letters. */
export function keyboard(page: Page): Hand {
  const keys = page.keyboard;

  async function walk(key: string, isThere: () => Promise<boolean>, wanted: string): Promise<void> {
    for (let steps = 0; steps < most; steps += 1) {
      if (await isThere()) return;
      await keys.press(key);
    }
    throw new Error(`No ${key} leads to “${wanted}”; the focus is at “${await focused(page)}”.`);
  }

  const says = (words: string) => async () => beginsWith(words).test(await focused(page));
  const isCalled = (label: string) => async () => (await focused(page)) === label;

  return {
    async press(words) {
      await page
        .locator(controls)
        .filter({ hasText: beginsWith(words), visible: true })
        .first()
        .waitFor();
      await walk('Tab', says(words), words);
      await keys.press('Enter');
    },
    async go(title) {
      await page.locator('.console-nav').waitFor();
      const isEntry = () => page.evaluate(() => document.activeElement?.closest('.console-nav') !== null);
      // Another link may have the same name.
      await walk('Tab', async () => (await isEntry()) && (await says(title)()), title);
      await keys.press('Enter');
    },
    async pressInTable(words) {
      await page.locator('[role=grid]').waitFor();
      const inTable = () => page.evaluate(() => document.activeElement?.closest('[role=grid]') !== null);
      await walk('Tab', inTable, 'a table');
      // Into the row, then from cell to cell.
      await walk('ArrowRight', says(words), words);
      await keys.press('Enter');
    },
    async fill(label, text) {
      await page.getByLabel(label, { exact: true }).locator('visible=true').waitFor();
      await walk('Tab', isCalled(label), label);
      await keys.press('Control+a');
      await keys.type(text);
    },
    async choose(label, option) {
      // Options may arrive later than their list, and Home leads nowhere before.
      await page
        .getByLabel(label, { exact: true })
        .locator('option', { hasText: option })
        .first()
        .waitFor({ state: 'attached' });
      await walk('Tab', isCalled(label), label);
      await keys.press('Home');
      const chosen = () =>
        page.evaluate(() => {
          const { activeElement: at } = document;
          return at instanceof HTMLSelectElement ? at.selectedOptions[0]?.label : undefined;
        });
      await walk('ArrowDown', async () => (await chosen()) === option, option);
    },
  };
}
