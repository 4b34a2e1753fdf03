import type { Catalogue, Connector } from '../../client/contract/catalogue.ts';
import type { PageFolder, PagePropsByFolder, Year } from '../../client/contract/pages.ts';
import type { Link, MarkdownPage, PostCard } from '../../client/contract/reading.ts';
import type { Content, DocEntry, PostEntry } from '../content/content.ts';
import type { SiteData } from '../content/data/site-data.ts';
import type { blogPages, publicPages } from './addresses.ts';

type Props = PagePropsByFolder[PageFolder];
/** `cacheKey: null` keeps a page out of the cache. */
type Made = { props: Props | undefined; cacheKey: string | null };

function newest(content: Content, count: number, tag?: string): PostCard[] {
  const posts =
    tag === undefined ? [...content.posts.values()] : (content.tags.find((entry) => entry.tag.id === tag)?.posts ?? []);
  return posts.slice(0, count);
}

function links(content: Content, slugs: string[]): Link[] {
  return slugs.flatMap((slug) => {
    const doc = content.docs.get(`/docs/${slug}`);
    return doc ? [{ label: doc.title, href: doc.path }] : [];
  });
}

/** Every post by year, for the sidebar of the blog. */
export function yearLinks(content: Content): Year[] {
  return content.years.map(({ year, posts }) => ({
    year,
    posts: posts.map((post) => ({ label: post.title, href: post.path })),
  }));
}

/** Connectors that the address's filters leave; `q` matches names and ids, upper and lower case alike. */
export function filterConnectors(catalogue: Catalogue, filter: PagePropsByFolder['connector']['filter']): Connector[] {
  const wanted = filter.q?.toLowerCase();
  return catalogue.connectors.filter(
    (connector) =>
      (filter.kind === undefined || connector.kind === filter.kind) &&
      (filter.role !== 'source' || connector.targets.length > 0) &&
      (filter.role !== 'target' || connector.sources.length > 0) &&
      (wanted === undefined || connector.name.toLowerCase().includes(wanted) || connector.id.includes(wanted)),
  );
}

function connectorProps(query: URLSearchParams, catalogue: Catalogue): Made {
  const kind = catalogue.kinds.find(({ id }) => id === query.get('kind'))?.id;
  const role = (['source', 'target'] as const).find((name) => name === query.get('role'));
  const q = query.get('q')?.trim().slice(0, 80) || undefined;
  const filter = { ...(kind && { kind }), ...(role && { role }), ...(q && { q }) };
  const cacheKey = q === undefined ? `/connector?kind=${kind ?? ''}&role=${role ?? ''}` : null;
  return { props: { catalogue, filter, found: filterConnectors(catalogue, filter) }, cacheKey };
}

function releases(content: Content): PagePropsByFolder['about']['releases'] {
  return [...content.docs.values()]
    .flatMap((doc) => {
      const version = /^\/docs\/releaseNote\/rn-(\d+)-(\d+)-(\d+)$/.exec(doc.path)?.slice(1).join('.');
      if (version === undefined || !(doc.date || doc.planned)) return [];
      return [{ version, ...(doc.date && { date: doc.date }), href: doc.path, description: doc.description }];
    })
    .sort((a, b) => b.version.localeCompare(a.version, 'en', { numeric: true }));
}

function markdownPage(content: Content, name: string): { page: MarkdownPage } | undefined {
  const page = content.markdownPages.get(name);
  return page && { page: { ...page, ...content.body(`/${name}`) } };
}

/** Props of a public page, by its folder. */
export function publicProps(
  folder: (typeof publicPages)[keyof typeof publicPages],
  query: URLSearchParams,
  content: Content,
  { catalogue, pricing }: SiteData,
): Made {
  const whole = (props: Props | undefined): Made => ({ props, cacheKey: `page:${folder}` });
  switch (folder) {
    case 'index':
      return whole({ catalogue, posts: newest(content, 3) });
    case 'why':
      return whole({ catalogue });
    case 'connector':
      return connectorProps(query, catalogue);
    case 'solution1':
      return whole({
        catalogue,
        posts: newest(content, 3, 'tech_share'),
        docs: links(content, [
          'intro/product_scenarios',
          'dataMigrationAndSync/connection/mysql',
          'operation/job_manage/create_job/create_full_incre_task',
        ]),
      });
    case 'solution2':
      return whole({
        catalogue,
        posts: newest(content, 3, 'ai'),
        docs: links(content, [
          'intro/product_scenarios',
          'dataMigrationAndSync/connection/postgresql',
          'operation/job_manage/create_job/create_process_job',
        ]),
      });
    case 'pricing':
      return whole({ pricing });
    case 'about':
      return whole({ releases: releases(content) });
    case 'markdown-page':
      return whole(markdownPage(content, 'markdown-page'));
    default:
      return whole({});
  }
}

/** What is known of the content's history, and where it is edited. */
export interface History {
  /** Content file → day of its last change. */
  updated: ReadonlyMap<string, string>;
  editUrl: string | undefined;
  /** In development, a page shows what its author has to mend. */
  showFaults?: boolean;
}

/** Faults of a page's own file, as `line:column sentence`. */
function faultsOf(file: string, content: Content, history: History | undefined): { faults?: string[] } {
  if (!history?.showFaults) return {};
  const found = content.faults.filter((fault) => fault.file === file && fault.rule !== 'broken-page');
  return found.length > 0 ? { faults: found.map(({ line, column, message }) => `${line}:${column} ${message}`) } : {};
}

function historyOf({ file }: DocEntry, history: History | undefined) {
  const updated = history?.updated.get(file);
  const editHref = history?.editUrl && `${history.editUrl}/${file.split('/').map(encodeURIComponent).join('/')}`;
  return { ...(updated && { updated }), ...(editHref && { editHref }) };
}

/** Props of a document; a connection page declares `?target=`. */
export function docProps(
  doc: DocEntry,
  query: URLSearchParams,
  content: Content,
  { catalogue }: SiteData,
  history?: History,
): Made {
  const source = catalogue.connectors.find((connector) => connector.id === doc.connection);
  const target = source?.targets.find((id) => id === query.get('target'));
  return {
    props: {
      doc: {
        ...doc,
        ...content.body(doc.path),
        ...historyOf(doc, history),
        ...faultsOf(doc.file, content, history),
      },
      sidebar: content.sidebar,
      catalogue,
      ...(target && { target }),
    },
    cacheKey: target ? `${doc.path}?target=${target}` : doc.path,
  };
}

/** Props of a post. */
export function postProps(post: PostEntry, content: Content, history?: History): PagePropsByFolder['blog/post'] {
  const faults = faultsOf(post.file, content, history);
  return { post: { ...post, ...content.body(post.path), ...faults }, years: yearLinks(content) };
}

/** Props of the blog's lists. */
export function blogProps(folder: (typeof blogPages)[keyof typeof blogPages], content: Content): Props {
  switch (folder) {
    case 'blog':
      return {
        ...markdownPage(content, 'blog'),
        posts: newest(content, Number.POSITIVE_INFINITY),
        years: yearLinks(content),
      };
    case 'blog/archive':
      return { years: [...content.years] };
    case 'blog/authors':
      return {
        authors: content.authors.map(({ author, posts }) => ({ ...author, posts: posts.length })),
        years: yearLinks(content),
      };
    case 'blog/tags':
      return {
        tags: content.tags.map(({ tag, posts }) => ({ ...tag, posts: posts.length })),
        years: yearLinks(content),
      };
  }
}
