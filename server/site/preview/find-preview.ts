import type { Content } from '../../content/content.ts';
import type { SiteData } from '../../content/data/site-data.ts';
import type { GeneratedFile } from '../services.ts';
import type { Url } from '../url-row.ts';
import { drawCard } from './card.ts';

interface PreviewSources {
  urls: ReadonlyMap<string, Url>;
  content: Content;
  data: SiteData;
}

/** `/preview/<page's path>.png`: the page's title as a picture, drawn on the first request and kept with the pages. */
export function findPreview(path: string, { urls, content, data }: PreviewSources): GeneratedFile | undefined {
  const page = /^\/preview(\/.+)\.png$/.exec(path)?.[1];
  const url = page === undefined ? undefined : urls.get(page === '/home' ? '/' : page);
  if (!url?.preview) return undefined;
  const { title } = url.meta;
  const { brand } = data;
  return {
    route: '/preview/*',
    type: 'image/png',
    body: () => drawCard({ title, section: sectionOf(url, content) ?? brand.domain, brand }),
    cacheKey: path,
    cacheControl: 'public, max-age=86400',
  };
}

/** The small line above the title; undefined for pages without a section. */
function sectionOf({ path }: Url, content: Content): string | undefined {
  const doc = content.docs.get(path);
  if (doc) return doc.breadcrumbs[0]?.label ?? 'Documents';
  return path.startsWith('/blog/') ? 'Blog' : undefined;
}
