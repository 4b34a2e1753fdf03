import type { Link } from '../../client/contract/content.ts';

/** Pairs of neighbouring letters, the measure of likeness below. */
function letterPairs(text: string): Set<string> {
  const plain = text.toLowerCase().replace(/[^a-z0-9]+/g, ' ');
  return new Set(Array.from({ length: Math.max(0, plain.length - 1) }, (_, at) => plain.slice(at, at + 2)));
}

/** Dice coefficient of two sets, 0 to 1. */
function likeness(a: Set<string>, b: Set<string>): number {
  let shared = 0;
  for (const pair of a) if (b.has(pair)) shared += 1;
  return a.size + b.size === 0 ? 0 : (2 * shared) / (a.size + b.size);
}

/**
 * Pages whose address is most like the wanted one.
 * @param wanted path that was not found
 * @returns at most five links, the likest first; none when nothing is near
 */
export function nearestPages(wanted: string, pages: Iterable<Link>): Link[] {
  // Long addresses are noise; the measure needs only the start.
  const pairs = letterPairs(wanted.slice(0, 200));
  return [...pages]
    .map((page) => ({ page, score: likeness(pairs, letterPairs(page.href)) }))
    .filter(({ score }) => score > 0.3)
    .sort((a, b) => b.score - a.score)
    .slice(0, 5)
    .map(({ page }) => page);
}
