import { posix } from 'node:path';
import type { LineOrigin } from './include.ts';

/** Finds from the lines of a page that has been put together to the files in which they are written. */
export interface Origins {
  /** Gives a place of the whole page the file and the line it is written in. */
  place(place: { line: number; file?: string }): void;
  /** The file that a line is written in; undefined for the page itself. */
  fileOf(line: number): string | undefined;
  /** Where relative links of a line lead from, seen from the folder of the page; undefined when from there. */
  folderOf(line: number): string | undefined;
}

/** Of a page without includes, every line is its own. */
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
