import type { Plugin } from 'vite';

const asked = "domEnv ? nav.language : 'en-US'";

/**
 * Vite plugin: charts write numbers as the rest of the site does. uPlot asks the browser for its language when it is
 * loaded, and the whole page fails where that is no language tag, as “C” of WebKitGTK. It ends the build when uPlot asks
 * in other words.
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
