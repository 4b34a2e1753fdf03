import type { Head, PageProps } from '../../client/contract/pages.ts';

export default function head({ site }: PageProps<'about'>): Head {
  return {
    title: 'About',
    description: `What the people behind ${site.brand.name} work on, what they hold to, every release, and how to reach them.`,
    canonical: '/about',
  };
}
