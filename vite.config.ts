import optimizeLocales from '@react-aria/optimize-locales-plugin';
import react from '@vitejs/plugin-react';
import vike from 'vike/plugin';
import { defineConfig } from 'vite';
import { defaultExport } from './scripts/vite/default-export.ts';
import { englishCharts } from './scripts/vite/english-charts.ts';
import { noVikeClient } from './scripts/vite/no-vike-client.ts';
import { smallPreload } from './scripts/vite/small-preload.ts';

export default defineConfig({
  plugins: [
    // The site is in English only; the library's words of thirty other languages weigh 12 kB.
    { ...optimizeLocales.vite({ locales: ['en-US'] }), enforce: 'pre' },
    defaultExport(),
    englishCharts(),
    smallPreload(),
    noVikeClient(),
    vike(),
    react(),
  ],
  build: {
    // Older files are removed later, see scripts/bootstrap/build.mjs.
    emptyOutDir: false,
    modulePreload: {
      polyfill: false,
      // Of what is imported lazily, Vite lists files only where there are several.
      resolveDependencies: (file, others, { hostId }) => [
        file,
        ...others.filter((other) => other !== file && other !== hostId),
      ],
    },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // One file for what every page loads: in a file for each set of users, its modules weigh a fifth more.
            { name: 'client', test: /\/client\/entry\.ts$/ },
          ],
        },
      },
    },
  },
});
