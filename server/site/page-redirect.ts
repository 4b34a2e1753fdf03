import type { Response } from 'express';
import { softNavigation } from '../../client/contract/soft-navigation.ts';
import { redirect } from '../http/redirect.ts';
import { isSoft } from './soft-navigation.ts';

/**
 * Redirects to a page. A script never learns the fragment of an address that it was redirected to, so the one that
 * follows links gets no page for such an address: it then has the browser load it.
 */
export function redirectToPage(res: Response, status: 301 | 302, to: string): void {
  const hasFragment = to.includes('#');
  if (hasFragment) res.vary(softNavigation.name);
  if (hasFragment && isSoft(res.req)) res.status(204).set('Cache-Control', 'no-cache').end();
  else redirect(res, status, to);
}
