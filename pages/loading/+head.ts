import type { Head } from '../../client/contract/pages.ts';

export default function head(): Head {
  return { title: 'Loading', description: 'A sign-in is being finished.', noindex: true };
}
