import type { Head, PageProps } from '../../../client/contract/pages.ts';
import { tagHref } from '../addresses.ts';

export default function head({ tag }: PageProps<'blog/tag'>): Head {
  return {
    title: `${tag.label} on the blog`,
    description: tag.description || `Posts tagged ${tag.label}.`,
    canonical: tagHref(tag),
    noindex: true,
  };
}
