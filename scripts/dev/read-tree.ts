import { type Dirent, readdirSync, readlinkSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { realInside } from '../../server/content/confine.ts';

export interface Entry {
  /** Changes with every write, and with another file in its place. */
  mark: string;
  /** A link to a folder or to nothing. */
  isLink: boolean;
}

interface Folder {
  path: string;
  /** Its path below the root, with a slash at its end. */
  below: string;
  /** Reached by a link. */
  linked: boolean;
}

/** The files below a folder by their path there; `follow` gets each folder before it is read. */
export function readTree(root: string, follow: (folder: string, stats: Stats) => void): Map<string, Entry> {
  const found = new Map<string, Entry>();
  const link = linkMark(root);
  if (link) found.set('', { mark: link, isLink: true });
  walk({ path: root, below: '', linked: false });
  return found;

  function walk(folder: Folder): void {
    const stats = statOf(folder.path);
    if (!stats?.isDirectory()) return;
    follow(folder.path, stats);
    for (const entry of entriesOf(folder.path)) {
      const path = join(folder.path, entry.name);
      const made = entryAt(path, entry);
      if (made) found.set(folder.below + entry.name, made);
      if (isFollowed(path, entry, folder))
        walk({ path, below: `${folder.below}${entry.name}/`, linked: folder.linked || entry.isSymbolicLink() });
    }
  }

  /** As the loader follows links: those inside linked folders might form circles. */
  function isFollowed(path: string, entry: Dirent, folder: Folder): boolean {
    if (isHidden(entry.name)) return false;
    return entry.isDirectory() || (entry.isSymbolicLink() && !folder.linked && realInside(root, path) !== undefined);
  }
}

function entryAt(path: string, entry: Dirent): Entry | undefined {
  const link = entry.isSymbolicLink() ? linkMark(path) : '';
  const target = entry.isDirectory() ? undefined : statOf(path);
  if (target?.isFile()) return { mark: link + markOf(target), isLink: false };
  if (link) return { mark: link, isLink: true };
  return isHidden(entry.name) ? { mark: 'hidden', isLink: false } : undefined;
}

function entriesOf(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true }).filter(
      (entry) => entry.name !== 'node_modules' && !isLeftover(entry) && !isHiddenFile(entry),
    );
  } catch {
    // It has gone or must not be read, which the loader reports.
    return [];
  }
}

/** What editors leave beside a file while it is open: backups, locks, swap files and trial files. */
function isLeftover(entry: Dirent): boolean {
  return !entry.isDirectory() && /~$|^\.#|^#.*#$|\.sw[a-px]$|^4913$|___jb_(?:tmp|old)___$/.test(entry.name);
}

/** Hidden files belong to editors, except for authors in another tool's tree; a hidden folder may name the tool. */
function isHiddenFile(entry: Dirent): boolean {
  return isHidden(entry.name) && entry.isFile() && !/\.yml$/.test(entry.name);
}

/** Kubernetes' `..data` is not hidden. */
function isHidden(name: string): boolean {
  return /^\.[^.]/.test(name);
}

function markOf({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string {
  return [dev, ino, size, mtimeMs, ctimeMs].join(' ');
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // It must not be read, or leads in a circle: the loader reports both.
    return undefined;
  }
}

function linkMark(path: string): string {
  try {
    return `-> ${readlinkSync(path)} `;
  } catch {
    // Not a link.
    return '';
  }
}
