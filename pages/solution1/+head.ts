import type { Head } from '../../client/contract/pages.ts';

export default function head(): Head {
  return {
    title: 'Real-time Analytics',
    description:
      'Load tables into the warehouse once, follow the change log of their databases, and compare both sides by key.',
    canonical: '/solution1',
  };
}
