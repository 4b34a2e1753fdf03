import type { Head, PageProps } from '../../client/contract/pages.ts';

export default function head({ page }: PageProps<'blog'>): Head {
  return {
    title: page?.title ?? 'Blog',
    description:
      page?.description ??
      'Walkthroughs for one source and one target, the methods behind them, and news about the service.',
    canonical: '/blog',
  };
}
