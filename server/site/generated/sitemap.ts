import type { Content } from '../../content/content.ts';
import { blogPages, publicPages } from '../addresses.ts';

/** Pages that are marked noindex or have nothing to say to a search engine. */
const leftOut = new Set<string>([
  '/404',
  '/loading',
  '/resetPwd',
  '/registerFromMarket',
  '/blog/archive',
  '/blog/authors',
  '/blog/tags',
]);

/** `sitemap.xml` with every address that may be indexed. */
export function sitemap(content: Content, publicUrl: string): string {
  const dates = new Map([...content.posts.values()].map((post) => [post.path, post.date]));
  const paths = [...Object.keys(publicPages), ...Object.keys(blogPages)]
    .filter((path) => !leftOut.has(path))
    .concat([...content.docs.keys()], [...content.posts.keys()]);
  const entries = paths.map((path) => {
    const date = dates.get(path);
    const loc = `${publicUrl}${path}`.replaceAll('&', '&amp;');
    return `<url><loc>${loc}</loc>${date ? `<lastmod>${date}</lastmod>` : ''}</url>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join('\n')}\n</urlset>\n`;
}

/** `robots.txt`: everything but the console may be read; searches say themselves that they are no result. */
export function robots(publicUrl: string): string {
  return `User-agent: *\nDisallow: /console\n\nSitemap: ${publicUrl}/sitemap.xml\n`;
}
