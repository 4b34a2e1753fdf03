import { createNearest } from './nearest.ts';
import type { SiteSources } from './props/site-sources.ts';
import type { Found, FoundPage } from './services.ts';
import type { Url } from './url-row.ts';
import { firstDocument } from './urls.ts';

/** Pages that are never suggested for an unknown address. */
const notMeant = new Set(['404', 'loading']);

/** Addresses that redirect to another; undefined when there is no such address. */
function redirectOf(path: string, { content, data }: SiteSources): Found | undefined {
  if (path === '/docs') {
    const to = content.docs.has(firstDocument) ? firstDocument : content.order[0]?.href;
    if (to !== undefined) return { kind: 'redirect', status: 302, to, route: '/docs' };
  }
  const moved = data.redirects.get(path) ?? content.moved.get(path);
  return moved === undefined ? undefined : { kind: 'redirect', status: 301, to: moved, route: '(moved)' };
}

/**
 * Creates a function that finds the answer to a GET on the site, exact and case-sensitive, for one version of the
 * content.
 * @param urls every address that shows a page
 * @returns takes the decoded, normalised path and the query; parameters that a page does not declare are ignored
 */
export function createFindPage(
  sources: SiteSources,
  urls: ReadonlyMap<string, Url>,
): (path: string, query: URLSearchParams) => Promise<Found> {
  let find: ReturnType<typeof createNearest> | undefined;
  const nearest = (path: string) => {
    find ??= createNearest(
      [...urls.values()]
        .filter(({ folder }) => !notMeant.has(folder))
        .map(({ meta, path: href }) => ({ label: meta.title, href })),
    );
    return find(path);
  };

  async function show(url: Url, path: string, query: URLSearchParams): Promise<FoundPage> {
    const {
      props,
      moreProps,
      cacheKey = path,
      title = url.meta.title,
      indexed = url.meta.indexed,
    } = await url.show({ ...sources, path, query, nearest });
    return {
      kind: 'page',
      status: url.folder === '404' ? 404 : 200,
      folder: url.folder,
      props: { ...props },
      ...(moreProps && { moreProps }),
      meta: { ...url.meta, title, indexed },
      route: url.path === path ? url.route : '(not found)',
      path,
      ...(cacheKey !== null && { cacheKey }),
    };
  }

  return async (path, query) => {
    const url = urls.get(path);
    if (url) return show(url, path, query);
    const redirect = redirectOf(path, sources);
    if (redirect) return redirect;
    const notFound = urls.get('/404');
    if (!notFound) throw new Error('The table of URLs has no not-found page.');
    return show(notFound, path, query);
  };
}
