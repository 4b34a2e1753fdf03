import { test as withSharedSite } from '../browser.ts';

/** Vitest's `test` with a page, as for the site; each file starts its own console and uses full addresses. */
export const test = withSharedSite.override('siteUrl', { scope: 'file' }, () => 'about:blank');
