import type { Head } from '../../client/contract/pages.ts';

export default function head(): Head {
  return {
    title: 'Finish your marketplace purchase',
    description: 'Create the account that a purchase in a cloud marketplace belongs to.',
    noindex: true,
  };
}
