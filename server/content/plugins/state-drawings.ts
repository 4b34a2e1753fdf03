import type { Element, Root } from 'hast';
import { toString as textOf } from 'hast-util-to-string';
import type { VFile } from 'vfile';
import { drawStates } from '../drawings/draw-states.ts';
import { readStates } from '../drawings/read-states.ts';
import { readCodeMeta } from './code-meta.ts';
import { classes, element, isElement, property, replaceElements, text } from './elements.ts';
import { pageData } from './page-data.ts';

/**
 * Draws code blocks of the kind ```` ```mermaid states title="…" ````. It runs after the sanitiser, which rejects an
 * author's SVG: the drawing is ours, and contains only the author's names and labels, as text.
 */
export function stateDrawings() {
  return (tree: Root, file: VFile): void =>
    replaceElements(tree, (node) => {
      const code = statesOf(node);
      if (!code) return undefined;
      const graph = readStates(textOf(code).replace(/\n$/, ''));
      if ('problems' in graph) {
        const first = (node.position?.start.line ?? 1) + 1;
        for (const { line, problem } of graph.problems)
          pageData(file).faults.push({ line: first + line, column: 1, rule: 'state-drawing', message: problem });
        return undefined;
      }
      const title = readCodeMeta(property(code, 'dataMeta') ?? '').title ?? 'States';
      const scrolled = { className: ['wide-picture'], tabIndex: 0, role: 'region', ariaLabel: title };
      return [
        element('figure', { className: ['state-drawing'] }, [
          element('div', scrolled, [drawStates(graph, title)]),
          element('figcaption', {}, [text(title)]),
        ]),
      ];
    });
}

function statesOf(node: Element): Element | undefined {
  const [only] = node.children;
  if (node.tagName !== 'pre' || !isElement(only, 'code')) return undefined;
  const isStates = /(?:^|\s)states(?:\s|$)/.test(property(only, 'dataMeta') ?? '');
  return isStates && classes(only).includes('language-mermaid') ? only : undefined;
}
