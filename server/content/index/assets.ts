import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';
import { imageSize } from 'image-size';
import { z } from 'zod';
import { cleanSegment, isMarkdown, nameKey } from '../address.ts';
import type { ContentCache } from '../cache/content-cache.ts';
import { realInside, withoutGitbookFolder } from '../confine.ts';
import { entriesBelow } from '../entries-below.ts';
import { isFile } from '../sources.ts';

const largestRead = 64 * 1024 * 1024;

export interface Asset {
  address: string;
  path: string;
  width?: number;
  height?: number;
}

/** Pictures and other files beside the markdown: their content-based address and their size in pixels. */
export interface Assets {
  /** The file at a path below the content folder, if it exists and may be served. */
  find(file: string): Asset | undefined;
  /** The only file of that name among documents and posts, in any case: Obsidian's links leave folders out. */
  findByName(name: string): Asset | undefined;
  /** All files found so far: address → path. */
  files: Map<string, string>;
  /** Files have changed: they are looked up again. */
  forget(): void;
}

/** Looks each file up once; what is known about it is stored in the cache under its inode, times and size. */
export function createAssets(root: string, cache: Pick<ContentCache, 'note' | 'putNote'>): Assets {
  const known = new Map<string, Asset | undefined>();
  const files = new Map<string, string>();
  let names: Map<string, string | undefined> | undefined;
  function find(file: string): Asset | undefined {
    const name = posix.normalize(file);
    if (!known.has(name)) known.set(name, look(root, name, cache));
    const asset = known.get(name);
    if (asset) files.set(asset.address, asset.path);
    return asset;
  }
  return {
    files,
    find,
    findByName(name) {
      names ??= uniqueNames(root);
      const file = names.get(nameKey(name));
      return file === undefined ? undefined : find(file);
    },
    forget() {
      names = undefined;
      known.clear();
      files.clear();
    },
  };
}

/** The files below docs/ and blog/ by name; nothing for a name that several have. */
function uniqueNames(root: string): Map<string, string | undefined> {
  const names = new Map<string, string | undefined>();
  for (const file of ['docs', 'blog'].flatMap((folder) => filesBelow(root, folder))) {
    const key = nameKey(posix.basename(file));
    names.set(key, names.has(key) ? undefined : file);
  }
  return names;
}

function filesBelow(root: string, folder: string): string[] {
  try {
    return entriesBelow(join(root, folder))
      .filter((entry) => entry.isFile())
      .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
      .filter(isShown);
  } catch {
    // There need not be such a folder, and one that cannot be read is reported with its pages.
    return [];
  }
}

function isShown(file: string): boolean {
  return !/(?:^|\/)\./.test(withoutGitbookFolder(file)) && !isMarkdown(file);
}

function look(root: string, name: string, cache: Pick<ContentCache, 'note' | 'putNote'>): Asset | undefined {
  if (name.startsWith('..') || !isShown(name)) return undefined;
  // A link that points outside the folder must not publish the machine's other files.
  const path = realInside(root, join(root, name));
  if (path === undefined || !isFile(path)) return undefined;
  try {
    const { ino, mtimeMs, ctimeMs, size } = statSync(path);
    // Copies and builds may give all files one time of change; the inode's own time cannot be set.
    const key = `asset ${path} ${ino} ${mtimeMs} ${ctimeMs} ${size}`;
    const { hash, width, height } = noted(cache.note(key)) ?? measured(path, size, key, cache);
    const address = `/_content/${hash}/${cleanSegment(name.split('/').at(-1) ?? 'file')}`;
    return { address, path, ...(width && height && { width, height }) };
  } catch {
    // What must not be read cannot be served either: anyone who links to it gets a fault.
    return undefined;
  }
}

const noteSchema = z.object({
  hash: z.string().regex(/^[0-9a-f]{10}$/),
  width: z.int().positive().exactOptional(),
  height: z.int().positive().exactOptional(),
});
type Note = z.infer<typeof noteSchema>;

/** What an earlier start found; undefined when the note is no longer what was written. */
function noted(note: string | undefined): Note | undefined {
  if (note === undefined) return undefined;
  try {
    return noteSchema.parse(JSON.parse(note));
  } catch {
    return undefined;
  }
}

function measured(path: string, size: number, key: string, cache: Pick<ContentCache, 'putNote'>): Note {
  // A larger file is not a picture for a page, and its time and size are enough to detect a new version.
  const bytes = size > largestRead ? undefined : readFileSync(path);
  const hash = createHash('sha256')
    .update(bytes ?? key)
    .digest('hex')
    .slice(0, 10);
  const note: Note = { hash, ...(bytes && sizeOf(bytes)) };
  cache.putNote(key, JSON.stringify(note));
  return note;
}

/** In pixels; nothing for a file that is not a picture. */
function sizeOf(bytes: Uint8Array): Pick<Note, 'width' | 'height'> {
  try {
    const size = imageSize(bytes);
    const width = Math.round(size.width);
    const height = Math.round(size.height);
    return width > 0 && height > 0 ? { width, height } : {};
  } catch {
    return {};
  }
}
