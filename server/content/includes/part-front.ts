import type { Fault } from '../fault.ts';
import { beginsWithKey, fencedBlock, unclosedFront } from '../front-block.ts';
import { readYaml } from '../yaml.ts';

export interface PartFront {
  /** How many lines at the start are front matter, which is not part of the page. */
  lines: number;
  /** Why what begins as front matter stays in the text. */
  faults: Fault[];
}

/** The front matter of an included file. Text between two rules is none: as a page it would be a fault. */
export function partFront(file: string, text: string): PartFront {
  const none = { lines: 0, faults: [] };
  if (!/\.(?:md|mdx|markdown)$/i.test(file)) return none;
  // The last fence may be the end of the file.
  const source = `${text}\n`;
  const block = fencedBlock(source);
  if (block === undefined) {
    const message = unclosedFront(source);
    return message === undefined
      ? none
      : { lines: 0, faults: [{ file, line: 1, column: 1, rule: 'front-matter', message }] };
  }
  const rows = block.split('\n');
  const all = { lines: rows.length - 1, faults: [] };
  if (block.startsWith('+++')) return all;
  const { raw, faults } = readYaml(rows.slice(1, -2).join('\n'), { file, firstLine: 2 });
  if (faults.length > 0) return { lines: 0, faults: beginsWithKey(source) ? faults : [] };
  // A comment alone is also a heading, which has empty lines around it between two rules.
  const isFront = raw === null ? !/\n[ \t]*\n/.test(block) : typeof raw === 'object' && !Array.isArray(raw);
  return isFront ? all : none;
}
