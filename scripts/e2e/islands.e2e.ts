import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Locator, Page, Response } from 'playwright';
import { describe, expect } from 'vitest';
import { parse } from 'yaml';
import { money } from '../../client/contract/money.ts';
import { test } from './browser.ts';
import { chunkOf } from './chunk.ts';
import { translate } from './translate.ts';
import { entryScript, eventually, follow, hold, isMarked, loaded, mark, settle } from './visitor.ts';

interface Prices {
  linkHourCents: number;
  cloud: { id: string; label: string; cents: number }[];
  ladder: { minLinks: number; rate: number }[];
  newAccountCredits: number;
}

const prices: Prices = parse(readFileSync(resolve(import.meta.dirname, '../../content/pricing.yml'), 'utf8'));
const usd = (cents: number) => money(Math.round(cents), 'USD');
const discounted = (links: number, hours: number) => {
  const { rate } = prices.ladder.findLast(({ minLinks }) => minLinks <= links) ?? { rate: 0 };
  return usd(links * hours * prices.linkHourCents * (1 - rate));
};

const island = (page: Page) => page.locator('[data-island=PricingCalculator]');
const part = (page: Page, name: 'Cloud' | 'Enterprise') => island(page).getByRole('region', { name });
const links = (page: Page) => part(page, 'Enterprise').getByLabel('Links');
const period = (page: Page) => part(page, 'Enterprise').getByLabel('Period');
const total = (page: Page, name: 'Cloud' | 'Enterprise') => part(page, name).locator('output').textContent();
/** The message of a field, if it is marked as wrong. */
const faultOf = (field: Locator) =>
  field.evaluate((input) => {
    const ids = input.getAttribute('aria-describedby')?.split(' ') ?? [];
    const said = ids.map((id) => document.getElementById(id)).find((one) => one?.className === 'field-error');
    return input.ariaInvalid === 'true' ? (said?.textContent ?? '') : undefined;
  });
const isHydrated = (page: Page) => island(page).evaluate((place) => 'hydrated' in place.dataset);
const hydrated = (page: Page) => eventually(() => isHydrated(page)).toBe(true);

/** The script that waits until the visitor uses an island; it is loaded after the page. */
const hydration = 'client/islands/hydrate-islands.ts';

/** Start of a year with a leap day, so that the visitor's year differs from the server's 365 days. */
const start = (page: Page) => page.clock.setFixedTime('2027-03-01T12:00:00');

/** Texts of all scripts that contain React, as they load. */
function watchReact(page: Page) {
  const scripts: Response[] = [];
  page.on('response', (response) => response.request().resourceType() === 'script' && scripts.push(response));
  return async () => {
    const texts = await Promise.all(scripts.map((response) => response.text()));
    return texts.filter((text) => /react\.(transitional\.)?element/.test(text));
  };
}

describe('before use', () => {
  test.for(['/', '/docs/intro/product_intro', '/blog/ai/rag_concept', '/pricing'])(
    'React is not loaded on %s',
    async (path, { page }) => {
      const react = watchReact(page);
      await page.goto(path);
      const sign = page.waitForRequest(chunkOf('client/navigation/navigate.ts'));
      await page.mouse.move(20, 300);
      await page.keyboard.press('End');
      await eventually(() => page.evaluate(() => scrollY)).toBeGreaterThan(0);
      await sign;
      await page.waitForLoadState('networkidle');
      await settle(page);
      expect(await react()).toEqual([]);
      if (path !== '/pricing') return;
      // The same watch sees it load.
      await links(page).focus();
      await hydrated(page);
      expect((await react()).length).toBeGreaterThan(0);
    },
  );

  test("the server's HTML is readable", async ({ page }) => {
    await start(page);
    await page.goto('/pricing');
    expect(await isHydrated(page)).toBe(false);
    const [full, change] = prices.cloud;
    expect(await total(page, 'Cloud')).toBe(usd(100 * (full?.cents ?? 0) + 30 * (change?.cents ?? 0)));
    expect(await total(page, 'Enterprise')).toBe(discounted(5, 365 * 24));
    expect(await links(page).inputValue()).toBe('5');
    expect(await island(page).getByRole('spinbutton').count()).toBe(prices.cloud.length + 1);
    expect(await part(page, 'Enterprise').locator('tr').count()).toBe(prices.ladder.length);
  });
});

