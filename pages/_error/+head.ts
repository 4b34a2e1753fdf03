import type { Head } from '../../client/contract/pages.ts';

export default function head(): Head {
  return { title: 'This page crashed.', description: 'The server could not draw this page.', noindex: true };
}
