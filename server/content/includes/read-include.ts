import { join, posix } from 'node:path';
import { realPlace } from '../confine.ts';
import { readText } from '../read-text.ts';
import { isFile } from '../sources.ts';

export interface IncludedFile {
  /** Below the content folder, as it is found. */
  file: string;
  /** Real; tells circles. */
  path: string;
  text: string;
}

/** Answers with the first of the places that holds a file, or with why there is none, as the end of a sentence. */
export type ReadInclude = (candidates: readonly string[]) => Looked;

type Looked = IncludedFile | { problem: string };

// What is read is kept until all pages of a start have been put together; a tree with more of it reads some twice.
const maxKept = 32_000_000;

/**
 * Creates a reader of included files for one load or reload: inside the content folder by real path, each once,
 * bounded in size.
 */
export function createIncludeReader(root: string): ReadInclude {
  const known = new Map<string, Looked>();
  let kept = 0;
  return (candidates) => {
    let problem: { problem: string } = { problem: 'does not exist' };
    for (const file of new Set(candidates.map((candidate) => posix.normalize(candidate)))) {
      const found = known.get(file) ?? lookOnce(file);
      if ('text' in found) return found;
      if (found.problem !== 'leads nowhere') problem = found;
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
  if (file === '..' || file.startsWith('../')) return { problem: 'leads out of the content folder' };
  const place = realPlace(root, join(root, file));
  if ('problem' in place) return place;
  if (!isFile(place.path)) return { problem: 'is no file' };
  const read = readText(place.path);
  if ('problem' in read) return read;
  if (read.text.includes('\0')) return { problem: 'is no text' };
  return { file, path: place.path, text: read.text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n') };
}