describe('a translated page', () => {
  /** Works with the calculator as a visitor who reads the translation. */
  async function calculate(page: Page): Promise<void> {
    const field = part(page, 'Enterprise').getByRole('spinbutton');
    const output = part(page, 'Enterprise').locator('output');
    await eventually(() => output.textContent()).toBe(discounted(20, 366 * 24));
    expect(await field.evaluate((one) => one === document.activeElement && one.hasAttribute('data-first'))).toBe(true);
    await field.fill('0');
    await part(page, 'Enterprise').locator('.field-error').waitFor();
    await translate(page);
    await field.fill('3');
    await eventually(() => output.textContent()).toBe(discounted(3, 366 * 24));
    expect(await part(page, 'Enterprise').locator('.field-error').count()).toBe(0);
    // What does not change stays translated.
    expect(await part(page, 'Enterprise').locator('label').allTextContents()).toEqual(['«Links»', '«Period»']);
    expect(await part(page, 'Cloud').locator('h3').textContent()).toBe('«Cloud, by rows»');
  }

  test('keeps focus and input when it is used', async ({ page }) => {
    await start(page);
    await page.goto('/pricing');
    await loaded(page, hydration);
    await translate(page);
    const field = part(page, 'Enterprise').getByRole('spinbutton');
    await field.evaluate((one) => one.setAttribute('data-first', ''));
    const mount = await hold(page, chunkOf('client/islands/mount.tsx'));
    await field.fill('20');
    mount.release();
    await hydrated(page);
    await calculate(page);
  });

  test('may be translated after its first use, too', async ({ page }) => {
    await start(page);
    await page.goto('/pricing');
    await loaded(page, hydration);
    const field = part(page, 'Enterprise').getByRole('spinbutton');
    await field.evaluate((one) => one.setAttribute('data-first', ''));
    await field.fill('20');
    await hydrated(page);
    await translate(page);
    await field.fill('21');
    await field.fill('20');
    await calculate(page);
  });
});

