import type { Head } from '../../client/contract/pages.ts';

export default function head(): Head {
  return {
    title: 'Sign up',
    description: 'Create an account: jobs in the cloud, downloads for your own machines, licences and bills.',
    canonical: '/register',
  };
}
