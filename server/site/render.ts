import { renderPage } from 'vike/server';
import type { PageMeta } from '../../client/contract/pages.ts';
import type { Site } from '../../client/contract/site.ts';
import type { FoundPage, Rendered } from './services.ts';

/**
 * Renders a page through Vike. The server has already chosen the page, so Vike gets the folder and not the address. In
 * production the built entry must have been imported first.
 * @throws what React or the page threw
 */
export async function render({ folder, props, meta, path, status }: FoundPage, site: Site): Promise<Rendered> {
  const urlOriginal = folder === 'index' ? '/' : `/${folder}`;
  const { errorWhileRendering, httpResponse } = await renderPage({ urlOriginal, props, meta, path, site });
  if (errorWhileRendering) throw errorWhileRendering;
  if (httpResponse?.statusCode !== 200) throw new Error(`No page component answers folder '${folder}' (${path}).`);
  return { status, html: httpResponse.body };
}

const crashed: PageMeta = {
  title: 'This page crashed.',
  description: 'The server could not draw this page.',
  indexed: false,
};

/** Renders 'This page crashed.', which is Vike's error page: Vike shows it for every unknown address. */
export async function renderCrash(site: Site, requestId: string): Promise<Rendered> {
  const { errorWhileRendering, httpResponse } = await renderPage({
    urlOriginal: '/crashed',
    props: { requestId },
    meta: crashed,
    path: '',
    site,
  });
  if (errorWhileRendering) throw errorWhileRendering;
  return { status: 500, html: httpResponse?.body ?? '' };
}
