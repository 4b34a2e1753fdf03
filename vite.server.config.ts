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
    // Says which program has which name, for server/program-path.ts.
    manifest: true,
    minify: false,
    rolldownOptions: {
      input: Object.fromEntries(programs.map((name) => [name, join('server', `${name}.ts`)])),
      output: {
        // A running server starts the other programs later: another build must not replace them.
        entryFileNames: ({ name }) => (name === 'main' ? '[name].mjs' : '[name]-[hash].mjs'),
        chunkFileNames: '[name]-[hash].mjs',
        sourcemapExcludeSources: true,
      },
    },
  },
});
