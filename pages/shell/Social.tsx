import type { Head } from '../../client/contract/pages.ts';
import type { Site } from '../../client/contract/site.ts';

/** OpenGraph and Twitter tags; the picture is drawn by the server at its first request. */
export function Social({ site, head, path }: { site: Site; head: Head; path: string }) {
  if (!head.canonical) return null;
  const picture = `${site.publicUrl}/preview${path === '/' ? '/home' : path}.png`;
  return (
    <>
      <meta property="og:type" content={head.type ?? 'website'} />
      <meta property="og:site_name" content={site.brand.name} />
      <meta property="og:title" content={head.title} />
      <meta property="og:description" content={head.description} />
      <meta property="og:url" content={`${site.publicUrl}${head.canonical}`} />
      <meta property="og:image" content={picture} />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta property="og:image:alt" content={head.title} />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  );
}
