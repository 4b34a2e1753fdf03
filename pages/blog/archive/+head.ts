import type { Head } from '../../../client/contract/pages.ts';

export default function head(): Head {
  return {
    title: 'Blog archive',
    description: 'Every post by date, newest first.',
    canonical: '/blog/archive',
    noindex: true,
  };
}
