import type { Link } from '../../client/contract/content.ts';
import type { PageFolder, PagePropsByFolder } from '../../client/contract/pages.ts';
import type { Content } from '../content/content.ts';
import type { SiteData } from '../content/data/site-data.ts';
import type { Found, FoundPage } from '../services.ts';
import { blogPages, firstDocument, publicPages } from './addresses.ts';
import { nearestPages } from './nearest.ts';
import { blogProps, docProps, postProps, publicProps } from './props.ts';

function own<T extends object>(table: T, key: string): key is Extract<keyof T, string> {
  return Object.hasOwn(table, key);
}

/** Every page a visitor may be pointed to. */
function knownPages(content: Content, data: SiteData): Link[] {
  const { bar, footer } = data.navigation;
  const chrome = [...bar.flatMap((group) => group.items ?? (group.href ? [{ label: group.label, href: group.href }] : [])), ...footer.flatMap((column) => column.links)];
  const links = [
    ...chrome.filter((link) => link.href.startsWith('/')),
    { label: 'Log in', href: '/login' },
    { label: 'Sign up', href: '/register' },
    { label: 'Reset password', href: '/resetPwd' },
    ...content.order,
    ...[...content.posts.values()].map((post) => ({ label: post.title, href: post.path })),
  ];
  return [...new Map(links.map((link) => [link.href, { label: link.label, href: link.href }])).values()];
}

/** The not-found page for an address. */
function notFound(path: string, content: Content, data: SiteData): FoundPage {
  const nearest = nearestPages(path, knownPages(content, data));
  return { kind: 'page', status: 404, folder: '404', props: { wanted: path, nearest }, route: '(not found)', path };
}

function page(folder: PageFolder, props: PagePropsByFolder[PageFolder] | undefined, route: string, path: string, cacheKey: string | null = path): Found | undefined {
  if (!props) return undefined;
  return { kind: 'page', status: 200, folder, props: { ...props }, route, path, ...(cacheKey === null ? {} : { cacheKey }) };
}

/**
 * Finds what answers a GET on the site: exact and case-sensitive.
 * @param path decoded, normalised path
 * @param query parameters; those a route does not declare are ignored
 */
export function findPage(path: string, query: URLSearchParams, content: Content, data: SiteData): Found {
  if (path === '/404') return { ...notFound(path, content, data), route: path };
  if (own(publicPages, path)) {
    const { props, cacheKey } = publicProps(publicPages[path], query, content, data);
    const found = page(publicPages[path], props, path, path, cacheKey);
    if (found) return found;
  }
  if (path === '/docs' && content.docs.size > 0) {
    const first = content.docs.has(firstDocument) ? firstDocument : content.order[0]?.href;
    if (first) return { kind: 'redirect', status: 302, to: first, route: '/docs' };
  }
  const moved = data.redirects.get(path);
  if (moved !== undefined && !content.docs.has(path) && !content.posts.has(path)) {
    return { kind: 'redirect', status: 301, to: moved, route: '(moved)' };
  }
  const doc = content.docs.get(path);
  if (doc) {
    const { props, cacheKey } = docProps(doc, query, content, data);
    return page('docs', props, '/docs/*', path, cacheKey) ?? notFound(path, content, data);
  }
  if (own(blogPages, path)) {
    return page(blogPages[path], blogProps(blogPages[path], content), path, path) ?? notFound(path, content, data);
  }
  const author = content.authors.find((entry) => path === `/blog/authors/${entry.author.name}`);
  if (author) return page('blog/author', author, '/blog/authors/:name', path) ?? notFound(path, content, data);
  const tag = content.tags.find((entry) => path === `/blog/tags/${entry.tag.id}`);
  if (tag) return page('blog/tag', tag, '/blog/tags/:tag', path) ?? notFound(path, content, data);
  const post = content.posts.get(path);
  if (post) return page('blog/post', postProps(post, content), '/blog/*', path) ?? notFound(path, content, data);
  return notFound(path, content, data);
}
