import { join, posix } from 'node:path';
import { realPlace } from '../confine.ts';
import { readText } from '../read-text.ts';
import { isFile } from '../sources.ts';
import { type PartFront, partFront } from './part-front.ts';

export interface IncludedFile {
  /** Below the content folder, as found. */
  file: string;
  /** Real path; used to detect circles. */
  path: string;
  text: string;
  front: PartFront;
}

/** Returns the first candidate that is a file, or why there is none, as the end of a sentence. */
export type ReadInclude = (candidates: readonly string[]) => Looked;

type Looked = IncludedFile | { problem: string };

// Files are kept in memory until all pages of a start are assembled; a tree with more text reads some twice.
const maxKept = 32_000_000;

/**
 * Creates a reader of included files for one load or reload: inside the content folder by real path, each once, and
 * limited in size.
 */
export function createIncludeReader(root: string): ReadInclude {
  const known = new Map<string, Looked>();
  let kept = 0;
  return (candidates) => {
    let problem: { problem: string } = { problem: 'does not exist' };
    for (const file of new Set(candidates.map((candidate) => posix.normalize(candidate)))) {
      const found = known.get(file) ?? lookOnce(file);
      if ('text' in found) return found;
      if (found.problem !== 'points to nothing') problem = found;
    }
    return problem;
  };

  function lookOnce(file: string): Looked {
    const found = look(root, file);
    kept += 'text' in found ? found.text.length : 0;
    if (kept > maxKept) {
      known.clear();
      kept = 0;
    }
    known.set(file, found);
    return found;
  }
}

function look(root: string, file: string): Looked {
  if (file === '..' || file.startsWith('../')) return { problem: 'points outside the content folder' };
  const place = realPlace(root, join(root, file));
  if ('problem' in place) return place;
  if (!isFile(place.path)) return { problem: 'is not a file' };
  const read = readText(place.path);
  if ('problem' in read) return read;
  if (read.text.includes('\0')) return { problem: 'is not text' };
  const text = read.text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  return { file, path: place.path, text, front: partFront(file, text) };
}
