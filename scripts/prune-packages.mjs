import { readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

// Removes from node_modules what the running server never loads. Vike lists its build tools (Vite and its dependencies)
// as ordinary dependencies, so `npm ci --omit=dev` installs them. Runs only in the container's build.
const modules = resolve(import.meta.dirname, '../node_modules');
const unused = [
  // The container has its own Node.js.
  /^node-(linux|win)-/,
  /^(vite|esbuild|rolldown|lightningcss)(-|$)/,
  /^@(babel|esbuild|rolldown|oxc-project|universal-deploy|types)$/,
  /^(browserslist|caniuse-lite|electron-to-chromium|node-releases|update-browserslist-db|baseline-browser-mapping)$/,
  /^\.bin$/,
];
// Source maps and types are for developers; they are a quarter of the rest.
const forDevelopers = /\.([cm]?js|css|[cm]?ts)\.map$|\.d\.[cm]?ts$/;

// Invoices use two of the styles of each font.
const unusedFonts =
  /^@expo-google-fonts[\\/]noto-sans(?:-arabic|-hebrew)?[\\/](?!(?:400Regular|700Bold)(?:[\\/]|$))\d{3}/;
// remark-math imports KaTeX's module but never renders with it.
const unusedKatex = /^katex[\\/](?:contrib|src|types|dist[\\/](?!katex\.mjs$))/;

for (const name of readdirSync(modules)) {
  if (unused.some((pattern) => pattern.test(name))) rmSync(join(modules, name), { recursive: true, force: true });
}
for (const name of readdirSync(modules, { recursive: true, encoding: 'utf8' })) {
  if ([forDevelopers, unusedKatex, unusedFonts].some((pattern) => pattern.test(name)))
    rmSync(join(modules, name), { recursive: true, force: true });
}
