import type { Definition, Image, Link, Root } from 'mdast';
import type { Data, Processor } from 'unified';
import { markdownParser } from './markdown-parser.ts';
import { CrowdedTextError } from './plugins/crowded-text.ts';
import { eachNode } from './plugins/each-node.ts';

/** Returns the full address for what an author wrote on a line of the text. */
export type ResolveAddress = (written: string, kind: 'link' | 'image', line: number) => string;

/** Where a text uses an address. */
interface Use {
  kind: 'link' | 'image';
  line: number;
}

type Addressed = Link | Image | Definition;
type Extension = Exclude<NonNullable<Data['fromMarkdownExtensions']>[number], readonly unknown[]>;
type Token = Parameters<NonNullable<Extension['exit']>[string]>[0];

/** Where a link, picture or definition has its address: offsets in the text. */
const places = new WeakMap<object, { from: number; to: number }>();
const parser = markdownParser().use(placedAddresses).freeze();

/**
 * @returns the same text with every inline link, reference definition and picture address resolved; unchanged when its
 *   markers would hold up the parser
 */
export function resolveSourceLinks(markdown: string, resolve: ResolveAddress): string {
  const tree = parsed(markdown);
  if (!tree) return markdown;
  const uses = firstUses(tree);
  const changes: { from: number; to: number; url: string }[] = [];
  eachNode(tree, (node) => {
    if (node.type !== 'link' && node.type !== 'image' && node.type !== 'definition') return;
    const place = places.get(node);
    if (!place) return;
    const { kind, line } = placeOfUse(node, uses);
    const url = resolve(node.url, kind, line);
    if (url !== node.url) changes.push({ ...place, url });
  });
  return changes.sort((a, b) => b.from - a.from).reduce(replaced, markdown);
}

/** The first link or picture of each definition: a page resolves the address where it is used. */
function firstUses(tree: Root): Map<string, Use> {
  const uses = new Map<string, Use>();
  eachNode(tree, (node) => {
    if (node.type !== 'linkReference' && node.type !== 'imageReference') return;
    const kind = node.type === 'imageReference' ? 'image' : 'link';
    if (!uses.has(node.identifier)) uses.set(node.identifier, { kind, line: lineOf(node) });
  });
  return uses;
}

function placeOfUse(node: Addressed, uses: ReadonlyMap<string, Use>): Use {
  const use = node.type === 'definition' ? uses.get(node.identifier) : undefined;
  return use ?? { kind: node.type === 'image' ? 'image' : 'link', line: lineOf(node) };
}

function lineOf({ position }: { position?: Addressed['position'] }): number {
  return position?.start.line ?? 1;
}

/** Has the parser say where each address is: the same words may also be a link's text or title. */
function placedAddresses(this: Processor): void {
  const data = this.data();
  const exit = { resourceDestination: keepPlace, definitionDestination: keepPlace };
  data.fromMarkdownExtensions = [...(data.fromMarkdownExtensions ?? []), { exit }];
}

function keepPlace(this: { stack: object[] }, { start, end }: Token): void {
  const node = this.stack.at(-1);
  if (node) places.set(node, { from: start.offset, to: end.offset });
}

function parsed(markdown: string): Root | undefined {
  try {
    return parser.parse(markdown);
  } catch (error) {
    if (error instanceof CrowdedTextError) return undefined;
    throw error;
  }
}

function replaced(text: string, { from, to, url }: { from: number; to: number; url: string }): string {
  return text.slice(0, from) + url + text.slice(to);
}
