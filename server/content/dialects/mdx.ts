import { bracketBalance } from './brackets.ts';
import { codeComponent } from './code-component.ts';
import { statementLines } from './esm.ts';
import type { JsxPage } from './jsx-render.ts';
import { withoutExpressions } from './jsx-scan.ts';
import { type Dialect, indentOf, type Line, lineAt, type Tell } from './lines.ts';

const statement =
  /^(?:import\s+(?:[\w*{][^'"`]*\s+from\s+)?['"]|import\s+[\w*][^'"`]*\sfrom\s*$|import\s*\{|export\s+(?:const|let|var|function|default|class|async|\{|\*))/;
const blockTag =
  '(?:md-[a-z-]+|details|summary|div|section|article|figure|figcaption|table|thead|tbody|tfoot|tr|td|th|p|ul|ol|li|dl|dt|dd|center|blockquote|small|h[1-6])';
const tagLine = new RegExp(`^\\s*<\\/?${blockTag}\\b(?:[^<>]*>|.*<\\/${blockTag}>)\\s*$`);

const oneLine = new RegExp(`^(\\s*)(<(${blockTag})\\b[^<>]*>)(.*[\\]*_\`].*)(<\\/\\3>)\\s*$`);
const tags = /(<\/?md-[a-z-]+\b[^<>]*>)/;
const tagsOfRow = /(<\/?(?:md-[a-z-]+|tr|t[dh])\b[^<>]*>)/;
const paragraph = /^(\s*(?:[-*+]\s+|\d+[.)]\s+)?)<p\b[^<>]*>(.*)<\/p>\s*$/;

/** True when a .md file is written as MDX, which Docusaurus allows. */
export function looksLikeMdx(lines: Line[]): boolean {
  const prose = lines.filter((line) => !line.code);
  // A Vue page keeps its imports inside a script element.
  if (prose.some((line) => /^<script\b/.test(line.text))) return false;
  return prose.some(({ text }) =>
    /^import\s.*\sfrom\s+['"]|^\s*<(?:Tabs|TabItem|Admonition)[\s>]|<\w[^<>]*\s(?:style=\{\{|className=)|\{\/\*/.test(
      text.includes('`') ? text.replace(/(?<!`)(`+)[^`].*?\1/g, '') : text,
    ),
  );
}

/**
 * MDX as markdown: statements and expressions are removed, components we know become md-* elements, others leave their
 * children.
 */
export const mdx: Dialect = (lines, tell) => {
  const page: JsxPage = { assets: importedAssets(lines), tabs: [] };
  return stretches(codeComponent(withoutStatements(lines, tell), tell)).flatMap((stretch) =>
    stretch[0]?.code ? stretch : prose(stretch, page, tell),
  );
};

const importedAsset = /^import\s+(\w+)\s+from\s+['"]([^'"]+\.(?:png|jpe?g|gif|svg|webp|avif|pdf|zip))['"]/;

/** Pictures and files that a page refers to by a variable. */
function importedAssets(lines: Line[]): Map<string, string> {
  return new Map(
    lines.flatMap(({ code, text }) => {
      const [, name, path] = (code ? undefined : importedAsset.exec(text)) ?? [];
      return name && path ? [[name, path]] : [];
    }),
  );
}

/** Import and export statements are removed; empty lines take their place. */
function withoutStatements(lines: Line[], tell: Tell): Line[] {
  const countLines = statementLines(lines);
  let end = 0;
  return lines.map((line, index) => {
    if (index >= end && !line.code && statement.test(line.text))
      end = index + (countLines(index) || bracketedLines(lines, index, tell));
    return index < end ? lineAt(line, '') : line;
  });
}

/** How many lines a statement takes that is not JavaScript, e.g. with types: up to its closing brackets. */
function bracketedLines(lines: readonly Line[], first: number, tell: Tell): number {
  let depth = 0;
  for (let index = first; index < lines.length; index += 1) {
    const { text = '' } = lines[index] ?? {};
    depth += bracketBalance(text);
    if (depth <= 0 && !/(?:[=(,]|=>|\bfrom)\s*$/.test(text)) return index + 1 - first;
  }
  const [line] = lines.slice(first);
  if (line)
    tell(
      line,
      1,
      'unclosed',
      'This statement is never closed, so it contains everything after it: close its brackets.',
    );
  return lines.length - first;
}

/** Adjacent lines of one kind: code, or text. */
function stretches(lines: Line[]): Line[][] {
  const made: Line[][] = [];
  for (const line of lines) {
    const last = made.at(-1);
    if (last && last[0]?.code === line.code) last.push(line);
    else made.push([line]);
  }
  return made;
}

function prose(lines: Line[], page: JsxPage, tell: Tell): Line[] {
  const source = lines.map((line) => line.text).join('\n');
  const scan = {
    ...page,
    tell(index: number, ...fault: [Parameters<Tell>[2], string]) {
      const before = source.slice(0, index).split('\n');
      const line = lines[before.length - 1];
      if (line) tell(line, (before.at(-1)?.length ?? 0) + 1, ...fault);
    },
  };
  const texts = withoutExpressions(source, scan).split('\n');
  return lines.flatMap((line, index) => separated(lineAt(line, texts[index] ?? '')));
}

function holdsMarkdownCell(text: string): boolean {
  return /^\s*<t[rdh]\b/.test(text) && /[\]*_`]/.test(text.replace(/<[^<>]*>/g, ''));
}

/** Tags get lines of their own with empty lines around them, so the text between them is read as markdown. */
function separated(line: Line): Line[] {
  const indent = indentOf(line.text);
  const parts = line.text.split(holdsMarkdownCell(line.text) ? tagsOfRow : tags).filter((part) => part.trim() !== '');
  if (parts.length > 1) return parts.flatMap((part) => separated({ ...line, text: indent + part.trim() }));
  if (!tagLine.test(line.text) && !paragraph.test(line.text)) return [line];
  const [, start, text] = paragraph.exec(line.text) ?? [];
  if (text !== undefined) return [{ ...line, text: `${start}${text}` }];
  // Markdown between two tags on one line is read as such once it has its own line.
  const [, , open, , words, close] = oneLine.exec(line.text) ?? [];
  if (open && words && close)
    return [open, words.trim(), close]
      .flatMap((part) => [lineAt(line, ''), lineAt(line, indent + part)])
      .concat(lineAt(line, ''));
  return [lineAt(line, ''), line, lineAt(line, '')];
}
