import type { Element, ElementContent, Root } from 'hast';
import { toString as textOf } from 'hast-util-to-string';
import type { Highlighter, Token } from '../highlighter.ts';
import { takeCodeMarks } from './code-marks.ts';
import { type CodeMeta, readCodeMeta } from './code-meta.ts';
import { classes, eachElement, element, isBlank, isElement, property, replaceElements, text } from './elements.ts';
import { shownRust } from './rust-lines.ts';

/**
 * Turns code blocks into figures with a title, lines, line marks and classed tokens, and marks all code as not to be
 * translated. Grammars are loaded once per page, then every block is coloured.
 */
export function codeBlocks(options: { highlighter: Highlighter }) {
  return async (tree: Root): Promise<void> => {
    const languages = new Set<string>();
    eachElement(tree, (node) => {
      const code = codeOf(node);
      if (code) languages.add(languageOf(code));
    });
    await options.highlighter.load(languages);
    replaceElements(tree, (node) => {
      const code = codeOf(node);
      return code && [figure(code, options.highlighter)];
    });
    // A browser that translates the page would translate keywords and commands too.
    eachElement(tree, (node) => {
      if (node.tagName === 'code') node.properties.translate = 'no';
    });
  };
}

function codeOf(node: Element): Element | undefined {
  if (node.tagName !== 'pre') return undefined;
  const inner = node.children.filter((child) => !isBlank(child));
  const only = inner.length === 1 ? inner[0] : undefined;
  return isElement(only, 'code') ? only : undefined;
}

/** `js:line-numbers` and `js{1,3}` mean the language js, and so does `{ .js .other }`. */
function languageOf(code: Element): string {
  const written = classes(code).find((one) => one.startsWith('language-')) ?? 'language-text';
  const name = written === 'language-{' ? `${written}${(property(code, 'dataMeta') ?? '').trimStart()}` : written;
  return /^language-\{?\.?([\w+#.-]*)/.exec(name)?.[1]?.toLowerCase() || 'text';
}

function figure(code: Element, highlighter: Highlighter): Element {
  const language = languageOf(code);
  const glued = /^language-[^{:]*([{:].*)$/.exec(classes(code)[0] ?? '')?.[1] ?? '';
  const meta = readCodeMeta(`${glued} ${property(code, 'dataMeta') ?? ''}`);
  const written = textOf(code).replace(/\n$/, '');
  const source = takeCodeMarks(language === 'rust' ? shownRust(written) : written, meta);
  const lines = highlighter.tokens(source, language) ?? source.split('\n').map((line) => [{ text: line }]);
  const body = element('pre', { tabIndex: 0 }, [element('code', {}, lineElements(lines, meta))]);
  const title = meta.title ? [element('figcaption', {}, [text(meta.title)])] : [];
  const className = ['code', ...(meta.numbers ? ['line-numbers'] : [])];
  return element('figure', { className, dataLanguage: language }, [...title, body]);
}

function lineElements(lines: Token[][], meta: CodeMeta): ElementContent[] {
  return lines.flatMap((tokens, index) => {
    const marks = (['marked', 'added', 'removed'] as const).filter((mark) => meta[mark].has(index + 1));
    const line = element('span', { className: ['line', ...marks] }, tokens.map(tokenElement));
    return index < lines.length - 1 ? [line, text('\n')] : [line];
  });
}

function tokenElement(token: Token): ElementContent {
  return token.kind ? element('span', { className: [`tok-${token.kind}`] }, [text(token.text)]) : text(token.text);
}
