/** Finds the files of a content folder. */
import { readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isBlogPage, isMarkdown } from './address.ts';
import type { PageKind } from './page-facts.ts';

export interface SourceFile {
  /** Below CONTENT_DIR, with forward slashes. */
  file: string;
  path: string;
  kind: PageKind;
  /** From the built-in defaults, because the content folder has no `pages/`. */
  builtIn: boolean;
}

export interface Sources {
  pages: SourceFile[];
  /** `sidebar.yml` and `_category_.json` files below docs/: file → path. */
  settings: Map<string, string>;
}

const folders: Record<PageKind, string> = { doc: 'docs', post: 'blog', page: 'pages' };
const settingNames = new Set(['sidebar.yml', '_category_.json', '_category_.yml']);

/** Walks docs/, blog/ and pages/; files with other endings are found when something links to them. */
export function findSources(contentDir: string, builtInDir: string): Sources {
  const sources: Sources = { pages: [], settings: new Map() };
  for (const kind of ['doc', 'post', 'page'] as const) {
    const own = isFolder(join(contentDir, folders[kind]));
    const root = own || kind !== 'page' ? contentDir : builtInDir;
    const builtIn = root !== contentDir;
    for (const file of walk(root, folders[kind])) {
      if (isMarkdown(file)) sources.pages.push({ file, path: join(root, file), kind: ownKind(kind, file), builtIn });
      else if (kind === 'doc') sources.settings.set(file, join(root, file));
    }
  }
  return sources;
}

/**
 * Nothing to show is a mistyped path rather than an empty site.
 * @throws with one sentence when the folder holds neither docs/ nor blog/
 */
export function requireContent(contentDir: string): void {
  if ([folders.doc, folders.post].some((folder) => isFolder(join(contentDir, folder)))) return;
  throw new Error(`There is no content in ${contentDir}: a content folder (CONTENT_DIR) holds docs/ or blog/.`);
}

/** What a file below the content folder is, were it there. */
export function kindOf(file: string): PageKind | 'setting' | undefined {
  const [folder] = file.split('/');
  const kind = (['doc', 'post', 'page'] as const).find((one) => folders[one] === folder);
  if (kind && isMarkdown(file)) return ownKind(kind, file);
  return kind === 'doc' && settingNames.has(file.split('/').at(-1) ?? '') ? 'setting' : undefined;
}

/** The page of the folder `blog` introduces the list of posts, it is none of them. */
function ownKind(kind: PageKind, file: string): PageKind {
  return isBlogPage(file) ? 'page' : kind;
}

/** Markdown and setting files below a folder, sorted. Links are followed, in circles only once. */
function walk(root: string, folder: string, above: ReadonlySet<string> = new Set()): string[] {
  const path = join(root, folder);
  if (!isFolder(path)) return [];
  const real = realpathSync(path);
  if (above.has(real)) return [];
  const inside = new Set([...above, real]);
  const found: string[] = [];
  for (const entry of readdirSync(path, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    const file = `${folder}/${entry.name}`;
    if (entry.isDirectory() || (entry.isSymbolicLink() && isFolder(join(root, file))))
      found.push(...walk(root, file, inside));
    else if ((isMarkdown(entry.name) || settingNames.has(entry.name)) && isFile(join(root, file))) found.push(file);
  }
  return found;
}

/** True for a folder that is there. */
export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** True for a file that is there. */
export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
