import type { Head } from '../../client/contract/pages.ts';

export default function head(): Head {
  return {
    title: 'Blog',
    description: 'Walkthroughs for one source and one target, the methods behind them, and news about the service.',
    canonical: '/blog',
  };
}
