import type { Head, PageMeta } from '../../client/contract/pages.ts';
import type { Site } from '../../client/contract/site.ts';

interface SocialProps {
  site: Site;
  meta: PageMeta;
  canonical: string;
  type: Head['type'];
}

/** OpenGraph and Twitter tags; the server draws the picture when it is first requested. */
export function Social({ site, meta, canonical, type = 'website' }: SocialProps) {
  const picture = `${site.publicUrl}/preview${canonical === '/' ? '/home' : canonical}.png`;
  return (
    <>
      <meta property="og:type" content={type} />
      <meta property="og:site_name" content={site.brand.name} />
      <meta property="og:title" content={meta.title} />
      <meta property="og:description" content={meta.description} />
      <meta property="og:url" content={`${site.publicUrl}${canonical}`} />
      <meta property="og:image" content={picture} />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta property="og:image:alt" content={meta.title} />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  );
}
