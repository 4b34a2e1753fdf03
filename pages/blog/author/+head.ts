import type { Head, PageProps } from '../../../client/contract/pages.ts';
import { authorHref } from '../addresses.ts';

export default function head({ author }: PageProps<'blog/author'>): Head {
  return {
    title: `Posts by ${author.label}`,
    description: author.description || `Posts by ${author.label}.`,
    canonical: authorHref(author),
    noindex: true,
  };
}
