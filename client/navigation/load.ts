import { softNavigation } from '../contract/soft-navigation.ts';

/** A page fetched in the background; `url` is where redirects ended. */
export interface LoadedPage {
  url: URL;
  document: Document;
}

const keptFor = 5 * 60_000;
const keptAtMost = 20;
const kept = new Map<string, { at: number; page: Promise<LoadedPage> }>();

/** XMLHttpRequest parses the response itself: the only way that Trusted Types allow without a policy. */
function request(address: string): Promise<LoadedPage> {
  return new Promise((resolve, reject) => {
    const http = new XMLHttpRequest();
    http.open('GET', address);
    http.setRequestHeader(softNavigation.name, softNavigation.value);
    http.responseType = 'document';
    http.timeout = 10_000;
    http.onload = () => {
      const page = http.responseXML;
      // A document without a build is not a page of this site; it may be a proxy's error page.
      if (page && http.status < 500 && buildOf(page)) resolve({ url: new URL(http.responseURL), document: page });
      else reject(new Error(`${address} answered ${http.status}`));
    };
    http.onerror = http.ontimeout = () => reject(new Error(`${address} did not answer`));
    http.send();
  });
}

/** The build that created a page. */
export function buildOf(page: Document): string | undefined {
  return page.querySelector<HTMLMetaElement>('meta[name=build]')?.content;
}

const addressOf = (url: URL) => url.href.replace(/#.*/s, '');

/** Fetches a page, or returns the one that was just prefetched. */
export function load(url: URL): Promise<LoadedPage> {
  const address = addressOf(url);
  const known = kept.get(address);
  if (known && Date.now() - known.at < keptFor) return known.page;
  const page = request(address);
  kept.delete(address);
  kept.set(address, { at: Date.now(), page });
  page.catch(() => kept.delete(address));
  const [oldest] = kept.keys();
  if (kept.size > keptAtMost && oldest) kept.delete(oldest);
  return page;
}

/** Drops prefetched pages: the server would now answer differently. */
export function forget(): void {
  kept.clear();
}

/** Fetches a page to show it: it is returned only once, since its nodes are moved into the document. */
export function take(url: URL): Promise<LoadedPage> {
  const page = load(url);
  kept.delete(addressOf(url));
  return page;
}
