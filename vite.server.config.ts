import { join } from 'node:path';
import { defineConfig } from 'vite';
import { sourcePlaces } from './scripts/vite/source-places.ts';

const outDir = 'dist/programs';
const programs = ['main', 'engine/main', 'engine/answer', 'content/compile-worker', 'jobs/practice/write-rows-process'];

/**
 * Bundles the server's programs into dist/programs/: a start reads a few files instead of a thousand. A package stays
 * outside if it is native, finds files beside itself, or is loaded with its first use only.
 */
export default defineConfig({
  publicDir: false,
  plugins: [sourcePlaces(outDir)],
  ssr: {
    noExternal: true,
    external: ['@node-rs/argon2', '@resvg/resvg-js', 'fontkit', 'nodemailer', 'pdfkit', 'satori', 'shiki', 'stripe'],
  },
  build: {
    ssr: true,
    outDir,
    // Older files are removed later, see scripts/bootstrap/build.mjs.
    emptyOutDir: false,
    target: 'node24',
    sourcemap: true,
    minify: false,
    rolldownOptions: {
      input: Object.fromEntries(programs.map((name) => [name, join('server', `${name}.ts`)])),
      // Programs have the places that their sources have among each other: see server/program-path.ts.
      output: {
        entryFileNames: '[name].mjs',
        chunkFileNames: '[name]-[hash].mjs',
        sourcemapExcludeSources: true,
      },
    },
  },
});
