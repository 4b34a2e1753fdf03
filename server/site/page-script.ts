import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { frameIds } from '../../client/contract/frame-ids.ts';
import { sourceHash } from './source-hash.ts';

const scriptTag = /<script (?=[^>]*?\bsrc="([^"]+)")[^>]*><\/script>/g;
const onlyImport = /^import\s*"\.\.(\/[^"]+)";?$/;

/**
 * Creates a function that finishes a document's script tags. Each names the file that contains the code, since the
 * built entry would only import it, and the hash of its bytes, so browsers run nothing else. Modules wait in a template
 * for the first paint: see client/contract/first-paint.ts.
 * @param clientDir folder of the built files
 * @returns takes and returns HTML; throws when a script was not built
 */
export function pageScript(clientDir: string): (html: string, waits: boolean) => string {
  const known = new Map<string, { file: string; integrity: string }>();

  function built(src: string) {
    const bytes = readFileSync(join(clientDir, src));
    const imported = onlyImport.exec(bytes.toString('utf8').trim())?.[1];
    if (imported) return built(`/assets${imported}`);
    return { file: src, integrity: sourceHash(bytes) };
  }

  return (html, waits) =>
    html.replace(scriptTag, (tag, src: string) => {
      const script = known.get(src) ?? built(src);
      known.set(src, script);
      const finished = tag.replace(src, script.file).replace('<script ', `<script integrity="${script.integrity}" `);
      return waits && tag.includes('type="module"')
        ? `<template id="${frameIds.pageScript}">${finished}</template>`
        : finished;
    });
}
