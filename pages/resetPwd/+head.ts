import type { Head } from '../../client/contract/pages.ts';

export default function head(): Head {
  return { title: 'Reset password', description: 'Set a new password with a code.', noindex: true };
}
