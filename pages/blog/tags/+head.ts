import type { Head } from '../../../client/contract/pages.ts';

export default function head(): Head {
  return {
    title: 'Tags of the blog',
    description: 'What the posts of the blog are about.',
    canonical: '/blog/tags',
    noindex: true,
  };
}
