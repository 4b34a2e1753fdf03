import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { realInside } from '../content/confine.ts';

const largest = 1000;

/**
 * Address of a brand's icon: the drawing itself when it is small, since a file would cost every first visit one more
 * request.
 * @param folders of static files, the first that has `favicon-<brand>.svg` counts
 */
export function iconOf(brand: string, folders: readonly string[]): string {
  const name = `favicon-${brand}.svg`;
  const file = folders.map((folder) => realInside(folder, join(folder, name))).find((found) => found !== undefined);
  const drawing = file ? readFileSync(file, 'utf8').trim() : '';
  if (drawing === '' || drawing.length > largest) return `/${name}`;
  return `data:image/svg+xml,${drawing.replace(/\s+/g, ' ').replace(/[%#<>"]/g, encodeURIComponent)}`;
}
