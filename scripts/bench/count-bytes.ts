import type { Page } from 'playwright';

const kinds: Record<string, string> = {
  document: 'html',
  stylesheet: 'css',
  script: 'js',
  font: 'font',
  image: 'image',
};
export const kindNames = Object.values(kinds);

type Size = [kind: string, body: number, headers: number];

/** Starts counting a page's bytes. @returns a function for the kilobytes so far, by kind */
export function count(page: Page): () => Promise<Map<string, number>> {
  const sizes: Promise<Size>[] = [];
  page.on('requestfinished', (request) => {
    // A script that is loaded on use is fetched before it is imported, and then comes from the browser's cache.
    const isScript = new URL(request.url()).pathname.endsWith('.js');
    const kind = isScript ? 'js' : (kinds[request.resourceType()] ?? 'other');
    const size = request
      .sizes()
      .then(({ responseBodySize, responseHeadersSize }): Size => [kind, responseBodySize, responseHeadersSize]);
    // A response after the count may find its page closed.
    size.catch(() => undefined);
    sizes.push(size);
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
