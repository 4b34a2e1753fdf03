import type { Config } from 'vike/types';

/** HTML-only pages: the browser loads client/entry.ts and islands, never a page component. */
export default {
  clientRouting: false,
  passToClient: [],
  meta: {
    // What a page adds to its <head>: structured data.
    head: { env: { server: true } },
    // The page's text has the id that the skip link leads to: the page begins with a sidebar.
    startsWithSidebar: { env: { server: true } },
    // Never in the browser, which loads only client/ and islands.
    Page: { env: { server: true } },
  },
} satisfies Config;
