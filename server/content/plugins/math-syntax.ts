import type { Nodes, PhrasingContent, Root } from 'mdast';
import remarkMath from 'remark-math';
import type { Processor } from 'unified';

/**
 * Adds remark-math for `$$` formulas, which are shown as written; `$` stays a currency sign. A formula that fills a
 * paragraph is a display formula.
 */
export function mathSyntax(this: Processor) {
  remarkMath.call(this, { singleDollarTextMath: false });
  return (tree: Root): void => display(tree);
}

function display(parent: Extract<Nodes, { children: unknown }>): void {
  const children: Nodes[] = parent.children;
  for (const [index, child] of children.entries()) {
    const formula = child.type === 'paragraph' ? onlyFormula(child.children) : undefined;
    if (formula) children[index] = formula;
    else if ('children' in child) display(child);
  }
}

function onlyFormula([first, ...rest]: PhrasingContent[]): Extract<Nodes, { type: 'math' }> | undefined {
  if (first?.type !== 'inlineMath' || rest.length > 0) return undefined;
  return { type: 'math', value: first.value, ...(first.position && { position: first.position }) };
}
