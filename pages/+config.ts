import type { Config } from 'vike/types';

/** HTML-only pages: the browser loads client/entry.ts and islands, never a page component. */
export default {
  clientRouting: false,
  passToClient: [],
  meta: {
    head: { env: { server: true } },
  },
} satisfies Config;
