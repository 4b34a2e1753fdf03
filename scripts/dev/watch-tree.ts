import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { readTree } from './read-tree.ts';

/** A file below the watched folder that was added, changed or removed. */
export interface Change {
  file: string;
  /** A link to a folder: what is there depends on its target. */
  isLink: boolean;
}

export interface TreeWatch {
  /** What differs from the last call, or from the start. */
  changes(): Change[];
  /** Calls back after anything may have changed. */
  onTouch(callback: () => void): void;
  close(): void;
}

/**
 * Watches a content folder. Events only say when to look: watchers of files lose a folder that a rename replaces, with
 * everything saved in it later. So only folders are watched, and a comparison of all files tells what changed.
 */
export function watchTree(root: string): TreeWatch {
  const watchers = new Map<string, FSWatcher>();
  let touched = (): void => undefined;
  let known = look();

  function look() {
    const kept = new Set<string>();
    // The folder itself may be a link that is replaced.
    follow(dirname(root), 'above', (name) => name === basename(root));
    const found = readTree(root, (path, { dev, ino }) => follow(path, `${path} ${dev} ${ino}`));
    for (const [key, watcher] of watchers) {
      if (kept.has(key)) continue;
      watcher.close();
      watchers.delete(key);
    }
    return found;

    function follow(path: string, key: string, concerns = (_name: string | null) => true): void {
      kept.add(key);
      if (!watchers.has(key))
        watchers.set(
          key,
          watch(path, (_, name) => concerns(name) && touched()),
        );
    }
  }

  return {
    changes() {
      const before = known;
      known = look();
      return [...new Set([...before.keys(), ...known.keys()])]
        .map((file) => ({ file, was: before.get(file), is: known.get(file) }))
        .filter(({ was, is }) => was?.mark !== is?.mark)
        .map(({ file, was, is }) => ({ file, isLink: was?.isLink === true || is?.isLink === true }));
    },
    onTouch(callback) {
      touched = callback;
    },
    close() {
      for (const watcher of watchers.values()) watcher.close();
    },
  };
}
