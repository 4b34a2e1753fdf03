import type { Html } from 'mdast';

// Blocks of code, comments, elements whose lines are not markdown (code, programs, drawings, cells), and tags.
const notText = new RegExp(
  [
    '^ {0,3}(`{3,}|~{3,})[^`\\n]*\\n[^]*?(?:^ {0,3}\\1|(?![^]))',
    '<!--[^]*?(?:-->|(?![^]))',
    '<(pre|code|script|style|textarea|svg|math|table|td|th)(?=[\\s>])[^]*?(?:</\\2\\s*>|(?![^]))',
    '</?[a-z][^<>]*>',
  ].join('|'),
  'gim',
);
const block = /^ {0,3}(?:#{1,6}[ \t]+\S|:{3,}[ \t]*[a-z]|(?:`{3,}|~{3,})[^`]*$|-[ \t]+\S|1[.)][ \t]+\S|\|)/i;
const delimiters = /^ {0,3}\|?(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*(?::?-+:?)?[ \t]*$/;

/**
 * Lines that an author meant as markdown right below an HTML tag, from 0: HTML lasts up to the next empty line. Of the
 * lines that one empty line would turn into markdown, the first.
 */
export function markdownInHtml({ value }: Html): number[] {
  const lines = value.replace(notText, masked).split('\n');
  let inMarkdown = true;
  return lines.flatMap((line, index) => {
    if (/^\s*</.test(line)) inMarkdown = false;
    const [start] = inMarkdown ? [] : (block.exec(line) ?? []);
    if (start === undefined || (start.endsWith('|') && !delimiters.test(lines[index + 1] ?? ''))) return [];
    inMarkdown = true;
    return [index];
  });
}

/** Keeps what a block starts with, and hides the rest. */
function masked(block: string): string {
  const [start = ''] = /^(?:<|.*)/.exec(block) ?? [];
  return start + block.slice(start.length).replace(/./g, 'x');
}
