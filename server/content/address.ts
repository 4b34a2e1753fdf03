import { domainToASCII } from 'node:url';
import type { PageKind } from './page-facts.ts';

const markdownEnding = /\.(?:md|mdx|markdown)$/i;
const folderPage = /^(?:_index|index|readme)$/i;

/** True for markdown files: pages, or parts of pages. */
export function isMarkdown(name: string): boolean {
  return markdownEnding.test(name);
}

/**
 * True for a file whose own name, or a folder's name, starts with `_`: other pages include it, but it is not a page
 * itself.
 */
export function isPartial(file: string): boolean {
  const [, ...names] = file.split('/');
  // Hugo's folder page, and Jekyll's posts folder.
  return names.some((name) => name.startsWith('_') && !/^_index\.\w+$|^_posts$/.test(name));
}

/** A path without `.md`, and without the file name of a folder's page. */
export function pagePath(file: string): string {
  const path = file.replace(markdownEnding, '');
  const name = path.slice(path.lastIndexOf('/') + 1);
  return folderPage.test(name) ? path.slice(0, Math.max(path.length - name.length - 1, 0)) : path;
}

/** True when the file is the page of its folder. */
export function isFolderPage(file: string): boolean {
  return folderPage.test(file.replace(markdownEnding, '').split('/').at(-1) ?? '');
}

/** True for the file that introduces the post list. */
export function isBlogPage(file: string): boolean {
  return /^blog\/[^/]+$/.test(file) && isFolderPage(file);
}

/**
 * A page's address, from its file and the slug in its front matter. It contains only letters, digits, `.`, `_`, `~` and
 * `-`, so no one has to encode it.
 */
export function addressOf(kind: PageKind, file: string, slug?: string): string {
  if (kind === 'page' && isBlogPage(file)) return '/blog';
  const path =
    kind === 'page' ? pagePath(file).replace(/^pages(?:\/|$)/, '') : kind === 'post' ? postPath(file) : pagePath(file);
  const root = kind === 'page' ? '' : kind === 'post' ? 'blog' : 'docs';
  if (slug === undefined || slug.trim() === '' || /^[a-z]+:/i.test(slug)) return clean(path || root);
  if (slug.startsWith('/')) return clean(`${root}/${slug}`);
  // Without a slash it replaces only the last part, as in Docusaurus and Hugo.
  const folder = isFolderPage(file) ? path : path.slice(0, Math.max(path.lastIndexOf('/'), 0));
  return clean(`${kind === 'page' ? '' : folder || root}/${slug}`);
}

/** `blog/2024-01-02-name/index.md` becomes `blog/name`; Jekyll's `_posts` is not part of an address. */
function postPath(file: string): string {
  const path = pagePath(file.replaceAll('/_posts/', '/'));
  if (!path.includes('/')) return file.replace(markdownEnding, '');
  return path.replace(/\/\d{4}-\d{2}-\d{2}-([^/]+)$/, '/$1');
}

/** The day in a post's path: `2024-01-02-name`, `2024-01-02/name`, `2024/01/02/name`. */
export function dateInPath(file: string): string | undefined {
  const found = /(?:^|\/)(\d{4})[-/](\d{2})[-/](\d{2})(?=[-/.])/.exec(file);
  return found ? `${found[1]}-${found[2]}-${found[3]}` : undefined;
}

function clean(path: string): string {
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.' && segment !== '..');
  return `/${segments.map(cleanSegment).join('/')}`;
}

/** A name as part of an address; other scripts are encoded as in domain names. */
export function cleanSegment(segment: string): string {
  if (/^[\w~-][\w.~-]*$/.test(segment)) return segment;
  const plain = decoded(segment)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replaceAll('ß', 'ss')
    .replaceAll('&', ' and ')
    .normalize('NFC')
    .replace(/[^\p{ASCII}]+/gu, (run) => `-${inAscii(run)}-`)
    .replace(/['’"]/g, '')
    .replace(/[^\w.~-]+/g, '-')
    .replace(/-{2,}/g, (run, offset: number, whole: string) => (/xn$/.test(whole.slice(0, offset)) ? run : '-'))
    .replace(/^[-.]+|[-.]+$/g, '');
  return plain || 'page';
}

function inAscii(run: string): string {
  const letters = run.replace(/[^\p{L}\p{N}]+/gu, '');
  return letters && (domainToASCII(letters) || Buffer.from(letters).toString('hex'));
}

/** A name by which links find a file in any case; macOS stores names decomposed. */
export function nameKey(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** Text with its `%` escapes decoded; unchanged when they are invalid. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
