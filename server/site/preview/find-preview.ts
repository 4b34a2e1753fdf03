import type { Content } from '../../content/content.ts';
import type { SiteData } from '../../content/data/site-data.ts';
import type { FoundText } from '../../services.ts';
import { drawCard } from './card.ts';

/** Titles of the public pages on their preview pictures. */
const titles: Record<string, string> = {
  '/why': 'Why replicate changes instead of copying tables',
  '/connector': 'Connectors',
  '/solution1': 'Real-time Analytics',
  '/solution2': 'AI & RAG',
  '/pricing': 'Pricing',
  '/about': 'About',
  '/login': 'Log in',
  '/register': 'Sign up',
  '/markdown-page': 'How this site is written',
  '/blog': 'Blog',
};

/** `/preview/<page's path>.png`: the page's title as a picture, drawn at the first request and kept with the pages. */
export function findPreview(path: string, content: Content, { brand }: SiteData): FoundText | undefined {
  const page = /^\/preview(\/.+)\.png$/.exec(path)?.[1];
  if (page === undefined) return undefined;
  const doc = content.docs.get(page);
  const post = content.posts.get(page);
  const title = page === '/home' ? brand.tagline : (doc?.title ?? post?.title ?? titles[page]);
  if (title === undefined) return undefined;
  const section = doc ? (doc.breadcrumbs[0]?.label ?? 'Documents') : post ? 'Blog' : brand.domain;
  return {
    route: '/preview/*',
    type: 'image/png',
    body: () => drawCard({ title, section, brand }),
    cacheKey: path,
    cacheControl: 'public, max-age=86400',
  };
}
