import { test as withSharedSite } from '../browser.ts';

/** Vitest's `test` with a page, as for the site; each file starts a console of its own and goes to whole addresses. */
export const test = withSharedSite.override('siteUrl', { scope: 'file' }, () => 'about:blank');
