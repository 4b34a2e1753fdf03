import { normalise } from '../content/dialects/normalise.ts';

/** The markdown that a source becomes, without empty lines. */
export function markdownLines(source: string, isMdx = false): string[] {
  return normalise(source, isMdx)
    .markdown.split('\n')
    .filter((line) => line.trim() !== '');
}

/** The faults of a source, as `line:column message`. */
export function toldOf(source: string, isMdx = false): string[] {
  return normalise(source, isMdx).faults.map(({ line, column, message }) => `${line}:${column} ${message}`);
}
