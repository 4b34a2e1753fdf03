import { consolePages } from '../../client/contract/console/pages.ts';
import { aboutProps } from './props/about.ts';
import { blogProps, newestPosts, postProps, yearLinks } from './props/blog.ts';
import { connectorProps } from './props/connector.ts';
import { docProps } from './props/docs.ts';
import { searchProps } from './props/search.ts';
import type { SiteSources } from './props/site-sources.ts';
import { solutionProps } from './props/solution.ts';
import { page, pages, titleOf, type Url } from './url-row.ts';

/** The console's pages; the browser fills them. */
const consoleEntries = () =>
  consolePages.map((one) => ({ ...one, description: 'The console: accounts, licences and billing.' }));

const findable = { sitemap: true, preview: true };
const shareable = { sitemap: false, preview: true };
const hidden = { sitemap: false, preview: false };

/**
 * Every page: its address, its component's folder, where else it appears, and what it shows. If two rows have the same
 * address, the first answers. Titles of fixed addresses are in content/pages/titles.yml with the other texts beside it;
 * sections of the bar, which the browser also needs, are in client/contract/section.ts.
 */
const rows = [
  page('/', 'index', findable, ({ content, data: { texts, catalogue } }) => ({
    props: { text: texts.index, catalogue, posts: newestPosts(content, 3) },
  })),
  page('/why', 'why', findable, ({ data: { texts } }) => ({ props: { text: texts.why } })),
  page('/connector', 'connector', findable, connectorProps),
  page('/solution1', 'solution1', findable, (request) => solutionProps(request, request.data.texts.solution1)),
  page('/solution2', 'solution2', findable, (request) => solutionProps(request, request.data.texts.solution2)),
  page('/pricing', 'pricing', findable, ({ data: { texts, pricing } }) => ({
    props: { text: texts.pricing, pricing },
  })),
  page('/about', 'about', findable, aboutProps),
  page('/login', 'login', findable, ({ data: { texts } }) => ({ props: { panel: texts.account.account } })),
  page('/register', 'register', findable, ({ data: { texts } }) => ({ props: { panel: texts.account.account } })),
  page('/registerFromMarket', 'registerFromMarket', hidden, ({ data: { texts } }) => ({
    props: { panel: texts.account.market },
  })),
  page('/resetPwd', 'resetPwd', hidden, ({ data: { texts } }) => ({ props: { panel: texts.account.reset } })),
  pages('/markdown-page', 'markdown-page', findable, markdownEntries, ({ content }, { path, page }) => ({
    props: { page: { ...page, ...content.body(path) } },
  })),
  page('/loading', 'loading', hidden, () => ({ props: {} })),
  pages('/console/*', 'console', hidden, consoleEntries, (_, { title }) => ({ props: { title } })),
  page('/404', '404', hidden, ({ path, nearest }) => ({
    props: { wanted: path, nearest: [] },
    // Looked up once the page has its turn: a refused request costs nothing.
    moreProps: async () => ({ nearest: nearest(path) }),
    cacheKey: null,
  })),
  page('/search', 'search', hidden, searchProps),
  pages('/docs/*', 'docs', findable, ({ content }) => content.docs.values(), docProps),
  pages('/blog', 'blog', findable, blogEntries, blogProps),
  page('/blog/archive', 'blog/archive', shareable, ({ content }, { description }) => ({
    props: { lede: description, years: [...content.years] },
  })),
  page('/blog/authors', 'blog/authors', shareable, ({ content }, { description }) => ({
    props: {
      lede: description,
      authors: content.authors.map(({ author, posts }) => ({ ...author, posts: posts.length })),
      years: yearLinks(content),
    },
  })),
  pages('/blog/authors/:name', 'blog/author', shareable, authorEntries, ({ content }, { author, posts }) => ({
    props: { author, posts, years: yearLinks(content) },
  })),
  page('/blog/tags', 'blog/tags', shareable, ({ content }, { description }) => ({
    props: {
      lede: description,
      tags: content.tags.map(({ tag, posts }) => ({ ...tag, posts: posts.length })),
      years: yearLinks(content),
    },
  })),
  pages('/blog/tags/:tag', 'blog/tag', shareable, tagEntries, ({ content }, { tag, posts }) => ({
    props: { tag, posts, years: yearLinks(content) },
  })),
  pages('/blog/*', 'blog/post', findable, ({ content }) => content.posts.values(), postProps),
];

/** Addresses that do not depend on the content. */
export const fixedPaths: readonly string[] = rows.map(({ path }) => path).filter((path) => !/[*:]/.test(path));

/** The target of /docs. */
export const firstDocument = '/docs/intro/product_intro';

/** The address of every page, by path. */
export function listUrls(sources: SiteSources): ReadonlyMap<string, Url> {
  const urls = new Map<string, Url>();
  for (const url of rows.flatMap((row) => row.urls(sources))) if (!urls.has(url.path)) urls.set(url.path, url);
  return urls;
}

function* markdownEntries({ content }: SiteSources) {
  const page = content.markdownPages.get('markdown-page');
  if (page) yield { path: '/markdown-page', title: page.title, description: page.description, page };
}

function* blogEntries(sources: SiteSources) {
  const page = sources.content.markdownPages.get('blog');
  const { title, description } = page ?? titleOf('/blog', sources);
  yield { path: '/blog', title, description, ...(page && { page }) };
}

function authorEntries(sources: SiteSources) {
  return sources.content.authors.map(({ author, posts }) => {
    const { title, description } = titleOf('/blog/authors/:name', sources, author.label);
    const path = `/blog/authors/${author.name}`;
    return { path, title, description: author.description || description, author, posts };
  });
}

function tagEntries(sources: SiteSources) {
  return sources.content.tags.map(({ tag, posts }) => {
    const { title, description } = titleOf('/blog/tags/:tag', sources, tag.label);
    return { path: `/blog/tags/${tag.id}`, title, description: tag.description || description, tag, posts };
  });
}
