import { lstatSync, realpathSync } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';

export type RealPlace = { path: string } | { problem: string };

/**
 * Where a path below a folder really lies, all links followed. Authors may set links inside the content folder; what
 * lies outside of it, or hidden in it, is not theirs to publish.
 * @returns the real path, or why nothing there may be read, as the end of a sentence
 */
export function realPlace(root: string, path: string): RealPlace {
  const folder = realOf(root);
  const real = realOf(path);
  if (folder === undefined || real === undefined) return { problem: 'leads nowhere' };
  const below = relative(folder, real);
  if (isAbsolute(below) || below === '..' || below.startsWith(`..${sep}`))
    return { problem: 'leads out of the content folder' };
  // Kubernetes mounts files as links into a folder `..data`; names with one dot are hidden, such as .git and .env.
  if (below.split(sep).some((name) => /^\.[^.]/.test(name))) return { problem: 'leads to a hidden file' };
  return { path: real };
}

/** The real path, or undefined when there is nothing, or nothing that may be looked at. */
export function realInside(root: string, path: string): string | undefined {
  const place = realPlace(root, path);
  return 'path' in place ? place.path : undefined;
}

/** Whether a real path still leads where it did: a link may have been set in its place since. */
export function isStillReal(path: string): boolean {
  return realOf(path) === path;
}

/** True for whatever has this name, a link that leads nowhere among them. */
export function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    // On the way to it is a file where a folder belongs.
    if (error instanceof Error && 'code' in error && error.code === 'ENOTDIR') return false;
    throw error;
  }
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}
