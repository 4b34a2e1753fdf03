import type { Url } from '../url-row.ts';

/** `sitemap.xml` with every address that may be indexed. */
export function sitemap(urls: ReadonlyMap<string, Url>, publicUrl: string): string {
  const entries = [...urls.values()]
    .filter(({ meta }) => meta.indexed)
    .map(({ path, date }) => `<url><loc>${publicUrl}${path}</loc>${date ? `<lastmod>${date}</lastmod>` : ''}</url>`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join('\n')}\n</urlset>\n`;
}

/** `robots.txt`: everything but the console may be crawled; search pages are marked noindex. */
export function robots(publicUrl: string): string {
  return `User-agent: *\nDisallow: /console\n\nSitemap: ${publicUrl}/sitemap.xml\n`;
}
