import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Rendered } from './services.ts';
import { sourceHash } from './source-hash.ts';

const linkTag = /<link rel="stylesheet"[^>]*? href="([^"]+)"[^>]*>/g;
const styleElement = /<style data-files="([^"]+)">.*?<\/style>/s;

/**
 * Makes what puts the style sheets that a document links to into it, as one element that carries the names of its files
 * so that the browser's script does not load them again.
 * @param clientDir folder of the built files
 * @returns throws when a style sheet was not built, or cannot stand in a document
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
      // A function, since `$` in a style sheet would have a meaning in a text.
      html: html.replaceAll(linkTag, '').replace('</head>', () => `${element}</head>`),
      styleHash: sourceHash(text),
    };
  };
}

/** The same document with its style sheets named as files again. */
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
  // A name without a slash is looked for beside the style sheet, and inside the document beside the page.
  const relative = /url\(\s*["']?(?!["']?(?:\/|data:|#))[^)]*\)/.exec(text);
  if (relative) throw new Error(`${file} names a file by its own place: ${relative[0]}`);
  return text;
}
