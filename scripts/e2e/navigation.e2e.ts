import type { Page } from 'playwright';
import { describe, expect } from 'vitest';
import { calls } from '../../client/contract/calls.ts';
import { test } from './browser.ts';
import { chunkOf } from './chunk.ts';
import {
  eventually,
  follow,
  goOffline,
  goOnline,
  hold,
  isMarked,
  loaded,
  mark,
  openAnswered,
  settle,
  stopClock,
} from './visitor.ts';

const document1 = '/docs/intro/product_intro';
const navigation = chunkOf('client/navigation/navigate.ts');
const document2 = '/docs/intro/product_arch';

/** The parts of <head> that describe the page. */
const headOf = (page: Page) =>
  page.evaluate(() =>
    Array.from(
      document.head.querySelectorAll(
        'title, meta[name=description], meta[property], link[rel=canonical], script[type]',
      ),
      (part) => part.outerHTML,
    )
      .filter((html) => !/type="module"/.test(html))
      .sort(),
  );

const heading = (page: Page) => page.locator('main h1').first().textContent();
const scrollTop = (page: Page) => page.evaluate(() => scrollY);
/** Waits for what shows other pages: it is loaded at the first interaction, here a key. */
async function navigationLoads(page: Page): Promise<void> {
  const part = page.waitForResponse(navigation);
  await page.keyboard.press('Shift');
  await (await part).finished();
  await loaded(page, 'client/navigation/navigate.ts');
}

const path = (page: Page) => new URL(page.url()).pathname;
const isLoading = (page: Page) => page.evaluate(() => 'loading' in document.documentElement.dataset);

describe.each([390, 1280])('a soft navigation, %i px', (width) => {
  test('updates the head, the focus and the announcement for screen readers', async ({ page, context }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(document1);
    await mark(page);
    expect(await page.locator('[aria-live=polite]').textContent()).toBe('');
    await page
      .locator(`main a[href="${document2}"]`)
      .first()
      .evaluate((link: HTMLElement) => link.click());
    await page.waitForURL(`**${document2}`);
    await eventually(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
    expect(await isMarked(page)).toBe(true);
    expect(await page.locator('[aria-live=polite]').textContent()).toBe(await page.title());

    const fresh = await context.newPage();
    await fresh.goto(document2);
    const head = await headOf(fresh);
    expect(head.join()).toMatch(/<title>.*description.*canonical|canonical.*description.*<title>/s);
    expect(head.join()).toContain('ld+json');
    expect(await headOf(page)).toEqual(head);
    expect(await heading(page)).toBe(await heading(fresh));
  });
});

describe('progress bar', () => {
  test('appears 200 ms after the click and disappears with the page', async ({ page }) => {
    await page.clock.install();
    await page.goto('/pricing');
    await stopClock(page);
    const about = await hold(page, '**/about', 'xhr');
    await follow(page, '/about');
    await page.clock.runFor(199);
    expect(await isLoading(page)).toBe(false);
    await page.clock.runFor(1);
    expect(await isLoading(page)).toBe(true);
    const line = await page.evaluate(() => getComputedStyle(document.documentElement, '::after').height);
    expect(line).toBe('3px');
    about.release();
    await page.waitForURL('**/about');
    await eventually(() => isLoading(page)).toBe(false);
  });

  test('does not appear for a change of query or a quick page', async ({ page }) => {
    await page.clock.install();
    await page.goto('/search?q=mysql');
    await stopClock(page);
    const held = await hold(page, '**/search?q=kafka', 'xhr');
    await follow(page, '/search?q=kafka');
    await page.clock.runFor(5000);
    expect(await isLoading(page)).toBe(false);
    held.release();
    await page.waitForURL('**/search?q=kafka');
    await follow(page, '/about');
    await page.waitForURL('**/about');
    await page.clock.runFor(5000);
    expect(await isLoading(page)).toBe(false);
  });
});

describe('fade', () => {
  const fade = (page: Page) =>
    page.locator('main').evaluate((main) => {
      const [animation] = main.getAnimations();
      return animation instanceof CSSAnimation
        ? [animation.animationName, animation.effect?.getTiming().duration]
        : undefined;
    });
  const watchFades = (page: Page) =>
    page.evaluate(async () => {
      // The fade of the first load may not have started yet.
      await Promise.all(
        document
          .querySelector('main')
          ?.getAnimations()
          .map(({ finished }) => finished) ?? [],
      );
      const begun: string[] = [];
      Reflect.set(window, 'fades', begun);
      document.addEventListener('animationstart', ({ animationName, target }) => {
        if (animationName === 'fade-in' && target instanceof Element && target.localName === 'main')
          begun.push(location.pathname);
      });
    });
  /** The page of each fade since then. */
  const fades = (page: Page) => page.evaluate(() => Reflect.get(window, 'fades'));

  test('of 800 ms restarts after a path or query change, but not for a heading', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await page.goto('/search?q=mysql');
    expect(await fade(page)).toEqual(['fade-in', 800]);
    await watchFades(page);
    await follow(page, '/search?q=kafka');
    await eventually(() => fades(page)).toEqual(['/search']);
    expect(await fade(page)).toEqual(['fade-in', 800]);
    expect(await page.locator('main').evaluate((main) => getComputedStyle(main).getPropertyValue('--fade-from'))).toBe(
      '0',
    );
    await follow(page, document1);
    await eventually(() => fades(page)).toEqual(['/search', document1]);
    await page.locator('.toc li a').first().click();
    await eventually(() => new URL(page.url()).hash).not.toBe('');
    await follow(page, '/about');
    await eventually(() => fades(page)).toEqual(['/search', document1, '/about']);
  });

  test('is left out for visitors who prefer reduced motion', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto('/about');
    expect(await fade(page)).toBeUndefined();
    await follow(page, '/why');
    await page.waitForURL('**/why');
    expect(await fade(page)).toBeUndefined();
  });
});

