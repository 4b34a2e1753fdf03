import { posix } from 'node:path';
import { canonicalPath } from '../../http/canonical-path.ts';
import { isFolderPage, pagePath } from '../address.ts';
import { slugOf } from '../data/people.ts';
import type { IndexedPage } from './pages.ts';

/**
 * Addresses that a page has, or once had, in the tool it was written for: links and visitors that use them are
 * redirected to the page. The likeliest come first.
 */
export function olderAddresses(page: IndexedPage): string[] {
  const own = [
    ...aliases(page),
    ...(page.kind === 'post' ? ofPost(page) : page.kind === 'doc' ? ofDocument(page) : []),
  ];
  return own.map((address) => plain(address)).filter((address) => address !== page.address);
}

/**
 * Older address → the page's address. An address of another page or of the site is not an older one.
 * @param taken addresses of pages and of the site
 */
export function createMoved(pages: readonly IndexedPage[], taken: ReadonlySet<string>): Map<string, string> {
  const moved = new Map<string, string>();
  for (const page of pages)
    for (const older of olderAddresses(page))
      if (!taken.has(older) && !moved.has(older)) moved.set(older, page.address);
  return moved;
}

/** Hugo's aliases: from the site's root, or beside the page. */
function aliases({ address, facts }: IndexedPage): string[] {
  return facts.front.aliases
    .filter((alias) => !/^[a-z][a-z0-9+.-]*:|^\/\//i.test(alias))
    .flatMap((alias) => (alias.startsWith('/') ? [alias] : [posix.join(posix.dirname(address), alias), `/${alias}`]));
}

/** Docusaurus and Jekyll put the day from the file name into the address, Material the day from the front matter. */
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

/**
 * Docusaurus: the id replaces the file name, except for a folder's page; numbers before names are left out, and
 * `a/a.md` is the page of `a`.
 */
function ofDocument({ file, facts }: IndexedPage): string[] {
  const path = `/${pagePath(file)}`;
  const { id, slug } = facts.front;
  const byId = id && slug === undefined && !isFolderPage(file) ? [posix.join(posix.dirname(path), id.name)] : [];
  const bare = path.replace(/(?<=\/)\d+\s*[-_.]+\s*(?=[^-_.\s/])/g, '');
  const twin = /^(.*\/([^/]+))\/\2$/.exec(path)?.[1];
  return [...byId, ...(bare === path ? [] : [bare]), ...(twin === undefined ? [] : [twin])];
}

/** The way the server looks addresses up. */
function plain(address: string): string {
  const path = posix.normalize(`/${address}`).replace(/[?#].*$/, '');
  return canonicalPath(path) ?? path;
}
