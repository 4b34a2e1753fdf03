import type { Plugin } from 'vite';

const unused = 'entries/entry-server-routing';

/**
 * Vite plugin: leaves out Vike's browser code for hydrating whole pages, which no page here does. The build fails if
 * Vike renames that code, since every page would then load it.
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
        this.error(`Vike no longer builds '${unused}': find out what it builds instead, and leave that out here.`);
      return { ...options, input: Object.fromEntries(Object.entries(input).filter(([name]) => name !== unused)) };
    },
  };
}