describe('scroll', () => {
  test.for([390, 1280])(
    'goes to the target below the bar or to the top; back and forward restore it, %i px',
    async (width, { page }) => {
      await page.setViewportSize({ width, height: 700 });
      await page.goto(document1);
      await mark(page);
      await page.evaluate(() => scrollTo(0, 600));
      await eventually(() => scrollTop(page)).toBe(600);
      const id = await page.evaluate(async (address) => {
        const html = await (await fetch(address)).text();
        return [...(/<article.*<\/article>/s.exec(html)?.[0].matchAll(/<h2[^>]* id="([^"]+)"/g) ?? [])].at(1)?.[1];
      }, document2);
      expect(id).toBeTruthy();
      await follow(page, `${document2}#${id}`);
      await page.waitForURL(`**${document2}#${id}`);
      const top = await page.evaluate((name) => document.getElementById(name)?.getBoundingClientRect().top, id ?? '');
      expect(top).toBeGreaterThanOrEqual(70);
      expect(top).toBeLessThan(200);
      const atTarget = await scrollTop(page);
      expect(atTarget).toBeGreaterThan(0);
      await follow(page, '/about');
      await page.waitForURL('**/about');
      expect(await scrollTop(page)).toBe(0);
      await page.goBack();
      await eventually(() => scrollTop(page)).toBe(atTarget);
      expect(path(page)).toBe(document2);
      await page.goBack();
      await eventually(() => scrollTop(page)).toBe(600);
      await page.goForward();
      await eventually(() => scrollTop(page)).toBe(atTarget);
      expect(await isMarked(page)).toBe(true);
    },
  );

  test.for([390, 1280])(
    'is kept by a reload below or above the heading in the address, %i px',
    async (width, { page }) => {
      await page.setViewportSize({ width, height: 700 });
      await page.goto(document2);
      const ids = await page.locator('.prose h2[id]').evaluateAll((all) => all.map(({ id }) => id));
      expect(ids.length).toBeGreaterThan(2);
      await page.goto(`${document2}#${ids[1]}`);
      await eventually(() => scrollTop(page)).toBeGreaterThan(200);
      const target = await scrollTop(page);
      for (const y of [target + 400, target - 150]) {
        await page.evaluate((to) => scrollTo(0, to), y);
        await eventually(() => scrollTop(page)).toBe(y);
        await page.reload();
        await eventually(() => scrollTop(page)).toBe(y);
        // Nor does anything scroll to the heading later.
        await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
        expect([await scrollTop(page), new URL(page.url()).hash]).toEqual([y, `#${ids[1]}`]);
      }
      // Back from another document too.
      await page.goto('/robots.txt');
      await page.goBack();
      await eventually(() => scrollTop(page)).toBe(target - 150);
      // A visitor who opens the address again is taken to the heading.
      await page.goto('/about');
      await page.goto(`${document2}#${ids[1]}`);
      await eventually(() => scrollTop(page)).toBe(target);
    },
  );

  test('of the current page does not move while the previous page is loading', async ({ page }) => {
    await page.goto(document1);
    await page.evaluate(() => scrollTo(0, 600));
    await eventually(() => scrollTop(page)).toBe(600);
    await follow(page, document2);
    await page.waitForURL(`**${document2}`);
    const before = await heading(page);
    const held = await hold(page, `**${document1}`, 'xhr');
    const asked = page.waitForRequest(`**${document1}`);
    await page.goBack();
    await asked;
    // A browser that restores the scroll position itself does so with the next frame.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    expect([await heading(page), await scrollTop(page)]).toEqual([before, 0]);
    held.release();
    await eventually(() => scrollTop(page)).toBe(600);
  });

  test('is restored after a full load in between', async ({ page }) => {
    await page.goto(document1);
    await page.evaluate(() => scrollTo(0, 500));
    await eventually(() => scrollTop(page)).toBe(500);
    await page.goto('/markdown-page');
    await page.goBack();
    await eventually(() => scrollTop(page)).toBe(500);
  });
});

describe('faults', () => {
  test('a failed load becomes a full load', async ({ page, problems }) => {
    problems.allow(/500/);
    await page.goto('/pricing');
    await mark(page);
    await page.route('**/about', (route) =>
      route.request().resourceType() === 'xhr'
        ? route.fulfill({ status: 500, contentType: 'text/html', body: '<p>no' })
        : route.continue(),
    );
    await follow(page, '/about');
    await page.waitForURL('**/about');
    await page.locator('main h1').waitFor();
    expect(await isMarked(page)).toBe(false);
  });

  test('a response that is not a page of the site becomes a full load', async ({ page }) => {
    await page.goto('/pricing');
    await mark(page);
    await page.route('**/about', (route) =>
      route.request().resourceType() === 'xhr'
        ? route.fulfill({ status: 200, contentType: 'text/html', body: '<h1>Sign in to the hotel Wi-Fi</h1>' })
        : route.continue(),
    );
    await follow(page, '/about');
    await page.waitForURL('**/about');
    expect(await heading(page)).not.toContain('Wi-Fi');
    expect(await isMarked(page)).toBe(false);
  });

  test('a page of another build becomes a full load', async ({ page }) => {
    await page.goto('/pricing');
    await mark(page);
    await page.route('**/about', async (route) => {
      if (route.request().resourceType() !== 'xhr') return route.continue();
      const response = await route.fetch();
      const body = (await response.text()).replace(/(<meta name="build" content=")[^"]*/, '$1other');
      return route.fulfill({ response, body });
    });
    await follow(page, '/about');
    await page.waitForURL('**/about');
    expect(await isMarked(page)).toBe(false);
  });

  test.for([390, 1280])(
    'offline, the old page stays, with a message and Retry, %i px',
    async (width, { page, problems }) => {
      problems.allow(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/);
      await page.setViewportSize({ width, height: 800 });
      // The requests that every page sends on its own are answered first.
      await openAnswered(page, '/pricing');
      await page.waitForLoadState('networkidle');
      await navigationLoads(page);
      await mark(page);
      const before = await heading(page);
      await goOffline(page);
      await follow(page, '/about');
      const notice = page.locator('body > .retry');
      await notice.waitFor();
      expect(await notice.textContent()).toContain('You are offline');
      expect([path(page), await heading(page)]).toEqual(['/pricing', before]);
      expect(await page.locator('.bar-groups [data-current]').getAttribute('data-section')).toBe('pricing');
      expect(await isLoading(page)).toBe(false);
      // The notice of the first try is gone by then; the second try must not reach the network.
      const failed = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/about'));
      await notice.getByRole('button', { name: 'Retry' }).click();
      await failed;
      await notice.waitFor();
      await goOnline(page);
      // Nor must it be there before it is requested.
      await page.route('**/pricing', (route) => route.abort());
      const viewed = page.waitForResponse(`**${calls.addViewLog}`);
      await notice.getByRole('button', { name: 'Retry' }).click();
      await page.waitForURL('**/about');
      await (await viewed).finished();
      expect(await notice.count()).toBe(0);
      expect(await isMarked(page)).toBe(true);
      const about = await heading(page);
      // On Back and Forward the notice stays with the address that it is about.
      await goOffline(page);
      await page.goBack();
      await notice.waitFor();
      await page.goForward();
      await eventually(() => notice.count()).toBe(0);
      expect([path(page), await heading(page)]).toEqual(['/about', about]);
    },
  );

  describe('before the script that shows pages has loaded', () => {
    test('a link is followed once it is there, and the last one counts', async ({ page }) => {
      await page.goto('/pricing');
      await mark(page);
      const held = await hold(page, navigation);
      await follow(page, '/why');
      await follow(page, '/about');
      await eventually(() => isLoading(page)).toBe(true);
      expect(path(page)).toBe('/pricing');
      held.release();
      await page.waitForURL('**/about');
      await eventually(() => isLoading(page)).toBe(false);
      expect(await isMarked(page)).toBe(true);
      await page.goBack();
      await page.waitForURL('**/pricing');
      expect(await isMarked(page)).toBe(true);
    });

    test('back after a reload shows the earlier page', async ({ page }) => {
      await page.goto('/pricing');
      const before = await heading(page);
      await follow(page, '/about');
      await page.waitForURL('**/about');
      await page.reload();
      await page.locator('[aria-live=polite]').waitFor({ state: 'attached' });
      const held = await hold(page, navigation);
      await page.evaluate(() => history.back());
      await page.waitForURL('**/pricing');
      held.release();
      await eventually(() => heading(page)).toBe(before);
    });

    test('a link is loaded fully if it does not load', async ({ page, problems }) => {
      problems.allow(/ERR_FAILED/);
      await page.goto('/pricing');
      await mark(page);
      await page.route(navigation, (route) => route.abort());
      await follow(page, '/about');
      await page.waitForURL('**/about');
      await page.locator('main h1').waitFor();
      expect(await isMarked(page)).toBe(false);
    });

    test('offline, the page stays, with a message and Retry', async ({ page, problems }) => {
      problems.allow(/ERR_INTERNET_DISCONNECTED/);
      await openAnswered(page, '/pricing');
      await mark(page);
      await goOffline(page);
      await follow(page, '/about');
      const notice = page.locator('body > .retry');
      await notice.getByText('You are offline').waitFor();
      expect([path(page), await isLoading(page)]).toEqual(['/pricing', false]);
      await goOnline(page);
      await notice.getByRole('button', { name: 'Retry' }).click();
      await page.waitForURL('**/about');
      expect([await notice.count(), await isMarked(page)]).toEqual([0, true]);
    });
  });

  test('an unknown address shows the not-found page', async ({ page, problems }) => {
    problems.allow(/status of 404|status 404/);
    await page.goto('/pricing');
    await mark(page);
    await follow(page, '/no-such-page');
    await page.waitForURL('**/no-such-page');
    expect(await heading(page)).toBe('Page not found');
    expect(await isMarked(page)).toBe(true);
    await page.goBack();
    await page.waitForURL('**/pricing');
  });

  test.for(['#no-such-heading', '#%E0%A4%A', '#%'])(
    'an address that ends in %s shows its page from the top',
    async (hash, { page }) => {
      await page.goto('/pricing');
      await mark(page);
      await page.evaluate(() => scrollTo(0, 500));
      await follow(page, `/about${hash}`);
      await page.waitForURL(`**/about${hash}`);
      await eventually(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
      expect([await scrollTop(page), await isMarked(page)]).toEqual([0, true]);
    },
  );

  test('after two quick clicks the last page is shown', async ({ page }) => {
    await page.goto('/pricing');
    await mark(page);
    const entries = await page.evaluate(() => history.length);
    const about = await hold(page, '**/about', 'xhr');
    const answered = page.waitForResponse('**/about');
    await follow(page, '/about');
    await follow(page, '/why');
    await page.waitForURL('**/why');
    const why = await heading(page);
    about.release();
    await (await answered).finished();
    await settle(page);
    expect([path(page), await heading(page)]).toEqual(['/why', why]);
    expect(await page.evaluate(() => history.length)).toBe(entries + 1);
    expect(await isMarked(page)).toBe(true);
  });
});

test('forward right after back drops the page that was loading', async ({ page }) => {
  await page.goto('/about');
  await mark(page);
  await follow(page, '/pricing');
  await page.waitForURL('**/pricing');
  const pricing = await heading(page);
  const about = await hold(page, '**/about', 'xhr');
  const answered = page.waitForResponse('**/about');
  await page.evaluate(() => history.back());
  await page.waitForURL('**/about');
  await page.evaluate(() => history.forward());
  await page.waitForURL('**/pricing');
  about.release();
  await (await answered).finished();
  await settle(page);
  expect([path(page), await heading(page)]).toEqual(['/pricing', pricing]);
  expect(await isMarked(page)).toBe(true);
});

describe('links that are not handled', () => {
  test('open another tab with a modifier key', async ({ page, context }) => {
    await page.goto('/pricing');
    const opened = context.waitForEvent('page');
    await page
      .locator('.bar-groups')
      .getByText('About')
      .click({ modifiers: ['ControlOrMeta'] });
    await (await opened).waitForURL('**/about');
    expect(path(page)).toBe('/pricing');
  });

  test('open in their own target, or save their file', async ({ page, context }) => {
    await page.goto('/pricing');
    await mark(page);
    const use = (attribute: string, value: string) =>
      page.evaluate(
        ([name, text]) => {
          const link = document.createElement('a');
          link.href = '/about';
          link.setAttribute(name, text);
          document.querySelector('main')?.append(link);
          link.click();
        },
        [attribute, value] as const,
      );
    const opened = context.waitForEvent('page');
    await use('target', '_blank');
    await (await opened).waitForURL('**/about');
    const saved = page.waitForEvent('download');
    await use('download', 'about.html');
    expect((await saved).suggestedFilename()).toBe('about.html');
    expect([path(page), await isMarked(page)]).toEqual(['/pricing', true]);
  });

  test('are loaded in full if they lead to a file', async ({ page }) => {
    await page.goto(document1);
    await mark(page);
    await follow(page, `${document1}.md`);
    await page.waitForURL('**/*.md');
    expect(await isMarked(page)).toBe(false);
  });
});

describe('prefetch', () => {
  test('waits for a sign of the visitor, and a resting pointer is none', async ({ page }) => {
    const script = chunkOf('client/navigation/navigate.ts');
    let asked = 0;
    page.on('request', (request) => {
      // A prefetch is not a script request yet.
      if (request.resourceType() === 'script' && request.url().endsWith(script.replace('**', ''))) asked += 1;
    });
    await page.goto('/about');
    await page.locator('[aria-live=polite]').waitFor({ state: 'attached' });
    await page.evaluate(() => dispatchEvent(new PointerEvent('pointermove', { clientX: 9, clientY: 9 })));
    await settle(page);
    expect(asked).toBe(0);
    await page.mouse.move(40, 40);
    await page.mouse.move(60, 40);
    await eventually(() => asked).toBe(1);
  });

  const asked = (page: Page) => {
    const list: string[] = [];
    page.on('request', (request) => {
      if (request.resourceType() === 'xhr') list.push(new URL(request.url()).pathname);
    });
    return list;
  };
  const link = (page: Page) => page.locator('.footer a[href="/about"]');

  test('happens once on hover, and the click uses it', async ({ page }) => {
    await page.goto('/pricing');
    const list = asked(page);
    const answered = page.waitForResponse('**/about');
    await link(page).hover();
    await answered;
    await link(page).click();
    await page.waitForURL('**/about');
    expect(list.filter((one) => one === '/about')).toEqual(['/about']);
  });

  test('is repeated after five minutes', async ({ page }) => {
    await page.clock.install();
    await page.goto('/pricing');
    await stopClock(page);
    const list = asked(page);
    const times = () => list.filter((one) => one === '/about').length;
    const rest = async () => {
      await link(page).hover();
      await page.clock.runFor(100);
      await settle(page);
      await page.mouse.move(5, 5);
      return times();
    };
    // Repeatedly, since the pointer watcher may start in an idle moment of the stopped clock.
    await eventually(rest).toBe(1);
    await page.clock.runFor(4 * 60_000);
    expect(await rest()).toBe(1);
    await page.clock.runFor(60_000);
    await eventually(rest).toBe(2);
  });

  test('happens on focus', async ({ page }) => {
    await page.goto('/pricing');
    const answered = page.waitForResponse('**/about');
    await link(page).focus();
    expect((await answered).status()).toBe(200);
  });

  test('loads the next page when the reader reaches the end of this one', async ({ page }) => {
    await page.goto(document1);
    const next = page.locator('main a[rel=next]');
    const path = await next.getAttribute('href');
    const list = asked(page);
    const prefetching = page.waitForResponse(chunkOf('client/navigation/navigate.ts'));
    await page.mouse.move(5, 5);
    await page.mouse.move(9, 9);
    await (await prefetching).finished();
    await settle(page);
    expect(list).not.toContain(path);
    await next.scrollIntoViewIfNeeded();
    await eventually(() => list).toContain(path);
  });

  test('loads at most five links in view', async ({ page }) => {
    await page.setViewportSize({ width: 1280, height: 4000 });
    await page.goto('/blog');
    expect(await page.locator('main a:not(nav a, aside a)').count()).toBeGreaterThan(10);
    await page.waitForLoadState('networkidle');
    const list = asked(page);
    // The script may not listen yet when the pointer moves for the first time.
    let moves = 0;
    await eventually(async () => {
      await page.mouse.move(5, 5 + moves++);
      return list.length;
    }).toBe(5);
    await settle(page);
    expect(list).toHaveLength(5);
  });

  test('does not happen when the pointer only crosses the link', async ({ page }) => {
    await page.clock.install();
    await page.goto('/pricing');
    await stopClock(page);
    const list = asked(page);
    // Until the pointer watcher has loaded.
    await eventually(async () => {
      await page.locator('.footer a[href="/blog/authors"]').hover();
      await page.clock.runFor(100);
      await settle(page);
      await page.mouse.move(5, 5);
      return list;
    }).toContain('/blog/authors');
    await link(page).hover();
    await page.clock.runFor(60);
    await page.mouse.move(5, 5);
    await page.clock.runFor(1000);
    await settle(page);
    expect(list).not.toContain('/about');
    await link(page).hover();
    await page.clock.runFor(65);
    await eventually(() => list).toContain('/about');
  });

  test.for([{ saveData: true }, { effectiveType: '2g' }, { effectiveType: 'slow-2g' }])(
    'does not happen with %o',
    async (connection, { page }) => {
      await page.addInitScript((value) => {
        Object.defineProperty(navigator, 'connection', { value });
      }, connection);
      await page.clock.install();
      await page.goto(document1);
      await stopClock(page);
      const list = asked(page);
      const prefetching = page.waitForResponse(chunkOf('client/navigation/navigate.ts'));
      await page.mouse.move(5, 5);
      await page.mouse.move(9, 9);
      await (await prefetching).finished();
      await settle(page);
      await link(page).hover();
      await page.clock.runFor(1000);
      await link(page).focus();
      await page.mouse.move(5, 5);
      await page.clock.runFor(1000);
      await settle(page);
      expect(list).toEqual([]);
      await link(page).click();
      await page.waitForURL('**/about');
      expect(list).toContain('/about');
    },
  );
});
