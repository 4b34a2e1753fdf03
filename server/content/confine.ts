import { constants, lstatSync, realpathSync, type Stats } from 'node:fs';
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

/**
 * Where a file lies by now that lay at a real path when it was found. A link may have been set in its place, or on the
 * way to it, since; it is followed as one that was found.
 */
export function placeNow(root: string, path: string): RealPlace {
  if (isStillReal(path)) return { path };
  return isThere(path) ? realPlace(root, path) : { problem: 'is no longer there' };
}

/** True while no link has been set in the place of a real path, or on the way to it. */
export function isStillReal(path: string): boolean {
  return realOf(path) === path;
}

/** For a file whose real path has been looked at: no link is followed, and no pipe waited for. Windows has neither. */
export const openFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** True when what is open is what lies at a real path, and not what a link led to while it was opened. */
export function isOpenAt(path: string, open: Stats): boolean {
  const there = isStillReal(path) ? lstatSync(path, { throwIfNoEntry: false }) : undefined;
  return there?.ino === open.ino && there.dev === open.dev;
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
