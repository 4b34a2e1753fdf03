import type { Element, ElementContent, Root } from 'hast';
import { type AdmonitionKind, admonitionKind } from './admonition-kinds.ts';
import { element, isBlank, isElement, property, replaceElements, text } from './elements.ts';

/**
 * Turns md-admonition, and GitHub's `> [!NOTE]`, into asides. Every admonition has a title: its own, or its kind's
 * name.
 */
export function admonitions() {
  return (tree: Root): void => {
    replaceElements(tree, (node) => {
      if (isElement(node, 'blockquote')) return fromAlert(node);
      if (!isElement(node, 'md-admonition')) return undefined;
      const kind = admonitionKind(property(node, 'kind') ?? '') ?? 'note';
      const { label, rest } = takeLabel(node);
      return [admonition(kind, label ?? titleOf(node), rest)];
    });
  };
}

/** An element's md-label and its children without it; a label that is a paragraph loses the paragraph. */
export function takeLabel(node: Element): { label?: ElementContent[]; rest: ElementContent[] } {
  const index = node.children.findIndex((child) => !isBlank(child));
  const first = node.children[index];
  if (!isElement(first, 'md-label')) return { rest: node.children };
  const inner = first.children.filter((child) => !isBlank(child));
  const only = inner.length === 1 ? inner[0] : undefined;
  return { label: isElement(only, 'p') ? only.children : first.children, rest: node.children.slice(index + 1) };
}

function admonition(kind: AdmonitionKind, title: ElementContent[] | undefined, children: ElementContent[]): Element {
  const heading = title ?? [text(capital(kind))];
  return element('aside', { className: ['admonition', `admonition-${kind}`], role: 'note' }, [
    element('p', { className: ['admonition-title'] }, heading),
    ...children,
  ]);
}

function capital(word: string): string {
  return `${word[0]?.toUpperCase()}${word.slice(1)}`;
}

function titleOf(node: Element): ElementContent[] | undefined {
  const title = property(node, 'title');
  return title ? [text(title)] : undefined;
}

function fromAlert(quote: Element): ElementContent[] | undefined {
  const paragraph = quote.children.find((child) => !isBlank(child));
  if (!isElement(paragraph, 'p')) return undefined;
  const first = paragraph.children[0];
  if (first?.type !== 'text') return undefined;
  // Obsidian folds one with `-` or `+`, and uses the words after it as its title.
  const found = /^\s*\[!(\w+)\][+-]?[ \t]*/.exec(first.value);
  if (!found?.[1]) return undefined;
  const kind = admonitionKind(found[1]);
  first.value = first.value.slice(found[0].length);
  const { line, rest } = firstLine(paragraph.children);
  paragraph.children = rest;
  const hasText = rest.some((child) => !isBlank(child));
  const body = quote.children.filter((child) => hasText || child !== paragraph);
  // Unknown kinds are notes titled with their name.
  const title = line.some((child) => !isBlank(child)) ? line : kind ? undefined : [text(capital(found[1]))];
  return [admonition(kind ?? 'note', title, body)];
}

/** Cuts inline content at its first line break. */
function firstLine(children: ElementContent[]): { line: ElementContent[]; rest: ElementContent[] } {
  const index = children.findIndex((child) => child.type === 'text' && child.value.includes('\n'));
  const broken = children[index];
  if (broken?.type !== 'text') return { line: children, rest: [] };
  const cut = broken.value.indexOf('\n');
  return {
    line: [...children.slice(0, index), text(broken.value.slice(0, cut))],
    rest: [{ ...broken, value: broken.value.slice(cut + 1) }, ...children.slice(index + 1)],
  };
}
