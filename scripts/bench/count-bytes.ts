import type { Page } from 'playwright';

const kinds: Record<string, string> = {
  document: 'html',
  stylesheet: 'css',
  script: 'js',
  font: 'font',
  image: 'image',
};
export const kindNames = Object.values(kinds);

/** Counts the bytes of a page from now on. @returns the kilobytes so far, by kind */
export function count(page: Page): () => Promise<Map<string, number>> {
  const sizes: Promise<[kind: string, body: number, headers: number]>[] = [];
  page.on('requestfinished', (request) => {
    const kind = kinds[request.resourceType()] ?? 'other';
    sizes.push(
      request
        .sizes()
        .then(({ responseBodySize, responseHeadersSize }) => [kind, responseBodySize, responseHeadersSize]),
    );
  });
  return async () => {
    const bytes = new Map<string, number>();
    // Files from the browser's cache have negative sizes.
    const add = (kind: string, size: number) => bytes.set(kind, (bytes.get(kind) ?? 0) + Math.max(0, size) / 1000);
    for (const [kind, body, headers] of await Promise.all(sizes)) {
      add(kind, body);
      add('headers', headers);
    }
    return bytes;
  };
}
