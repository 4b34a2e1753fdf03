/** How markdown nodes that HTML does not know become elements: code keeps its meta, containers become md-* elements. */
import type { Element, ElementContent } from 'hast';
import type { Code } from 'mdast';
import type { ContainerDirective } from 'mdast-util-directive';
import type { Options } from 'remark-rehype';
import { admonitionKind } from './admonition-kinds.ts';
import { element, text } from './elements.ts';

type Handlers = NonNullable<Options['handlers']>;
type State = Parameters<NonNullable<Handlers['heading']>>[0];

/** Handlers for remark-rehype. The md-* elements pass the sanitiser and are replaced after it. */
export const handlers: Handlers = {
  code(state: State, node: Code): Element {
    const language = node.lang?.toLowerCase();
    const properties = {
      ...(language && { className: [`language-${language}`] }),
      ...(node.meta && { dataMeta: node.meta }),
    };
    const made = element('pre', {}, [element('code', properties, [text(`${node.value}\n`)])]);
    state.patch(node, made);
    return made;
  },
  containerDirective(state: State, node: ContainerDirective): Element | ElementContent[] {
    const first = node.children[0];
    const label = first?.type === 'paragraph' && first.data?.directiveLabel ? first : undefined;
    const children = state.all(label ? { ...node, children: node.children.slice(1) } : node);
    const made = container(node.name.toLowerCase(), label && state.all(label), state.wrap(children, true));
    // An unknown name is not ours: what it holds stays.
    if (!made) return label ? [element('p', {}, state.all(label)), ...children] : children;
    state.patch(node, made);
    return made;
  },
};

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
