import type { Element, ElementContent } from 'hast';
import type { Nodes, Parent, PhrasingContent, RootContent } from 'mdast';
import { admonitionKind } from './admonition-kinds.ts';
import { element, text } from './elements.ts';
import type { Handlers, State } from './handlers.ts';
import { titled, transparent } from './known-components.ts';

/** A remark-mdc node, which mdast's own types lack. */
interface Component<Type extends string> extends Parent {
  type: Type;
  name: string;
  attributes?: Record<string, unknown>;
  /** Properties as YAML between dashes. */
  fmAttributes?: Record<string, unknown>;
}
type Block = Component<'containerComponent'>;
type Slot = Component<'componentContainerSection'>;
type Inline = Component<'textComponent'>;

declare module 'mdast' {
  interface RootContentMap {
    containerComponent: Block;
    componentContainerSection: Slot;
    textComponent: Inline;
  }
}

const elements: Record<string, string> = {
  'code-group': 'md-code-group',
  tabs: 'md-tabs',
  'tabs-item': 'md-tab',
  tab: 'md-tab',
  details: 'details',
  collapsible: 'details',
  'accordion-item': 'details',
};

/** True for a component that is shown here without any loss. */
export function isMdcComponent(name: string): boolean {
  const inMdx = name.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const isKnown = Object.hasOwn(elements, name) || ['span', 'br', 'kbd', 'accordion'].includes(name);
  return isKnown || admonitionKind(name) !== undefined || titled.has(inMdx) || transparent.has(inMdx);
}

/**
 * Handlers for remark-rehype, in addition to those of `handlers.ts`: components we know become md-* elements, others
 * leave their children and their link.
 */
export const mdcHandlers: Handlers = {
  containerComponent(state: State, node: Block): ElementContent[] {
    const { label, rest } = takeLabel(node.children);
    const words = label.length > 0 ? state.all({ type: 'paragraph', children: label }) : undefined;
    const children = state.all({ type: 'root', children: rest });
    const made = elementOf(node, words, children);
    if (!made) return [...linkAlone(state, node, words), ...children];
    state.patch(node, made);
    return [made];
  },
  componentContainerSection: (state: State, node: Slot): ElementContent[] => state.all(node),
  textComponent(state: State, node: Inline, parent: Nodes | undefined): ElementContent[] {
    const isBlock = parent?.type === 'root' || parent?.type === 'containerComponent';
    if (node.name === 'br') return isBlock ? [] : [element('br', {})];
    const keys = node.name === 'kbd' ? property(node, 'value') : undefined;
    if (keys) return [element('kbd', {}, [text(keys)])];
    const inline = inlineOf(state, node);
    // A component may be all there is in a block.
    return isBlock && inline.length > 0 ? [element('p', {}, inline)] : inline;
  },
};

/** The words in brackets after a component's name are its first children, before the blocks. */
function takeLabel(children: readonly RootContent[]): { label: PhrasingContent[]; rest: RootContent[] } {
  const label: PhrasingContent[] = [];
  for (const child of children) {
    if (!isWords(child)) break;
    label.push(child);
  }
  return { label, rest: children.slice(label.length) };
}

const words = new Set(['text', 'emphasis', 'strong', 'delete', 'inlineCode', 'link', 'linkReference', 'image']);

function isWords(node: RootContent): node is PhrasingContent {
  return words.has(node.type);
}

function elementOf(node: Block, label: ElementContent[] | undefined, children: ElementContent[]): Element | undefined {
  const kind = admonitionKind(node.name);
  const name = kind ? 'md-admonition' : Object.hasOwn(elements, node.name) ? elements[node.name] : undefined;
  if (!name) return undefined;
  const title = label ?? titleOf(node);
  if (name === 'details') return element(name, {}, [element('summary', {}, title ?? [text('Details')]), ...children]);
  const labelled = title ? [element('md-label', {}, title), ...children] : children;
  return element(name, kind ? { kind } : {}, labelled);
}

/** An unknown component's title and address still mean something. */
function linkAlone(state: State, node: Block, label: ElementContent[] | undefined): ElementContent[] {
  const title = label ?? titleOf(node);
  const link = linkOf(state, node, title);
  if (link) return [element('p', {}, [link])];
  return title ? [element('p', {}, [element('strong', {}, title)])] : [];
}

function inlineOf(state: State, node: Inline): ElementContent[] {
  // Without properties it is not a component: `:brand`, or words after a colon.
  if (node.name !== 'span' && Object.keys(node.attributes ?? {}).length === 0) return [text(writtenAs(state, node))];
  const title = node.children.length > 0 ? state.all(node) : titleOf(node);
  const link = linkOf(state, node, title);
  return link ? [link] : (title ?? []);
}

function linkOf(state: State, node: Block | Inline, title: ElementContent[] | undefined): Element | undefined {
  const address = property(node, 'to') ?? property(node, 'href');
  if (!address) return undefined;
  const link = element('a', { href: address }, title ?? [text(address)]);
  state.patch(node, link);
  return link;
}

function writtenAs({ options }: State, { position }: Inline): string {
  return String(options.file ?? '').slice(position?.start.offset, position?.end.offset);
}

function titleOf(node: Block | Inline): ElementContent[] | undefined {
  const title = property(node, 'title') ?? property(node, 'label');
  return title ? [text(title)] : undefined;
}

function property({ attributes, fmAttributes }: Block | Inline, name: string): string | undefined {
  const value = fmAttributes?.[name] ?? attributes?.[name];
  return typeof value === 'string' ? value : undefined;
}
