import type { SearchAnswer } from '../../../client/contract/search.ts';
import type { Site } from '../../../client/contract/site.ts';
import type { Content } from '../../content/content.ts';
import type { SearchIndex } from '../search/search-index.ts';
import type { GeneratedFile } from '../services.ts';
import { blogFeed } from './feeds.ts';
import { llms, llmsFull } from './llms.ts';
import { robots, sitemap } from './sitemap.ts';

/** Everything the generatedFiles are made from; `search` answers the index once it is built. */
export interface GeneratedFileSources {
  content: Content;
  site: Site;
  search: () => Promise<SearchIndex>;
}

const plain = 'text/plain; charset=utf-8';
const markdown = 'text/markdown; charset=utf-8';

async function answer(q: string, search: GeneratedFileSources['search']): Promise<SearchAnswer> {
  return { results: (await search()).search(q) };
}

/** Finds what answers besides pages and files: feeds, sitemap, search, markdown sources. */
export function findGeneratedFile(
  path: string,
  query: URLSearchParams,
  { content, site, search }: GeneratedFileSources,
): GeneratedFile | undefined {
  const text = (type: string, body: GeneratedFile['body']): GeneratedFile => ({
    route: path,
    type,
    body,
    cacheKey: path,
  });
  switch (path) {
    case '/sitemap.xml':
      return text('application/xml; charset=utf-8', () => sitemap(content, site.publicUrl));
    case '/robots.txt':
      return text(plain, () => robots(site.publicUrl));
    case '/blog/rss.xml':
      return text('application/rss+xml; charset=utf-8', () => blogFeed(content, site).rss2());
    case '/blog/atom.xml':
      return text('application/atom+xml; charset=utf-8', () => blogFeed(content, site).atom1());
    case '/blog/feed.json':
      return text('application/feed+json; charset=utf-8', () => blogFeed(content, site).json1());
    case '/llms.txt':
      return text(plain, () => llms(content, site));
    case '/llms-full.txt':
      return text(plain, () => llmsFull(content, site));
    case '/search.json':
      return {
        route: path,
        type: 'application/json; charset=utf-8',
        ready: search,
        body: async () => JSON.stringify(await answer(query.get('q') ?? '', search)),
      };
  }
  const source = path.endsWith('.md') ? path.slice(0, -3) : undefined;
  if (source !== undefined && (content.docs.has(source) || content.posts.has(source))) {
    return { route: '/*.md', type: markdown, body: () => content.source(source, site.publicUrl), cacheKey: path };
  }
  return undefined;
}
