import type { Plugin } from 'vite';

const unused = 'entries/entry-server-routing';

/**
 * Vite plugin: leaves out the browser code that Vike builds for hydrating whole pages, which no page here does. It ends
 * the build when Vike gives that code another name: every page would load it then.
 */
export function noVikeClient(): Plugin {
  return {
    name: 'millrace:no-vike-client',
    enforce: 'post',
    apply: 'build',
    options(options) {
      if (this.environment.name !== 'client') return options;
      const { input } = options;
      if (typeof input !== 'object' || Array.isArray(input) || !(unused in input))
        this.error(`Vike builds no '${unused}' any more: see what it builds instead, and leave that out here.`);
      return { ...options, input: Object.fromEntries(Object.entries(input).filter(([name]) => name !== unused)) };
    },
  };
}