describe('hydration', () => {
  test.for(['hover', 'focus'] as const)('happens on %s, without changing the entered values', async (way, { page }) => {
    await start(page);
    await page.goto('/pricing');
    await loaded(page, hydration);
    await links(page)[way]();
    await hydrated(page);
    expect(await links(page).inputValue()).toBe('5');
    // Now the visitor's own day counts: until 1 March 2028 it is 366 days.
    await eventually(() => total(page, 'Enterprise')).toBe(discounted(5, 366 * 24));
  });

  test('happens once, however often the island is touched meanwhile, and it is marked as busy', async ({ page }) => {
    await page.goto('/pricing');
    const mount = await hold(page, chunkOf('client/islands/mount.tsx'));
    await island(page).evaluate((place) => {
      Reflect.set(window, 'hydrations', 0);
      const count = (records: unknown[]) =>
        Reflect.set(window, 'hydrations', Number(Reflect.get(window, 'hydrations')) + records.length);
      new MutationObserver(count).observe(place, { attributeFilter: ['data-hydrated'] });
    });
    await loaded(page, hydration);
    await links(page).hover();
    await links(page).focus();
    await period(page).hover();
    expect(await island(page).getAttribute('aria-busy')).toBe('true');
    mount.release();
    await hydrated(page);
    await eventually(() => island(page).getAttribute('aria-busy')).toBeNull();
    await settle(page);
    expect(await page.evaluate(() => Reflect.get(window, 'hydrations'))).toBe(1);
  });

  test('keeps what was entered and chosen before', async ({ page }) => {
    await start(page);
    await page.goto('/pricing');
    const mount = await hold(page, chunkOf('client/islands/mount.tsx'));
    await links(page).fill('20');
    await period(page).selectOption('1 day');
    for (const [at, { label }] of prices.cloud.entries())
      await part(page, 'Cloud')
        .getByLabel(label)
        .fill(String(at + 2));
    expect(await isHydrated(page)).toBe(false);
    mount.release();
    await hydrated(page);
    await eventually(() => total(page, 'Enterprise')).toBe(discounted(20, 24));
    const cents = prices.cloud.reduce((sum, one, at) => sum + one.cents * (at + 2), 0);
    await eventually(() => total(page, 'Cloud')).toBe(usd(cents));
    expect(await links(page).inputValue()).toBe('20');
    expect(await part(page, 'Cloud').getByRole('spinbutton').nth(1).inputValue()).toBe('3');
  });

  test('keeps the selection in a field that was typed into before', async ({ page }) => {
    await start(page);
    await page.goto('/pricing');
    const mount = await hold(page, chunkOf('client/islands/mount.tsx'));
    await links(page).fill('20');
    await links(page).press('ControlOrMeta+a');
    mount.release();
    await hydrated(page);
    await eventually(() => total(page, 'Enterprise')).toBe(discounted(20, 366 * 24));
    await links(page).press('Delete');
    expect(await links(page).inputValue()).toBe('');
  });

  test('keeps an early entry that is not a number, and says what is accepted', async ({ page }) => {
    await page.goto('/pricing');
    const mount = await hold(page, chunkOf('client/islands/mount.tsx'));
    await links(page).fill('');
    await links(page).press('-');
    mount.release();
    await hydrated(page);
    await eventually(() => faultOf(links(page))).toBe('Enter a whole number from 1 to 1,000,000.');
    await links(page).press('5');
    expect(await links(page).inputValue()).toBe('-5');
  });

  test('keeps what is chosen while React takes over', async ({ page }) => {
    await page.goto('/pricing');
    const mount = await hold(page, chunkOf('client/islands/mount.tsx'));
    // React starts by listening on its root, and finishes some event-loop turns later.
    await period(page).evaluate((select: HTMLSelectElement) => {
      const root = select.closest<HTMLElement>('[data-root]');
      const listen = root?.addEventListener;
      const choose = () => {
        select.value = '0';
        for (const type of ['input', 'change']) select.dispatchEvent(new Event(type, { bubbles: true }));
      };
      if (root && listen)
        root.addEventListener = (...args: Parameters<typeof listen>) => {
          root.addEventListener = listen;
          queueMicrotask(choose);
          listen.apply(root, args);
        };
    });
    await links(page).fill('10');
    mount.release();
    await hydrated(page);
    expect(await period(page).inputValue()).toBe('0');
    await eventually(() => total(page, 'Enterprise')).toBe(discounted(10, 24));
  });

  // At one of these turns React has taken over, and has not yet told us so.
  test.for([0, 1, 2, 3, 4])(
    'keeps a field empty that is emptied while React takes over, at turn %i',
    async (turns, { page }) => {
      await page.goto('/pricing');
      const mount = await hold(page, chunkOf('client/islands/mount.tsx'));
      const field = part(page, 'Cloud').getByRole('spinbutton').first();
      await field.focus();
      await field.evaluate((input: HTMLInputElement, wait) => {
        const root = input.closest<HTMLElement>('[data-root]');
        const listen = root?.addEventListener;
        const empty = () => {
          Reflect.set(HTMLInputElement.prototype, 'value', '', input);
          input.dispatchEvent(new Event('input', { bubbles: true }));
          Reflect.set(window, 'emptied', true);
        };
        const { port1, port2 } = new MessageChannel();
        let left = wait;
        port1.onmessage = () => {
          if (left === 0) return empty();
          left -= 1;
          port2.postMessage(undefined);
        };
        if (root && listen)
          root.addEventListener = (...args: Parameters<typeof listen>) => {
            root.addEventListener = listen;
            listen.apply(root, args);
            port2.postMessage(undefined);
          };
      }, turns);
      mount.release();
      await eventually(() => page.evaluate(() => Reflect.get(window, 'emptied'))).toBe(true);
      await hydrated(page);
      const increment = prices.cloud[1]?.cents ?? 0;
      await eventually(() => total(page, 'Cloud')).toBe(usd(increment * 30));
      expect(await field.inputValue()).toBe('');
    },
  );

  test('keeps what was entered before any script had loaded', async ({ page }) => {
    const entry = await hold(page, entryScript, 'script');
    await page.goto('/pricing', { waitUntil: 'commit' });
    await links(page).fill('20');
    await period(page).selectOption('1 day');
    await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
    entry.release();
    await eventually(() => total(page, 'Enterprise')).toBe(discounted(20, 24));
    expect([await links(page).inputValue(), await period(page).inputValue()]).toEqual(['20', '0']);
  });
});

