/** Pictures and other files beside the markdown: their address by content, their size in pixels. */
import { createHash } from 'node:crypto';
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { imageSize } from 'image-size';
import { cleanSegment, isMarkdown } from '../address.ts';
import type { ContentCache } from '../cache.ts';

export interface Asset {
  address: string;
  path: string;
  width?: number;
  height?: number;
}

export interface Assets {
  /** The file at a path below the content folder, if there is one that may be served. */
  find(file: string): Asset | undefined;
  /** All that have been found: address → path. */
  files: Map<string, string>;
  /** Files have changed: they are looked up anew. */
  forget(): void;
}

/** Looks files up once; what is known of them is noted in the cache under their time and size. */
export function createAssets(root: string, cache: ContentCache): Assets {
  const known = new Map<string, Asset | undefined>();
  const files = new Map<string, string>();
  const realRoot = statSync(root, { throwIfNoEntry: false }) ? realpathSync(root) : root;
  return {
    files,
    find(file) {
      const name = posix.normalize(file);
      if (!known.has(name)) known.set(name, look(realRoot, name, cache));
      const asset = known.get(name);
      if (asset) files.set(asset.address, asset.path);
      return asset;
    },
    forget() {
      known.clear();
      files.clear();
    },
  };
}

function look(root: string, name: string, cache: ContentCache): Asset | undefined {
  if (name.startsWith('..') || /(?:^|\/)\./.test(name) || isMarkdown(name)) return undefined;
  const path = join(root, name);
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat?.isFile()) return undefined;
  const real = realpathSync(path);
  // A link that leads out of the folder must not publish other files of the machine.
  if (!real.startsWith(`${root}/`) && !real.startsWith(`${root}\\`)) return undefined;
  const key = `asset ${path} ${stat.mtimeMs} ${stat.size}`;
  const noted = cache.note(key) ?? measured(path, key, cache);
  const [hash = '', width = 0, height = 0]: [string?, number?, number?] = JSON.parse(noted);
  const address = `/_content/${hash}/${cleanSegment(name.split('/').at(-1) ?? 'file')}`;
  return { address, path, ...(width > 0 && height > 0 && { width, height }) };
}

function measured(path: string, key: string, cache: ContentCache): string {
  const bytes = readFileSync(path);
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 10);
  const note = JSON.stringify([hash, ...sizeOf(bytes)]);
  cache.putNote(key, note);
  return note;
}

function sizeOf(bytes: Uint8Array): number[] {
  try {
    const { width, height } = imageSize(bytes);
    return [Math.round(width), Math.round(height)];
  } catch {
    return [];
  }
}
