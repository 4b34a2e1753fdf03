import type { Plugin } from 'vite';

const unused = 'entries/entry-server-routing';

/** Vite plugin: leaves out the browser code that Vike builds for hydrating whole pages, which no page here does. */
export function noVikeClient(): Plugin {
  return {
    name: 'millrace:no-vike-client',
    enforce: 'post',
    apply: 'build',
    options(options) {
      const { input } = options;
      if (typeof input !== 'object' || Array.isArray(input) || !(unused in input)) return options;
      return { ...options, input: Object.fromEntries(Object.entries(input).filter(([name]) => name !== unused)) };
    },
  };
}