describe('figures', () => {
  test('agree with pricing.yml on both sides of every discount step', async ({ page }) => {
    await page.goto('/pricing');
    await period(page).selectOption('1 day');
    for (const { minLinks } of prices.ladder) {
      for (const count of [minLinks - 1, minLinks].filter((one) => one > 0)) {
        await links(page).fill(String(count));
        await eventually(() => total(page, 'Enterprise')).toBe(discounted(count, 24));
        const step = await part(page, 'Enterprise').locator('tr[data-current] td').textContent();
        const { rate } = prices.ladder.findLast((one) => one.minLinks <= count) ?? { rate: 0 };
        expect(step).toBe(`${rate * 100} %`);
      }
    }
  });

  test('count whole links from one to a million; otherwise the field says what it accepts', async ({ page }) => {
    await page.goto('/pricing');
    await period(page).selectOption('1 day');
    const wrong = 'Enter a whole number from 1 to 1,000,000.';
    for (const [typed, sum, said] of [
      ['2.9', '–', wrong],
      ['', discounted(1, 24), undefined],
      ['0', '–', wrong],
      ['1e3', discounted(1000, 24), undefined],
      ['-3', '–', wrong],
      ['1000000', discounted(1_000_000, 24), undefined],
      ['1000001', '–', wrong],
    ] as const) {
      await links(page).fill(typed);
      await eventually(async () => [typed, await total(page, 'Enterprise')]).toEqual([typed, sum]);
      expect(await faultOf(links(page))).toBe(said);
    }
    expect(await part(page, 'Enterprise').locator('tr[data-current]').count()).toBe(0);
    expect(await total(page, 'Cloud')).not.toBe('–');
  });

  test('of terms count calendar days', async ({ page }) => {
    await page.clock.setFixedTime('2027-01-31T12:00:00');
    await page.goto('/pricing');
    await links(page).fill('1');
    for (const [term, days] of [
      ['7 days', 7],
      ['1 month', 28],
      ['3 months', 89],
      ['1 year', 365],
      ['2 years', 731],
    ] as const) {
      await period(page).selectOption(term);
      await eventually(() => total(page, 'Enterprise')).toBe(discounted(1, days * 24));
    }
  });

  test('of cloud work show what the credits leave; an empty field counts as zero', async ({ page }) => {
    await page.goto('/pricing');
    const change = prices.cloud.find(({ id }) => id === 'increment') ?? { label: '', cents: 0 };
    for (const field of await part(page, 'Cloud').getByRole('spinbutton').all()) await field.fill('');
    await eventually(() => total(page, 'Cloud')).toBe(usd(0));
    const credits = prices.newAccountCredits;
    const rows = (credits * 100) / change.cents;
    const note = () => part(page, 'Cloud').locator('.calculator-total small').textContent();
    await part(page, 'Cloud').getByLabel(change.label).fill(String(rows));
    await eventually(note).toBe(`Covered by the ${credits} credits of a new account`);
    await part(page, 'Cloud')
      .getByLabel(change.label)
      .fill(String(rows + 0.5));
    await eventually(note).toBe(`${usd(change.cents / 2)} after the ${credits} credits of a new account`);
  });

  test('of invalid cloud work have no total, and the fields say what they accept', async ({ page }) => {
    await page.goto('/pricing');
    await links(page).focus();
    await hydrated(page);
    const [first, second] = await part(page, 'Cloud').getByRole('spinbutton').all();
    if (!first || !second) throw new Error('The calculator has no two fields.');
    const wrong = 'Enter a number from 0 to 1,000,000.';
    // A lone sign is not a number for the browser, which then gives the page an empty text.
    await second.fill('');
    await second.press('-');
    await eventually(() => faultOf(second)).toBe(wrong);
    await second.press('5');
    expect([await total(page, 'Cloud'), await faultOf(second)]).toEqual(['–', wrong]);
    await first.fill('1000000.5');
    await eventually(() => faultOf(first)).toBe(wrong);
    expect(await part(page, 'Cloud').locator('.calculator-total').innerText()).toContain('Correct the marked fields');
    await second.fill('0.5');
    expect([await total(page, 'Cloud'), await faultOf(second)]).toEqual(['–', undefined]);
    await first.fill('');
    const change = prices.cloud[1]?.cents ?? 0;
    await eventually(() => total(page, 'Cloud')).toBe(usd(change / 2));
  });

  test('up to the maximum are fully visible on a phone', async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 800 });
    await page.goto('/pricing');
    for (const field of await island(page).getByRole('spinbutton').all()) {
      await field.fill('1000000');
      expect(await field.evaluate((input) => input.scrollWidth - input.clientWidth)).toBe(0);
    }
  });

  test('can be entered by keyboard alone', async ({ page }) => {
    await page.goto('/pricing');
    await island(page).evaluate((place) => {
      // Tab continues from here, as it would from any element before the calculator.
      const before = document.createElement('button');
      place.before(before);
      before.focus();
    });
    for (const { label } of prices.cloud) {
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => document.activeElement?.id)).toBe(
        await part(page, 'Cloud').getByLabel(label).getAttribute('id'),
      );
    }
    await hydrated(page);
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowUp');
    expect(await links(page).inputValue()).toBe('6');
    await page.keyboard.press('Tab');
    expect(await period(page).evaluate((one) => one === document.activeElement)).toBe(true);
    await page.keyboard.press('Home');
    await eventually(() => total(page, 'Enterprise')).toBe(discounted(6, 24));
  });
});

