import type { Head, PageProps } from '../../client/contract/pages.ts';

export default function head({ page }: PageProps<'markdown-page'>): Head {
  return { title: page.title, description: page.description, canonical: '/markdown-page' };
}
