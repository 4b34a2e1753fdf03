import type { Head } from '../../client/contract/pages.ts';

export default function head(): Head {
  return { title: 'Page not found', description: 'There is no page at this address.', noindex: true };
}
