import type { Link } from '../../client/contract/reading.ts';

/** A text's bigrams, for the similarity below. */
function letterPairs(text: string): Set<string> {
  const plain = text.toLowerCase().replace(/[^a-z0-9]+/g, ' ');
  return new Set(Array.from({ length: Math.max(0, plain.length - 1) }, (_, at) => plain.slice(at, at + 2)));
}

/**
 * Finds pages whose address is similar to a wanted one. The bigram index is built once, so an unknown address costs
 * little among thousands of pages.
 * @returns a function that returns at most five links, the most similar first
 */
export function createNearest(pages: Iterable<Link>): (wanted: string) => Link[] {
  const known: { page: Link; pairs: number }[] = [];
  const holders = new Map<string, number[]>();
  for (const page of pages) {
    const pairs = letterPairs(page.href);
    for (const pair of pairs) {
      const held = holders.get(pair);
      if (held) held.push(known.length);
      else holders.set(pair, [known.length]);
    }
    known.push({ page, pairs: pairs.size });
  }
  return (wanted) => {
    // Only the start of a long address is compared.
    const pairs = letterPairs(wanted.slice(0, 200));
    const shared = new Uint16Array(known.length);
    for (const pair of pairs) for (const at of holders.get(pair) ?? []) shared[at] = (shared[at] ?? 0) + 1;
    // Dice coefficient of two sets, 0 to 1.
    return known
      .map((one, at) => ({ page: one.page, score: (2 * (shared[at] ?? 0)) / (pairs.size + one.pairs) }))
      .filter(({ score }) => score > 0.3)
      .sort((a, b) => b.score - a.score)
      .slice(0, 5)
      .map(({ page }) => page);
  };
}
