import type { Head, PageProps } from '../../client/contract/pages.ts';

export default function head({ site }: PageProps<'index'>): Head {
  return { title: site.brand.tagline, description: site.brand.description, canonical: '/' };
}
