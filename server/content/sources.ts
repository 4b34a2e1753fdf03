import { type Dirent, readdirSync, type Stats, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { errorMessage } from '../error-message.ts';
import { isBlogPage, isMarkdown, isPartial } from './address.ts';
import { isThere, type RealPlace, realInside, realPlace } from './confine.ts';
import { entriesBelow } from './entries-below.ts';
import { mayHoldOrder, orderFiles } from './order/read-orders.ts';
import type { PageKind } from './page-facts.ts';
import { readText } from './read-text.ts';

export interface SourceFile {
  /** Below CONTENT_DIR, with forward slashes. */
  file: string;
  /** Where it is read; never a link. */
  path: string;
  kind: PageKind;
  /** From the built-in defaults, because the content folder has no `pages/`. */
  builtIn: boolean;
}

export interface Sources {
  pages: SourceFile[];
  /** Files that define the document order: file → path. */
  settings: Map<string, string>;
  /** What exists but is not read: file or folder → why, as the end of a sentence. */
  leftOut: Map<string, string>;
}

const folders: Record<PageKind, string> = { doc: 'docs', post: 'blog', page: 'pages' };
const settingNames = new Set(['sidebar.yml', '_category_.json', '_category_.yml', 'SUMMARY.md', 'TOC.md']);

/** Walks docs/, blog/ and pages/; files with other extensions are found when something links to them. */
export function findSources(contentDir: string, builtInDir: string): Sources {
  const sources: Sources = { pages: [], settings: new Map(), leftOut: new Map() };
  for (const kind of ['doc', 'post', 'page'] as const) {
    const own = isFolder(join(contentDir, folders[kind]));
    const root = own || kind !== 'page' ? contentDir : builtInDir;
    for (const { file, path } of filesBelow(root, folders[kind], sources.leftOut)) {
      const role = roleOf(file, path);
      if (role === 'setting') sources.settings.set(file, path);
      else if (role) sources.pages.push({ file, path, kind: role, builtIn: root !== contentDir });
    }
  }
  addOrders(contentDir, sources);
  for (const [file, problem] of staticLinks(contentDir)) sources.leftOut.set(file, problem);
  return sources;
}

/** Document orders beside docs/. */
function addOrders(contentDir: string, { settings, leftOut }: Sources): void {
  for (const file of orderFiles.filter((name) => isThere(join(contentDir, name)))) {
    const place = realPlace(contentDir, join(contentDir, file));
    if ('problem' in place) leftOut.set(file, place.problem);
    else if (isFile(place.path)) settings.set(file, place.path);
  }
}

/** static/ files are served as they are, and links are not. */
function staticLinks(contentDir: string): [file: string, problem: string][] {
  const path = join(contentDir, 'static');
  if (!isFolder(path)) return [];
  const place = realPlace(contentDir, path);
  if ('problem' in place) return [['static', place.problem]];
  try {
    return entriesBelow(path)
      .filter((entry) => entry.isSymbolicLink())
      .map((entry) => relative(contentDir, join(entry.parentPath, entry.name)).split(sep).join('/'))
      .map((file) => [file, 'is a link, and static/ serves only files']);
  } catch (error) {
    return [['static', unreadable(error)]];
  }
}

/**
 * Having nothing to show means a mistyped path rather than an empty site.
 * @throws with one sentence when the folder contains neither docs/ nor blog/
 */
export function requireContent(contentDir: string): void {
  const paths = [folders.doc, folders.post].map((folder) => join(contentDir, folder)).filter(isFolder);
  if (paths.some((path) => realInside(contentDir, path) !== undefined)) return;
  const [link] = paths;
  throw new Error(
    link === undefined
      ? `There is no content in ${contentDir}: a content folder (CONTENT_DIR) holds docs/ or blog/.`
      : `There is no content in ${contentDir}: ${link} is a link that points outside it. Set CONTENT_DIR to its target's folder.`,
  );
}

/** The kind of a file below the content folder, if it existed. */
export function kindOf(file: string): PageKind | 'setting' | undefined {
  const [folder] = file.split('/');
  const kind = (['doc', 'post', 'page'] as const).find((one) => folders[one] === folder);
  if (mayHoldOrder(file) || (kind === 'doc' && isSetting(file))) return 'setting';
  return kind && isMarkdown(file) && !isPartial(file) && !isBlogSection(file) ? ownKind(kind, file) : undefined;
}

/** The kind of a file: one that is named like a document order but lists none is itself a document. */
export function roleOf(file: string, path: string): PageKind | 'setting' | undefined {
  const role = kindOf(file);
  return role === 'setting' && /^docs\/.*\.md$/.test(file) && !listsDocuments(path) ? 'doc' : role;
}

const listed = /^\s*(?:(?:[-*+]|\d+[.)]|#{1,6})\s+)?!?\[.*\]\(/;

/** True when most of its lines are links. */
function listsDocuments(path: string): boolean {
  const read = readText(path);
  const lines =
    'problem' in read ? [] : read.text.split('\n').filter((line) => /^(?!#+ [^[]|---|<!--)\s*\S/.test(line));
  return lines.filter((line) => listed.test(line)).length * 2 >= lines.length;
}

/** Why a text where pages are is not one, as the end of a sentence. */
export function whyNoPage(file: string): string | undefined {
  if (isPartial(file)) return undefined;
  if (/^(?:docs|blog)\/.*\.(?:adoc|asciidoc|rst|textile|org|mdown|mkdn?|mdwn|[qr]md)$/i.test(file))
    return 'is not markdown, and only .md, .mdx and .markdown files are pages';
  if (isBlogSection(file))
    return 'is the page of a folder in Hugo, and the folders of a blog have none: posts are listed by year';
  return undefined;
}

/** Hugo's page of a folder of posts; a post's own folder has an `index.md`. */
function isBlogSection(file: string): boolean {
  return /^blog\/.+\/_index\.\w+$/.test(file) && isMarkdown(file);
}

function isSetting(file: string): boolean {
  return settingNames.has(file.slice(file.lastIndexOf('/') + 1));
}

/** The `blog` folder's page introduces the post list; it is not a post. */
function ownKind(kind: PageKind, file: string): PageKind {
  return isBlogPage(file) ? 'page' : kind;
}

interface Folder {
  file: string;
  /** Real. */
  path: string;
  /** Reached by a link. */
  linked: boolean;
}

interface Walk {
  root: string;
  leftOut: Map<string, string>;
}

type Found = Pick<SourceFile, 'file' | 'path'>;

/** Markdown and setting files below a folder, sorted. */
function filesBelow(root: string, name: string, leftOut: Map<string, string>): Found[] {
  const path = join(root, name);
  if (!isFolder(path)) return [];
  const place = realPlace(root, path);
  if ('path' in place) return filesIn({ file: name, path: place.path, linked: false }, { root, leftOut });
  leftOut.set(name, place.problem);
  return [];
}

function filesIn(folder: Folder, walk: Walk): Found[] {
  const entries = entriesOf(folder, walk).filter(({ name }) => !name.startsWith('.') && name !== 'node_modules');
  return entries.flatMap((entry) => {
    const file = `${folder.file}/${entry.name}`;
    const path = join(folder.path, entry.name);
    const isText = kindOf(file) !== undefined;
    if (entry.isSymbolicLink()) return linked({ file, path }, isText, folder, walk);
    if (entry.isDirectory()) return filesIn({ ...folder, file, path }, walk);
    const reason = whyNoPage(file);
    if (reason) walk.leftOut.set(file, reason);
    return isText && entry.isFile() ? [{ file, path }] : [];
  });
}

function linked({ file, path }: Found, isText: boolean, folder: Folder, walk: Walk): Found[] {
  const place = linkTarget(folder, walk.root, path);
  if ('problem' in place) {
    // Links to pictures are checked when a page shows them.
    if (isText || isFolder(path)) walk.leftOut.set(file, place.problem);
    return [];
  }
  if (isFolder(place.path)) return filesIn({ file, path: place.path, linked: true }, walk);
  return isText && isFile(place.path) ? [{ file, path: place.path }] : [];
}

/** A link's target, when it may be followed: circles end, and links within linked folders cannot multiply. */
function linkTarget(folder: Folder, root: string, link: string): RealPlace {
  const place = realPlace(root, link);
  if ('problem' in place || !isFolder(place.path)) return place;
  if (`${folder.path}${sep}`.startsWith(`${place.path}${sep}`))
    return { problem: 'points back to a folder that contains it' };
  return folder.linked ? { problem: 'is in a folder that is itself a link' } : place;
}

function entriesOf({ file, path }: Folder, { leftOut }: Walk): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    leftOut.set(file, unreadable(error));
    return [];
  }
}

function unreadable(error: unknown): string {
  return `cannot be read: ${errorMessage(error)}`;
}

/** True for an Obsidian vault, or one that is the documents' folder. */
export function isVault(contentDir: string): boolean {
  return ['.obsidian', 'docs/.obsidian'].some((folder) => isFolder(join(contentDir, folder)));
}

/** True for an existing folder. */
function isFolder(path: string): boolean {
  return statOf(path)?.isDirectory() ?? false;
}

/** True for an existing file. */
export function isFile(path: string): boolean {
  return statOf(path)?.isFile() ?? false;
}

/** What cannot be checked, such as a link to itself, counts as missing. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
