import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Everything below a folder. Links are listed but not followed, as Node's own recursive listing follows them: two that
 * point to their own folder would keep it busy for good.
 */
export function entriesBelow(folder: string): Dirent[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [entry, ...entriesBelow(join(folder, entry.name))] : [entry],
  );
}
