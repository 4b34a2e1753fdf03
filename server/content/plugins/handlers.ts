import type { Element, ElementContent } from 'hast';
import type { Code, Nodes } from 'mdast';
import type { ContainerDirective } from 'mdast-util-directive';
import type { Options } from 'remark-rehype';
import { admonitionKind } from './admonition-kinds.ts';
import { element, isElement, text } from './elements.ts';

export type Handlers = NonNullable<Options['handlers']>;
type NodeOf<Type extends string> = Extract<Nodes, { type: Type }>;
export type State = Parameters<NonNullable<Handlers['heading']>>[0];

/**
 * Handlers for remark-rehype: code keeps its meta, formulas are code, containers become md-* elements, which pass the
 * sanitiser and are replaced after it.
 */
export const handlers: Handlers = {
  code(state: State, node: Code): Element {
    const language = node.lang?.toLowerCase();
    const properties = {
      ...(language && { className: [`language-${language}`] }),
      ...(node.meta && { dataMeta: node.meta }),
    };
    return patched(state, node, element('pre', {}, [element('code', properties, [text(`${node.value}\n`)])]));
  },
  math(state: State, node: NodeOf<'math'>): Element {
    const code = element('code', { className: ['language-math'] }, [text(`${node.value}\n`)]);
    return patched(state, node, element('pre', {}, [code]));
  },
  inlineMath: (state: State, node: NodeOf<'inlineMath'>): Element =>
    patched(state, node, element('code', {}, [text(node.value)])),
  defListDescription(state: State, node: NodeOf<'defListDescription'>): Element {
    const children = state.all(node);
    // A single paragraph right below its term is a line, not a block.
    const only = children.length === 1 && !node.spread ? children[0] : undefined;
    return patched(state, node, element('dd', {}, isElement(only, 'p') ? only.children : children));
  },
  containerDirective(state: State, node: ContainerDirective): Element | ElementContent[] {
    const first = node.children[0];
    const label = first?.type === 'paragraph' && first.data?.directiveLabel ? first : undefined;
    const children = state.all(label ? { ...node, children: node.children.slice(1) } : node);
    const made = container(node.name.toLowerCase(), label && state.all(label), state.wrap(children, true));
    // An unknown name is not ours: its content stays.
    if (!made) return label ? [element('p', {}, state.all(label)), ...children] : children;
    return patched(state, node, made);
  },
};

/** Adds the position of the source node. */
function patched(state: State, node: Nodes, made: Element): Element {
  state.patch(node, made);
  return made;
}

function container(name: string, label: ElementContent[] | undefined, children: ElementContent[]): Element | undefined {
  const kind = admonitionKind(name);
  const labelled = label ? [element('md-label', {}, label)] : [];
  if (kind) return element('md-admonition', { kind }, [...labelled, ...children]);
  if (name === 'tabs') return element('md-tabs', {}, children);
  if (name === 'tab') return element('md-tab', {}, [...labelled, ...children]);
  if (name === 'code-group') return element('md-code-group', {}, children);
  if (name !== 'details') return undefined;
  return element('details', {}, [element('summary', {}, label ?? [text('Details')]), ...children]);
}
