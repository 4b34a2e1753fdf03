import type { StructuredData as SchemaObject } from '../../client/contract/pages.ts';
import type { Site } from '../../client/contract/site.ts';
import { isReachable } from '../parts/contact.ts';

/** Replaces paths under `url`, `item` and `@id` with absolute addresses. */
function absolute(value: unknown, publicUrl: string, key = ''): unknown {
  if (Array.isArray(value)) return value.map((entry) => absolute(entry, publicUrl, key));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, absolute(entry, publicUrl, name)]));
  }
  return typeof value === 'string' && value.startsWith('/') && ['url', 'item', '@id'].includes(key)
    ? publicUrl + value
    : value;
}

/** What the page is about, for search engines: JSON-LD, a data block that the security policy does not have to allow. */
export function StructuredData({ site, structured = [] }: { site: Site; structured: SchemaObject[] | undefined }) {
  const organisation = {
    '@type': 'Organization',
    name: site.brand.name,
    legalName: site.brand.legalName,
    url: '/',
    ...(isReachable(site.brand.supportEmail) && { email: site.brand.supportEmail }),
  };
  const graph = absolute([organisation, ...structured], site.publicUrl);
  // `<` is escaped, so that no text can close the element.
  const json = JSON.stringify({ '@context': 'https://schema.org', '@graph': graph }).replaceAll('<', '\\u003c');
  // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON with < escaped, in a data block
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: json }} />;
}
