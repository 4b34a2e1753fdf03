import type { Plugin } from 'vite';

const asked = "domEnv ? nav.language : 'en-US'";

/**
 * Vite plugin: charts format numbers like the rest of the site. uPlot reads the browser's language when it is loaded,
 * and the whole page fails if that is not a language tag, such as WebKitGTK's “C”. The build fails if uPlot's code for
 * this changes.
 */
export function englishCharts(): Plugin {
  let replaced = false;
  return {
    name: 'millrace:english-charts',
    apply: 'build',
    transform: {
      filter: { id: /\/uPlot\.esm\.js$/ },
      handler(code) {
        if (!code.includes(asked)) return;
        replaced = true;
        return { code: code.replace(asked, "'en-US'"), map: null };
      },
    },
    generateBundle() {
      if (this.environment.name !== 'client' || replaced) return;
      this.error('uPlot asks for the language of its numbers in other words: see how, and replace that.');
    },
  };
}
