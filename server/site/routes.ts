import type { PageFolder, PagePropsByFolder } from '../../client/contract/pages.ts';
import type { Link } from '../../client/contract/reading.ts';
import type { Content } from '../content/content.ts';
import type { SiteData } from '../content/data/site-data.ts';
import { blogPages, firstDocument, publicPages } from './addresses.ts';
import { createNearest } from './nearest.ts';
import { blogProps, docProps, type History, postProps, publicProps, yearLinks } from './props.ts';
import type { Found, FoundPage } from './services.ts';

function own<T extends object>(table: T, key: string): key is Extract<keyof T, string> {
  return Object.hasOwn(table, key);
}

/** Every page a visitor may be pointed to. */
function knownPages(content: Content, data: SiteData): Link[] {
  const { bar, footer } = data.navigation;
  const chrome = [
    ...bar.flatMap((group) => group.items ?? (group.href ? [{ label: group.label, href: group.href }] : [])),
    ...footer.flatMap((column) => column.links),
  ];
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
function notFound(path: string, nearest: Link[]): FoundPage {
  return { kind: 'page', status: 404, folder: '404', props: { wanted: path, nearest }, route: '(not found)', path };
}

/** What a finder looks at. */
interface Wanted {
  path: string;
  query: URLSearchParams;
  content: Content;
  data: SiteData;
  history: History | undefined;
}

type Finder = (wanted: Wanted) => Found | undefined;

function page(
  folder: PageFolder,
  props: PagePropsByFolder[PageFolder] | undefined,
  route: string,
  path: string,
  cacheKey: string | null = path,
): Found | undefined {
  if (!props) return undefined;
  const kept = cacheKey === null ? {} : { cacheKey };
  return { kind: 'page', status: 200, folder, props: { ...props }, route, path, ...kept };
}

const publicPage: Finder = ({ path, query, content, data }) => {
  if (!own(publicPages, path) || path === '/404') return undefined;
  const { props, cacheKey } = publicProps(publicPages[path], query, content, data);
  return page(publicPages[path], props, path, path, cacheKey);
};

const docsEntry: Finder = ({ path, content }) => {
  if (path !== '/docs') return undefined;
  const to = content.docs.has(firstDocument) ? firstDocument : content.order[0]?.href;
  return to === undefined ? undefined : { kind: 'redirect', status: 302, to, route: '/docs' };
};

const document: Finder = ({ path, query, content, data, history }) => {
  const doc = content.docs.get(path);
  if (!doc) return undefined;
  const { props, cacheKey } = docProps(doc, query, content, data, history);
  return page('docs', props, '/docs/*', path, cacheKey);
};

const blogList: Finder = ({ path, content }) =>
  own(blogPages, path) ? page(blogPages[path], blogProps(blogPages[path], content), path, path) : undefined;

const author: Finder = ({ path, content }) => {
  const found = content.authors.find((entry) => path === `/blog/authors/${entry.author.name}`);
  return found && page('blog/author', { ...found, years: yearLinks(content) }, '/blog/authors/:name', path);
};

const tag: Finder = ({ path, content }) => {
  const found = content.tags.find((entry) => path === `/blog/tags/${entry.tag.id}`);
  return found && page('blog/tag', { ...found, years: yearLinks(content) }, '/blog/tags/:tag', path);
};

const post: Finder = ({ path, content, history }) => {
  const entry = content.posts.get(path);
  return entry && page('blog/post', postProps(entry, content, history), '/blog/*', path);
};

const moved: Finder = ({ path, data }) => {
  const to = data.redirects.get(path);
  return to === undefined ? undefined : { kind: 'redirect', status: 301, to, route: '(moved)' };
};

/** The console's addresses are reserved; until it is there, whoever comes is told at the sign-in page. */
const consoleEntry: Finder = ({ path }) =>
  path === '/console' || path.startsWith('/console/')
    ? { kind: 'redirect', status: 302, to: '/login', route: '/console/*' }
    : undefined;

/** Asked in this order; the first that knows the address answers. */
const finders: Finder[] = [publicPage, document, docsEntry, blogList, author, tag, post, moved, consoleEntry];

/**
 * Makes what finds the answer to a GET on the site, exact and case-sensitive, for one version of the content.
 * @param history what documents tell of their last change and of where to edit them
 * @returns takes the decoded, normalised path and the query; parameters that a route does not declare are ignored
 */
export function createFindPage(
  content: Content,
  data: SiteData,
  history?: History,
): (path: string, query: URLSearchParams) => Found {
  let nearest: ReturnType<typeof createNearest> | undefined;
  return (path, query) => {
    const wanted = { path, query, content, data, history };
    for (const finder of finders) {
      const found = finder(wanted);
      if (found) return found;
    }
    nearest ??= createNearest(knownPages(content, data));
    return { ...notFound(path, nearest(path)), ...(path === '/404' && { route: path }) };
  };
}
