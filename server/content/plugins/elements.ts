import type { Element, ElementContent, Nodes, Properties, Root } from 'hast';

/** Creates an element. */
export function element(tagName: string, properties: Properties, children: ElementContent[] = []): Element {
  return { type: 'element', tagName, properties, children };
}

/** Creates a text node. */
export function text(value: string): ElementContent {
  return { type: 'text', value };
}

/** True for an element with one of the names. */
export function isElement<N extends string>(node: Nodes | undefined, ...names: N[]): node is Element & { tagName: N } {
  return node?.type === 'element' && names.some((name) => name === node.tagName);
}

/** True for text that contains only blanks. */
export function isBlank(node: Nodes): boolean {
  return node.type === 'text' && !/\S/.test(node.value);
}

/** A property as text. */
export function property(node: Element, name: string): string | undefined {
  const value = node.properties[name];
  return typeof value === 'string' ? value : undefined;
}

/** An element's classes. */
export function classes(node: Element): string[] {
  const value = node.properties.className;
  return Array.isArray(value) ? value.map(String) : [];
}

/** Replaces the elements for which `change` returns nodes, innermost first. */
export function replaceElements(parent: Root | Element, change: (node: Element) => ElementContent[] | undefined): void {
  const children: Root['children'] = [];
  for (const child of parent.children) {
    if (child.type === 'element') replaceElements(child, change);
    const replaced = child.type === 'element' ? change(child) : undefined;
    if (replaced) children.push(...replaced);
    else children.push(child);
  }
  parent.children = children as typeof parent.children;
}

/**
 * Calls `see` for every element, outer ones first; plain recursion, because a general visitor takes a third of the
 * compile time.
 */
export function eachElement(parent: Root | Element, see: (node: Element) => void): void {
  for (const child of parent.children) {
    if (child.type !== 'element') continue;
    see(child);
    eachElement(child, see);
  }
}
