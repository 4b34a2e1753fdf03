import { type Dialect, indentOf, type Line, lineAt } from './lines.ts';

const tagStart = /^\s*<CodeBlock\b/;
const opening = /^\s*<CodeBlock\b((?:"[^"]*"|'[^']*'|\{[^{}]*\}|[^'"{}<>])*)>/;
const closing = /<\/CodeBlock>\s*$/;
const longest = 500;

/** Docusaurus' `<CodeBlock>` becomes a code block when its code is given as text or as a single literal. */
export const codeComponent: Dialect = (lines) => {
  const made: Line[] = [];
  for (let index = 0; index < lines.length; ) {
    const end = endOf(lines, index);
    const block = end && codeBlock(lines.slice(index, end));
    made.push(...(block || lines.slice(index, index + 1)));
    index = block && end ? end : index + 1;
  }
  return made;
};

/** The line after the block that starts at a line. */
function endOf(lines: readonly Line[], start: number): number | undefined {
  const first = lines[start];
  if (!first || first.code || !tagStart.test(first.text)) return undefined;
  const length = lines.slice(start, start + longest).findIndex(({ text }) => closing.test(text));
  return length < 0 ? undefined : start + length + 1;
}

function codeBlock(lines: Line[]): Line[] | undefined {
  const source = lines.map(({ text }) => text).join('\n');
  const [open, words = ''] = opening.exec(source) ?? [];
  if (open === undefined) return undefined;
  const held = source.slice(open.length).replace(closing, '').trim();
  const code = /^\{\s*(?:`([^`]*)`|'([^'\n]*)'|"([^"\n]*)")\s*\}$/
    .exec(held)
    ?.slice(1)
    .find((part) => part !== undefined);
  const [first] = lines;
  if (!first || (code ?? '').includes('${') || (code === undefined && /[{<]/.test(held))) return undefined;
  const language = /\blanguage=["']([^"']*)["']|\blanguage-([\w+#-]+)/.exec(words)?.slice(1).find(Boolean) ?? '';
  const title = /\btitle=(?:"[^"]*"|'[^']*')/.exec(words)?.[0];
  const numbers = /\bshowLineNumbers\b/.exec(words)?.[0];
  const indent = indentOf(first.text);
  const fence = `${indent}\`\`\`\`${[language, title, numbers].filter(Boolean).join(' ')}`;
  const texts = [fence, ...(code ?? held).replace(/^\n|\n$/g, '').split('\n'), `${indent}\`\`\`\``];
  return texts.map((text) => ({ ...lineAt(first, text), code: true }));
}
