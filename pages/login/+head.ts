import type { Head } from '../../client/contract/pages.ts';

export default function head(): Head {
  return {
    title: 'Log in',
    description: 'Sign in with a password or a code to reach jobs, downloads, licences and bills.',
    canonical: '/login',
  };
}
