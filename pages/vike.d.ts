import type { ComponentType } from 'react';
import type { Head, PageMeta } from '../client/contract/pages.ts';
import type { Site } from '../client/contract/site.ts';

type PageComponent = ComponentType<Record<string, unknown> & { site: Site }>;

declare global {
  namespace Vike {
    interface Config {
      /** Structured data, built from the page's props (`+head.ts`). */
      head?: (props: never) => Head;
      /** The page's text has the id of the main text itself, since a sidebar is before it (`+config.ts`). */
      startsWithSidebar?: boolean;
    }
    interface PageContext {
      Page: PageComponent;
      meta: PageMeta;
      site: Site;
      /** Path of the current address, for the bar and canonical links. */
      path: string;
      props: Record<string, unknown>;
    }
  }
}
