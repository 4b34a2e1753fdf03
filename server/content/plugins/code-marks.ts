import type { CodeMeta } from './code-meta.ts';

const comment = String.raw`^\s*(?://|#|--|;|%|<!--|/\*|\{/\*)\s*`;
const lineMark = new RegExp(`${comment}highlight-(next-line|start|end)\\s*(?:-->|\\*/\\}?)?\\s*$`);
const endMark =
  /\s*(?:\/\/|#|--|;|<!--|\/\*)\s*\[!code (highlight|hl|\+\+|--|focus|warning|error)(?::\d+)?\]\s*(?:-->|\*\/)?\s*$/;

/**
 * Removes highlight comments from code and adds their lines to the meta: Docusaurus (`// highlight-next-line`) and
 * VitePress (`// [!code ++]`).
 */
export function takeCodeMarks(code: string, meta: CodeMeta): string {
  if (!code.includes('highlight-') && !code.includes('[!code')) return code;
  const kept: string[] = [];
  let inBlock = false;
  let next = false;
  for (const line of code.split('\n')) {
    const mark = lineMark.exec(line)?.[1];
    if (mark) {
      next = mark === 'next-line';
      if (mark !== 'next-line') inBlock = mark === 'start';
      continue;
    }
    kept.push(takeEndMark(line, kept.length + 1, meta));
    if (next || inBlock) meta.marked.add(kept.length);
    next = false;
  }
  return kept.join('\n');
}

function takeEndMark(line: string, number: number, meta: CodeMeta): string {
  const found = endMark.exec(line);
  if (!found) return line;
  const set = found[1] === '++' ? meta.added : found[1] === '--' ? meta.removed : meta.marked;
  set.add(number);
  return line.slice(0, found.index);
}
