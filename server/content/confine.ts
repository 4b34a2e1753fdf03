import { constants, lstatSync, realpathSync, type Stats } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';

export type RealPlace = { path: string } | { problem: string };

/**
 * The real location of a path below a folder, with all links resolved. Authors may create links inside the content
 * folder, but they are not allowed to publish what is outside it or hidden in it.
 * @returns the real path, or why nothing there may be read, as the end of a sentence
 */
export function realPlace(root: string, path: string): RealPlace {
  const folder = realOf(root);
  const real = realOf(path);
  if (folder === undefined || real === undefined) return { problem: 'points to nothing' };
  const below = relative(folder, real);
  if (isAbsolute(below) || below === '..' || below.startsWith(`..${sep}`))
    return { problem: 'points outside the content folder' };
  // Kubernetes mounts files as links into a folder `..data`; names with one dot are hidden, such as .git and .env.
  if (
    withoutGitbookFolder(below)
      .split(sep)
      .some((name) => /^\.[^.]/.test(name))
  )
    return { problem: 'points to a hidden file' };
  return { path: real };
}

/** A path whose hidden names are not allowed, without the folder in which GitBook keeps its pictures. */
export function withoutGitbookFolder(file: string): string {
  return file.replace(/(^|[/\\])\.gitbook[/\\]assets[/\\]/, '$1');
}

/** The real path, or undefined when there is nothing, or nothing that may be read. */
export function realInside(root: string, path: string): string | undefined {
  const place = realPlace(root, path);
  return 'path' in place ? place.path : undefined;
}

/**
 * The current location of a file that was at a real path when it was found. Since then, a link may have replaced it or
 * a folder above it; that link is followed as if it had been there from the start.
 */
export function placeNow(root: string, path: string): RealPlace {
  if (isStillReal(path)) return { path };
  return isThere(path) ? realPlace(root, path) : { problem: 'no longer exists' };
}

/** True while no link has replaced a real path or a folder above it. */
export function isStillReal(path: string): boolean {
  return realOf(path) === path;
}

/**
 * For a file whose real path has been checked: no link is followed, and no pipe is waited for. Windows has neither
 * flag.
 */
export const openFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** True when the open file is the one at a real path, and not one that a link pointed to while it was opened. */
export function isOpenAt(path: string, open: Stats): boolean {
  const there = isStillReal(path) ? lstatSync(path, { throwIfNoEntry: false }) : undefined;
  return there?.ino === open.ino && there.dev === open.dev;
}

/** True for anything with this name, including a dangling link. */
export function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    // A file is in the way where a folder is expected.
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