describe('across navigation', () => {
  test('an island is unmounted, and hydrated again on return', async ({ page }) => {
    await page.goto('/pricing');
    await mark(page);
    await links(page).focus();
    await hydrated(page);
    const root = await island(page).locator('[data-root]').elementHandle();
    await follow(page, '/about');
    await page.waitForURL('**/about');
    // React empties the root that it leaves.
    expect(await root?.evaluate((one) => one.childElementCount)).toBe(0);
    await page.goBack();
    await island(page).waitFor();
    expect(await isHydrated(page)).toBe(false);
    await period(page).selectOption('1 day');
    await links(page).fill('10');
    await eventually(() => total(page, 'Enterprise')).toBe(discounted(10, 24));
    expect(await isMarked(page)).toBe(true);
  });

  test('an island is not hydrated on a page that has been left', async ({ page }) => {
    await page.goto('/pricing');
    const mount = await hold(page, chunkOf('client/islands/mount.tsx'));
    const root = await island(page).locator('[data-root]').elementHandle();
    await links(page).focus();
    await eventually(() => island(page).getAttribute('aria-busy')).toBe('true');
    await follow(page, '/about');
    await page.waitForURL('**/about');
    mount.release();
    await page.goBack();
    await links(page).fill('10');
    await hydrated(page);
    const reactOf = (one: Element) => Object.keys(one).some((key) => key.startsWith('__reactContainer'));
    expect(await root?.evaluate(reactOf)).toBe(false);
    expect(await island(page).locator('[data-root]').evaluate(reactOf)).toBe(true);
  });
});

describe('when scripts fail to load', () => {
  test('the page reports a missing hydration script, and Retry loads it', async ({ page, problems }) => {
    problems.allow(/ERR_FAILED|A part of the page did not load/);
    await page.route(chunkOf(hydration), (route) => route.abort());
    await page.goto('/pricing');
    const notice = page.locator('body > .retry');
    await notice.getByText('A part of the page did not load.').waitFor();
    expect(await island(page).getByRole('spinbutton').count()).toBe(prices.cloud.length + 1);
    await page.unroute(chunkOf(hydration));
    await notice.getByRole('button', { name: 'Retry' }).click();
    await eventually(() => notice.count()).toBe(0);
    await links(page).fill('10');
    await hydrated(page);
  });

  test('Retry loads the page if an update of the site has removed the file', async ({ page, problems }) => {
    problems.allow(/status (of )?404|The island PricingCalculator failed/);
    const file = chunkOf('client/islands/PricingCalculator.tsx');
    await page.route(file, (route) => route.fulfill({ status: 404, body: '' }));
    await page.goto('/pricing');
    await links(page).fill('10');
    const notice = island(page).getByRole('alert');
    await notice.getByText('The site has been updated').waitFor();
    await page.unroute(file);
    const loaded = page.waitForEvent('load');
    await notice.getByRole('button', { name: 'Retry' }).click();
    await loaded;
    // What was entered is there, and counts.
    await hydrated(page);
    expect(await links(page).inputValue()).toBe('10');
    await island(page).getByText('10–19 links').locator('xpath=ancestor::tr[@data-current]').waitFor();
    expect(await notice.count()).toBe(0);
    await page.reload();
    expect(await links(page).inputValue()).toBe('5');
  });

  test.for(['client/islands/PricingCalculator.tsx', 'client/islands/mount.tsx'])(
    'the HTML stays, with a message and a working Retry: %s',
    async (source, { page, problems }) => {
      problems.allow(/ERR_FAILED|The island PricingCalculator failed/);
      const logged: string[] = [];
      page.on('console', (message) => logged.push(message.text()));
      await page.route(chunkOf(source), (route) => route.abort());
      await page.goto('/pricing');
      const before = await total(page, 'Enterprise');
      await links(page).fill('10');
      const notice = island(page).getByRole('alert');
      await notice.waitFor();
      expect(await notice.textContent()).toContain('This part of the page did not load.');
      await eventually(() => logged.join('\n')).toContain('The island PricingCalculator failed.');
      expect(await total(page, 'Enterprise')).toBe(before);
      expect(await island(page).getByRole('spinbutton').count()).toBe(prices.cloud.length + 1);
      await notice.getByRole('button', { name: 'Retry' }).click();
      await eventually(() => notice.count()).toBe(1);

      await page.unroute(chunkOf(source));
      await notice.getByRole('button', { name: 'Retry' }).click();
      await hydrated(page);
      expect(await notice.count()).toBe(0);
      await period(page).selectOption('1 day');
      await eventually(() => total(page, 'Enterprise')).toBe(discounted(10, 24));
    },
  );
});
