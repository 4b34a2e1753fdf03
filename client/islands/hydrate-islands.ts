import { whenIdle } from '../browser/idle.ts';
import { retryNotice } from '../browser/notice.ts';
import { report } from '../browser/report.ts';
import { retryLoad } from '../browser/retry-load.ts';
import { changedFields, type EarlyInput, keepFields, noteEarlyInput, restoreFields } from './early-input.ts';
import type { Mounted } from './mount.tsx';
import { isIslandName, islands } from './registry.ts';

const mounted = new Set<Mounted>();
/** Islands that have been found: a page that was left and returned to while this file loaded asks twice. */
const known = new WeakSet<HTMLElement>();
/** What was clicked in an island before it was hydrated. */
const earlyClicks = new WeakMap<HTMLElement, HTMLElement>();
/** Aborted when the page is left: an island that loads late must not mount into a removed element. */
let page = new AbortController();

/** Loads an island and hydrates it; if that fails, the server's HTML stays with a Retry message below it. */
async function hydrate(place: HTMLElement): Promise<void> {
  const { signal } = page;
  const { island: name = '' } = place.dataset;
  if (place.ariaBusy || !isIslandName(name)) return;
  place.ariaBusy = 'true';
  place.querySelector('.retry')?.remove();
  let early: EarlyInput | undefined;
  try {
    const [{ mount }, { render }] = await Promise.all([import('./mount.tsx'), islands[name]()]);
    if (signal.aborted) return;
    early = noteEarlyInput(place);
    const island = await mount(place, render, early, (error) => fail(place, error));
    if (signal.aborted) return island.unmount();
    mounted.add(island);
    place.dataset.hydrated = '';
    earlyClicks.get(place)?.click();
  } catch (error) {
    fail(place, error);
  } finally {
    early?.stop();
    place.ariaBusy = null;
    earlyClicks.delete(place);
  }
}

function fail(place: HTMLElement, error: unknown): void {
  report(`The island ${place.dataset.island} failed.`, error);
  delete place.dataset.hydrated;
  const { hint, retry } = retryLoad(
    error,
    () => void hydrate(place),
    () => keepFields(place),
  );
  place.append(retryNotice(`This part of the page did not load.${hint}`, retry));
}

/** True if the visitor used the island before our scripts had loaded. */
function isUsed(place: HTMLElement): boolean {
  return place.matches(':focus-within') || changedFields(place).length > 0;
}

/** Hydrates an island when the visitor interacts with it; a premature click is repeated. */
function hydrateOnInteraction(place: HTMLElement): void {
  const onEvent = (event: Event) => {
    const { target, type } = event;
    if ('hydrated' in place.dataset || !(target instanceof HTMLElement) || target.closest('.retry')) return;
    if (type === 'click') {
      event.preventDefault();
      event.stopPropagation();
      if (!earlyClicks.has(place)) earlyClicks.set(place, target);
    }
    if (place.ariaBusy || (place.querySelector('.retry') && type !== 'click')) return;
    void hydrate(place);
  };
  for (const type of ['pointerenter', 'focusin', 'input', 'click']) {
    place.addEventListener(type, onEvent, { capture: true, signal: page.signal });
  }
  if (isUsed(place)) void hydrate(place);
}

function hydrateInView(place: HTMLElement): void {
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
    observer.disconnect();
    void hydrate(place);
  });
  observer.observe(place);
}

/** Finds the page's islands and hydrates each at its requested time. */
export function hydrateIslands(): void {
  for (const place of document.querySelectorAll<HTMLElement>('[data-island]')) {
    const { when, island = '' } = place.dataset;
    if (!isIslandName(island) || known.has(place)) continue;
    known.add(place);
    restoreFields(place);
    if (when === 'now') void hydrate(place);
    else if (when === 'idle') whenIdle(() => void hydrate(place));
    else if (when === 'visible') hydrateInView(place);
    else hydrateOnInteraction(place);
  }
}

/** Unmounts the islands of the page that is being left; those still loading will not mount. */
export function leaveIslands(): void {
  page.abort();
  page = new AbortController();
  for (const island of mounted) island.unmount();
  mounted.clear();
}
