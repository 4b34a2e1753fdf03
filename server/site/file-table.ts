import { type Dirent, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { entriesBelow } from '../content/entries-below.ts';

/** A file that the site serves as is. */
export interface ServedFile {
  /** Absolute path. */
  file: string;
  cacheControl: string;
  /** For the log. */
  route: string;
  /** Absolute path of the same file, compressed by the build. */
  brotli?: string;
}

const forever = 'public, max-age=31536000, immutable';
const anHour = 'public, max-age=3600';

/** Every address of built and static files; the content's own files are added from the current content. */
export class FileTable {
  readonly #files = new Map<string, ServedFile>();

  constructor(clientDir: string, staticDirs: readonly string[]) {
    for (const dir of [...staticDirs].reverse()) {
      for (const [address, file] of filesBelow(dir))
        this.#files.set(address, { file, cacheControl: anHour, route: 'static' });
    }
    const built = new Map(filesBelow(clientDir));
    for (const [address, file] of built) {
      if (address.endsWith('.br')) continue;
      const brotli = built.get(`${address}.br`);
      // Vite puts a hash into the names below assets/.
      const hashed = address.startsWith('/assets/');
      this.#files.set(address, {
        file,
        cacheControl: hashed ? forever : anHour,
        route: hashed ? '/assets/*' : 'static',
        ...(brotli !== undefined && { brotli }),
      });
    }
  }

  find(path: string, contentFiles: ReadonlyMap<string, string>): ServedFile | undefined {
    const own = this.#files.get(path);
    if (own) return own;
    const file = contentFiles.get(path);
    if (file === undefined) return undefined;
    const hashed = path.startsWith('/_content/');
    return { file, cacheControl: hashed ? forever : anHour, route: hashed ? '/_content/*' : 'content file' };
  }
}

/** Address and absolute path of every file in a folder; a missing folder has none. */
function filesBelow(folder: string): [address: string, file: string][] {
  let dir: string;
  let entries: Dirent[];
  try {
    // Real paths, so a link created later can be recognised.
    dir = realpathSync(folder);
    entries = entriesBelow(dir);
  } catch {
    return [];
  }
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file): [string, string] => [`/${file.slice(join(dir, sep).length).split(sep).join('/')}`, file])
    .filter(([address]) => !/\/\.(?!well-known\/)/.test(address));
}
