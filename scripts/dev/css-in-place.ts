import type { Plugin } from 'vite';

/** Vite plugin: a saved style sheet changes in the open page; the page's own module, which imports it, has not changed. */
export function cssInPlace(): Plugin {
  return {
    name: 'millrace:css-in-place',
    configResolved({ environments }) {
      if (!environments.ssr)
        throw new Error("Vite has no environment 'ssr' any more: name the one that runs the pages here.");
    },
    hotUpdate: {
      order: 'pre',
      handler({ file }) {
        // Vike answers every change of what only the server has with a reload.
        return this.environment.name === 'ssr' && file.endsWith('.css') ? [] : undefined;
      },
    },
  };
}
