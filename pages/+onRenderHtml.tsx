import { renderToStaticMarkup } from 'react-dom/server';
import { dangerouslySkipEscape, escapeInject } from 'vike/server';
import type { PageContextServer } from 'vike/types';
import type { Head } from '../client/contract/pages.ts';
import type { Site } from '../client/contract/site.ts';
import { Document } from './shell/Document.tsx';

/** Renders a page into the document; Vike adds the style sheet and the entry script. */
export default function onRenderHtml(pageContext: PageContextServer) {
  const { Page, config, props, meta, site, path } = pageContext;
  const pageProps = { ...props, site };
  const head = (config.head as ((props: Record<string, unknown> & { site: Site }) => Head) | undefined)?.(pageProps);
  const html = renderToStaticMarkup(
    <Document site={site} meta={meta} head={head} path={path} startsWithSidebar={config.startsWithSidebar ?? false}>
      <Page {...pageProps} />
    </Document>,
  );
  return escapeInject`<!doctype html>${dangerouslySkipEscape(html)}`;
}
