import type { Plugin } from 'vite';

/**
 * Vite plugin: a saved style sheet is updated in the open page without a reload, since the module that imports it is
 * unchanged.
 */
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
        // Vike reloads the page for every change of a server-only module.
        return this.environment.name === 'ssr' && file.endsWith('.css') ? [] : undefined;
      },
    },
  };
}
