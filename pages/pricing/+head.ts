import type { Head } from '../../client/contract/pages.ts';

export default function head(): Head {
  return {
    title: 'Pricing',
    description:
      'Community, Cloud, Enterprise trial and Enterprise: what each plan holds, prices by rows and by link-hour, the discount by links, worked examples and questions.',
    canonical: '/pricing',
  };
}
