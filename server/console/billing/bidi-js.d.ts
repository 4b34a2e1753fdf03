// The published types describe the package's CommonJS file, whose default export Node.js and TypeScript see differently.
declare module 'bidi-js/dist/bidi.mjs' {
  import type { Bidi } from 'bidi-js';

  const bidiFactory: () => Bidi;

  export = bidiFactory;
}
