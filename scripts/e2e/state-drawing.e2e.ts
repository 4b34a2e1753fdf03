import type { Page } from 'playwright';
import { expect } from 'vitest';
import { test } from './browser.ts';

const address = '/docs/operation/job_manage/job_op/job_life_cycle_manage';

/** Words of a drawing that overlap other words or another box, as the browser renders them. */
const wordsInTheWay = (page: Page) =>
  page.locator('svg.states').evaluate((svg) => {
    const lies = (a: DOMRect, b: DOMRect) =>
      a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
    const words = [...svg.querySelectorAll('text')];
    const boxes = [...svg.querySelectorAll('rect')];
    return words.flatMap((one, at) => {
      const place = one.getBoundingClientRect();
      // A line box is taller than its letters.
      const letters = new DOMRect(place.x, place.y + 2, place.width, place.height - 5);
      const others = [...words.slice(at + 1), ...boxes].filter((other) => other.parentElement !== one.parentElement);
      const inOneLine = words.slice(at + 1).filter((other) => other.parentElement === one.parentElement);
      return [...others, ...inOneLine]
        .filter((other) => lies(letters, other.getBoundingClientRect()))
        .map((other) => `${one.textContent} on ${other.textContent || 'a box'}`);
    });
  });

test('the job life cycle is a named picture without overlapping words, in both themes', async ({ page }) => {
  await page.goto(address);
  const picture = page.getByRole('img', { name: 'Life of a job', exact: true });
  expect(await picture.count()).toBe(1);
  expect(await picture.locator('desc').textContent()).toContain('start leads from INIT, STOP, ABNORMAL to WAIT_START');
  expect(await picture.locator('.states-box').allTextContents()).toContain('WAIT_RESTART');
  expect(await wordsInTheWay(page)).toEqual([]);

  const colours = () =>
    picture.evaluate((svg) =>
      ['g.states-asked', 'g.states-itself', '.states-box rect', '.states-box text'].map((name) => {
        const part = svg.querySelector(name);
        const { stroke, fill } = part ? getComputedStyle(part) : { stroke: '', fill: '' };
        return name.endsWith('text') ? fill : stroke;
      }),
    );
  await page.emulateMedia({ colorScheme: 'light' });
  const light = await colours();
  expect(light).toEqual(['rgb(15, 95, 168)', 'rgb(86, 96, 112)', 'rgb(28, 36, 48)', 'rgb(28, 36, 48)']);
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await colours();
  expect(dark.filter((colour, at) => colour === light[at])).toEqual([]);
});

test('on a phone the picture keeps its size and scrolls by keyboard', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 800 });
  await page.goto(address);
  const widthOf = () => page.locator('svg.states').evaluate((svg) => [svg.clientWidth, svg.getAttribute('width')]);
  const [shown, drawn] = await widthOf();
  expect(String(shown)).toBe(drawn);
  const frame = page.getByRole('region', { name: 'Life of a job' });
  await frame.focus();
  expect(await frame.evaluate((one) => [one === document.activeElement, one.scrollWidth > one.clientWidth])).toEqual([
    true,
    true,
  ]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
});

test('in print the picture fits the page', async ({ page }) => {
  await page.goto(address);
  await page.emulateMedia({ media: 'print' });
  const size = await page.locator('svg.states').evaluate((svg) => {
    const { width, height } = svg.getBoundingClientRect();
    return {
      height,
      ratio: width / height,
      drawn: Number(svg.getAttribute('width')) / Number(svg.getAttribute('height')),
    };
  });
  // A4 less margins of 2 cm, at 96 dots an inch.
  expect(size.height).toBeLessThan((25.7 / 2.54) * 96);
  expect(size.ratio).toBeCloseTo(size.drawn, 2);
});
