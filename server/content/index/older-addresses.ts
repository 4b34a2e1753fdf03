import { posix } from 'node:path';
import { canonicalPath } from '../../http/canonical-path.ts';
import { isFolderPage, pagePath } from '../address.ts';
import { slugOf } from '../data/people.ts';
import type { IndexedPage } from './pages.ts';

/**
 * Addresses that a page has, or once had, in the tool it was written for: links and visitors that use them are led to
 * it. Of one page, the likeliest first.
 */
export function olderAddresses(page: IndexedPage): string[] {
  const own = [
    ...aliases(page),
    ...(page.kind === 'post' ? ofPost(page) : page.kind === 'doc' ? ofDocument(page) : []),
  ];
  return own.map((address) => plain(address)).filter((address) => address !== page.address);
}

/**
 * Older address → address of the page. One that is a page's own, or the site's, is no older one.
 * @param taken addresses of pages and of the site
 */
export function createMoved(pages: readonly IndexedPage[], taken: ReadonlySet<string>): Map<string, string> {
  const moved = new Map<string, string>();
  for (const page of pages)
    for (const older of olderAddresses(page))
      if (!taken.has(older) && !moved.has(older)) moved.set(older, page.address);
  return moved;
}

/** Hugo's: from the root of the site, or beside the page. */
function aliases({ address, facts }: IndexedPage): string[] {
  return facts.front.aliases
    .filter((alias) => !/^[a-z][a-z0-9+.-]*:|^\/\//i.test(alias))
    .flatMap((alias) => (alias.startsWith('/') ? [alias] : [posix.join(posix.dirname(address), alias), `/${alias}`]));
}

/** Docusaurus and Jekyll put the day of a file's name into the address, Material that of the front matter. */
function ofPost({ file, address, date, title, facts }: IndexedPage): string[] {
  const path = pagePath(file).replaceAll('/_posts/', '/');
  const [, folder = '', name = ''] = /^(.*\/)\d{4}-\d{2}-\d{2}-([^/]+)$/.exec(path) ?? [];
  const day = (date ?? '').replaceAll('-', '/');
  const named = /(\d{4})-(\d{2})-(\d{2})-[^/]+$/.exec(path)?.slice(1).join('/');
  const byName = named === undefined ? [] : [`/${folder}${named}/${name}`, `/blog/${named}/${name}`];
  const bySlug = [posix.basename(address), slugOf(title)].map((slug) => `/blog/${day}/${slug}`);
  const slug = facts.front.slug?.name;
  const ownSlug = slug && !slug.startsWith('/') ? [`/blog/${slug}`] : [];
  return [...byName, ...(day && /^blog\/posts\//.test(file) ? bySlug : []), ...ownSlug];
}

/** Docusaurus: the id takes the place of the file's name, except of a folder's page; numbers before names are left out, `a/a.md` is the page of `a`. */
function ofDocument({ file, facts }: IndexedPage): string[] {
  const path = `/${pagePath(file)}`;
  const { id, slug } = facts.front;
  const byId = id && slug === undefined && !isFolderPage(file) ? [posix.join(posix.dirname(path), id.name)] : [];
  const bare = path.replace(/(?<=\/)\d+\s*[-_.]+\s*(?=[^-_.\s/])/g, '');
  const twin = /^(.*\/([^/]+))\/\2$/.exec(path)?.[1];
  return [...byId, ...(bare === path ? [] : [bare]), ...(twin === undefined ? [] : [twin])];
}

/** As the server looks addresses up. */
function plain(address: string): string {
  const path = posix.normalize(`/${address}`).replace(/[?#].*$/, '');
  return canonicalPath(path) ?? path;
}
