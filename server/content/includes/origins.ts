import { posix } from 'node:path';
import type { LineOrigin } from './include.ts';

/** Maps the lines of an assembled page to the files in which they are written. */
export interface Origins {
  /** Adds to a place in the whole page the file and line where it is written. */
  place(place: { line: number; file?: string }): void;
  /** The file in which a line is written; undefined for the page itself. */
  fileOf(line: number): string | undefined;
  /**
   * The folder that a line's relative links start from, relative to the page's folder; undefined when it is the same.
   */
  folderOf(line: number): string | undefined;
}

/** For a page without includes, every line is its own. */
export function createOrigins({ file, origins }: { file: string; origins?: readonly LineOrigin[] }): Origins {
  return {
    place(place) {
      const origin = origins?.[place.line - 1];
      if (!origin) return;
      place.line = origin.at;
      if (origin.file !== undefined) place.file = origin.file;
    },
    fileOf: (line) => origins?.[line - 1]?.file,
    folderOf(line) {
      const origin = origins?.[line - 1];
      if (!origin?.ownLinks || origin.file === undefined) return undefined;
      return posix.relative(posix.dirname(file), posix.dirname(origin.file)) || undefined;
    },
  };
}
