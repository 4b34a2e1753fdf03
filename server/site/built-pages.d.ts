/** What `vite build` makes of pages/ is imported for its effect: Vike knows the pages afterwards. */
declare module '*/dist/server/entry.mjs';
