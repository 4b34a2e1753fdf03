import type { Head, PageProps } from '../../client/contract/pages.ts';

export default function head({ q }: PageProps<'search'>): Head {
  return { title: q ? `Search: ${q}` : 'Search', description: 'Search documents and posts.', noindex: true };
}
