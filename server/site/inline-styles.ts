import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Rendered } from './services.ts';
import { sourceHash } from './source-hash.ts';

const linkTag = /<link rel="stylesheet"[^>]*? href="([^"]+)"[^>]*>/g;
const styleElement = /<style data-files="([^"]+)">.*?<\/style>/s;

/**
 * Creates a function that inlines a document's linked style sheets as one element, which lists the file names so that
 * the browser's script does not load them again.
 * @param clientDir folder of the built files
 * @returns throws when a style sheet was not built, or cannot be inlined
 */
export function inlineStyles(clientDir: string): (rendered: Rendered) => Rendered {
  const known = new Map<string, string>();
  const textOf = (file: string) => {
    const text = known.get(file) ?? readStyles(clientDir, file);
    known.set(file, text);
    return text;
  };
  return ({ status, html }) => {
    const files = [...html.matchAll(linkTag)].flatMap(([, file]) => file ?? []);
    if (files.length === 0) return { status, html };
    const text = files.map(textOf).join('');
    const element = `<style data-files="${files.join(' ')}">${text}</style>`;
    return {
      status,
      // A function, since `$` in a style sheet would have a special meaning in a string.
      html: html.replaceAll(linkTag, '').replace('</head>', () => `${element}</head>`),
      styleHash: sourceHash(text),
    };
  };
}

/** The same document with its style sheets linked as files again. */
export function linkStyles(html: string): string {
  return html.replace(styleElement, (_, files: string) =>
    files
      .split(' ')
      .map((file) => `<link rel="stylesheet" href="${file}">`)
      .join(''),
  );
}

function readStyles(clientDir: string, file: string): string {
  const text = readFileSync(join(clientDir, file), 'utf8').trim();
  if (text.includes('</')) throw new Error(`${file} has a '</', which could end the element it is put into.`);
  // A name without a slash is relative to the style sheet; inlined, it would be relative to the page.
  const relative = /url\(\s*["']?(?!["']?(?:\/|data:|#))[^)]*\)/.exec(text);
  if (relative) throw new Error(`${file} refers to a file by a relative path: ${relative[0]}`);
  return text;
}
