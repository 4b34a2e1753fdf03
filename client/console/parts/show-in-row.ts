/** Scrolls a row that is wider than its window until an entry is in the middle; the page itself does not scroll. */
export function showInRow(entry: Element, row: Element): void {
  const [wanted, seen] = [entry.getBoundingClientRect(), row.getBoundingClientRect()];
  row.scrollLeft += wanted.left + wanted.width / 2 - (seen.left + seen.width / 2);
}
