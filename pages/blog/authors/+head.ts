import type { Head } from '../../../client/contract/pages.ts';

export default function head(): Head {
  return {
    title: 'Authors of the blog',
    description: 'The desks that write here, and what each of them knows.',
    canonical: '/blog/authors',
    noindex: true,
  };
}
