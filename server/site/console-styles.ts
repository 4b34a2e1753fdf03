import type { RequestHandler } from 'express';
import { sourceHash } from './source-hash.ts';

/**
 * The two constant style elements that react-aria adds at run time: one for pressable elements, one while a dialog is
 * open in WebKit on iOS. A test compares them with the package.
 */
export const libraryStyles = [
  `@layer {
  [data-react-aria-pressable] {
    touch-action: pan-x pan-y pinch-zoom;
  }
}`,
  `@layer {
  * {
    overscroll-behavior: contain;
  }
}`,
] as const;

const hashes = libraryStyles.map((style) => `'${sourceHash(style)}'`);

/** Allows the console's pages their library's style elements, and no others. */
export const consoleStyles: RequestHandler = (_req, res, next) => {
  const policy = String(res.getHeader('Content-Security-Policy'));
  res.setHeader('Content-Security-Policy', policy.replace("style-src 'self'", `$& ${hashes.join(' ')}`));
  next();
};
