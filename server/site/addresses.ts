import type { PageFolder } from '../../client/contract/pages.ts';

/** The fourteen public pages (specification section 2), each matched exactly. */
export const publicPages = {
  '/': 'index',
  '/why': 'why',
  '/connector': 'connector',
  '/solution1': 'solution1',
  '/solution2': 'solution2',
  '/pricing': 'pricing',
  '/about': 'about',
  '/login': 'login',
  '/register': 'register',
  '/registerFromMarket': 'registerFromMarket',
  '/resetPwd': 'resetPwd',
  '/markdown-page': 'markdown-page',
  '/loading': 'loading',
  '/404': '404',
} as const satisfies Record<string, PageFolder>;

/** Lists of the blog with a fixed address. */
export const blogPages = {
  '/blog': 'blog',
  '/blog/archive': 'blog/archive',
  '/blog/authors': 'blog/authors',
  '/blog/tags': 'blog/tags',
} as const satisfies Record<string, PageFolder>;

/** Where /docs leads. */
export const firstDocument = '/docs/intro/product_intro';

/** Addresses besides pages that a link may lead to. */
const generatedFiles = [
  '/docs',
  '/search',
  '/sitemap.xml',
  '/robots.txt',
  '/llms.txt',
  '/llms-full.txt',
  '/blog/rss.xml',
  '/blog/atom.xml',
  '/blog/feed.json',
];

/** Every address that is not made from content, for checking links. */
export const siteAddresses: ReadonlySet<string> = new Set([
  ...Object.keys(publicPages),
  ...Object.keys(blogPages),
  ...generatedFiles,
]);
