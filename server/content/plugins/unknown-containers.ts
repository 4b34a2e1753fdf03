import type { Nodes, Root } from 'mdast';
import type { VFile } from 'vfile';
import { isContainer } from './container-names.ts';
import { isMdcComponent } from './mdc-handlers.ts';
import { pageData } from './page-data.ts';

/** Reports unsupported `:::name` blocks and MDC components; runs on markdown, where they still have names. */
export function unknownContainers() {
  return (tree: Root, file: VFile): void => visit(tree, file);
}

function visit(node: Nodes, file: VFile): void {
  const unknown = unknownName(node);
  if (unknown) {
    const { line, column } = node.position?.start ?? { line: 1, column: 1 };
    const lost = unknown.holdsNothing ? 'its content is missing' : 'only its content is shown';
    const message = `The ${unknown.name} is not supported: ${lost}.`;
    pageData(file).faults.push({ line, column, rule: 'unknown-component', message });
  }
  if ('children' in node) for (const child of node.children) visit(child, file);
}

function unknownName(node: Nodes): { name: string; holdsNothing: boolean } | undefined {
  if (node.type === 'containerDirective' && !isContainer(node.name))
    return { name: `block :::${node.name}`, holdsNothing: false };
  if (node.type !== 'containerComponent' && node.type !== 'textComponent') return undefined;
  // Without properties, `:word` in a line is text.
  const isText = node.type === 'textComponent' && Object.keys(node.attributes ?? {}).length === 0;
  if (isText || isMdcComponent(node.name)) return undefined;
  return { name: `component ${node.name}`, holdsNothing: node.children.length === 0 };
}
