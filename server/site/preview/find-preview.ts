import type { Content } from '../../content/content.ts';
import type { SiteData } from '../../content/data/site-data.ts';
import type { blogPages, publicPages } from '../addresses.ts';
import type { GeneratedFile } from '../services.ts';
import { drawCard } from './card.ts';

/** Titles of the pages that no markdown names, on their preview pictures; home shows the tagline. */
const titles: Record<Exclude<keyof typeof publicPages | keyof typeof blogPages, '/' | '/404'>, string> = {
  '/why': 'Why replicate changes instead of copying tables',
  '/connector': 'Connectors',
  '/solution1': 'Real-time Analytics',
  '/solution2': 'AI & RAG',
  '/pricing': 'Pricing',
  '/about': 'About',
  '/login': 'Log in',
  '/register': 'Sign up',
  '/registerFromMarket': 'Finish your marketplace purchase',
  '/resetPwd': 'Reset your password',
  '/loading': 'Loading',
  '/markdown-page': 'How this site is written',
  '/blog': 'Blog',
  '/blog/archive': 'Blog archive',
  '/blog/authors': 'Authors',
  '/blog/tags': 'Tags',
};

function titleOf(page: string, content: Content, { brand }: SiteData): string | undefined {
  if (page === '/home') return brand.tagline;
  const [, kind, name] = /^\/blog\/(tags|authors)\/([^/]+)$/.exec(page) ?? [];
  if (kind === 'tags') return content.tags.find(({ tag }) => tag.id === name)?.tag.label;
  if (kind === 'authors') return content.authors.find(({ author }) => author.name === name)?.author.label;
  const known = Object.entries(titles).find(([path]) => path === page)?.[1];
  return content.docs.get(page)?.title ?? content.posts.get(page)?.title ?? known;
}

/** `/preview/<page's path>.png`: the page's title as a picture, drawn at the first request and kept with the pages. */
export function findPreview(path: string, content: Content, data: SiteData): GeneratedFile | undefined {
  const page = /^\/preview(\/.+)\.png$/.exec(path)?.[1];
  if (page === undefined) return undefined;
  const title = titleOf(page, content, data);
  if (title === undefined) return undefined;
  const { brand } = data;
  const doc = content.docs.get(page);
  const section = doc ? (doc.breadcrumbs[0]?.label ?? 'Documents') : page.startsWith('/blog/') ? 'Blog' : brand.domain;
  return {
    route: '/preview/*',
    type: 'image/png',
    body: () => drawCard({ title, section, brand }),
    cacheKey: path,
    cacheControl: 'public, max-age=86400',
  };
}
