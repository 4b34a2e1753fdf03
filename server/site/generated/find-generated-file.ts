import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SearchAnswer } from '../../../client/contract/search.ts';
import type { Site } from '../../../client/contract/site.ts';
import type { Content } from '../../content/content.ts';
import type { SearchIndex } from '../search/search-index.ts';
import type { GeneratedFile } from '../services.ts';
import type { Url } from '../url-row.ts';
import { atom, jsonFeed, rss } from './feeds.ts';
import { llms, llmsFull } from './llms.ts';
import { robots, sitemap } from './sitemap.ts';

/** Everything that generated files are built from; `search` resolves when the index is ready. */
export interface GeneratedFileSources {
  content: Content;
  site: Site;
  urls: ReadonlyMap<string, Url>;
  search: () => Promise<SearchIndex>;
}

interface Row {
  path: string;
  /** Media type; all are UTF-8. */
  type: string;
  body: (sources: GeneratedFileSources, query: URLSearchParams) => ReturnType<GeneratedFile['body']>;
  /** False when the query changes the file, which the search index answers. */
  kept: boolean;
}

/** Files with an address of their own. */
const rows: readonly Row[] = [
  {
    path: '/sitemap.xml',
    type: 'application/xml',
    body: ({ urls, site }) => sitemap(urls, site.publicUrl),
    kept: true,
  },
  { path: '/robots.txt', type: 'text/plain', body: ({ site }) => robots(site.publicUrl), kept: true },
  { path: '/blog/rss.xml', type: 'application/rss+xml', body: (from) => rss(from.content, from.site), kept: true },
  { path: '/blog/atom.xml', type: 'application/atom+xml', body: (from) => atom(from.content, from.site), kept: true },
  {
    path: '/blog/feed.json',
    type: 'application/feed+json',
    body: (from) => jsonFeed(from.content, from.site),
    kept: true,
  },
  { path: '/llms.txt', type: 'text/plain', body: ({ content, site }) => llms(content, site), kept: true },
  { path: '/llms-full.txt', type: 'text/plain', body: ({ content, site }) => llmsFull(content, site), kept: true },
  {
    path: '/openapi.yaml',
    type: 'application/yaml',
    // The one of this version, whoever's content is served.
    body: () => readFile(join(import.meta.dirname, '../../../content/openapi.yaml')),
    kept: true,
  },
  { path: '/search.json', type: 'application/json', body: searchAnswer, kept: false },
];

/** Addresses of the generated files; a document's markdown, at its address + `.md`, is not among them. */
export const generatedPaths: readonly string[] = rows.map(({ path }) => path);

/** Finds what is neither a page nor a stored file: feeds, sitemap, search, markdown sources. */
export function findGeneratedFile(
  path: string,
  query: URLSearchParams,
  sources: GeneratedFileSources,
): GeneratedFile | undefined {
  const row = rows.find((one) => one.path === path);
  if (row) {
    const type = `${row.type}; charset=utf-8`;
    return {
      route: path,
      type,
      body: () => row.body(sources, query),
      ...(row.kept ? { cacheKey: path } : { ready: sources.search }),
    };
  }
  const { content, site } = sources;
  const source = path.endsWith('.md') ? path.slice(0, -3) : undefined;
  if (source === undefined || !(content.docs.has(source) || content.posts.has(source))) return undefined;
  return {
    route: '/*.md',
    type: 'text/markdown; charset=utf-8',
    body: () => content.source(source, site.publicUrl),
    cacheKey: path,
  };
}

async function searchAnswer({ search }: GeneratedFileSources, query: URLSearchParams): Promise<string> {
  const answer: SearchAnswer = { results: (await search()).search(query.get('q') ?? '') };
  return JSON.stringify(answer);
}
