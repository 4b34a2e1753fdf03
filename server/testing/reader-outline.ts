import type { Element, Root } from 'hast';
import { admonitionKind } from '../content/plugins/admonition-kinds.ts';
import { classes, property } from '../content/plugins/elements.ts';
import { type Content, codeText, isNamed, isUnseen, words } from './reader-words.ts';

type Test = (node: Element) => boolean;

/** The names (element, class or role) that the tools, and we, give to a tab group and its parts. */
const rowsOfTabs = [
  { row: 'tabs-container', label: 'tab', panel: 'tabpanel' },
  { row: 'tabbed-set', label: 'label', panel: 'tabbed-block' },
  { row: 'book-tabs', label: 'label', panel: 'book-tabs-content' },
  { row: 'vp-code-group', label: 'label', panel: 'vp-adaptive-theme' },
  { row: 'code-group', label: '', panel: 'pre' },
  { row: 'tabs', label: 'tab-label', panel: 'tab tabs-item' },
];
const inlineTags = new Set(
  'a abbr b br button code del em i img input ins kbd label mark s script small span strong style sub sup svg u'.split(
    ' ',
  ),
);
const groups: Record<string, string> = {
  ul: 'list',
  ol: 'ordered list',
  dl: 'definitions',
  table: 'table',
  blockquote: 'quote',
};

/** What a reader sees of a page: one line per block, with its kind; its content is indented below. */
export function readerOutline(tree: Root): string {
  return `${blocks(tree.children).join('\n')}\n`;
}

function blocks(nodes: readonly Content[], language = ''): string[] {
  const lines: string[] = [];
  let run: Content[] = [];
  const endRun = () => {
    lines.push(...paragraph(run));
    run = [];
  };
  for (const node of nodes) {
    if (node.type !== 'element' || (inlineTags.has(node.tagName) && !isCaption(node))) run.push(node);
    else {
      endRun();
      if (!isUnseen(node)) lines.push(...block(node, language));
    }
  }
  endRun();
  return lines;
}

function paragraph(nodes: readonly Content[]): string[] {
  const shown = words(nodes);
  const formula = /^\\\\\[(.*)\\\\\]$/.exec(shown)?.[1];
  if (formula !== undefined) return [`formula ${formula.trim()}`];
  return shown ? [`p ${shown}`] : [];
}

function block(node: Element, outer: string): string[] {
  const language = languageOf(node) ?? outer;
  const row = rowsOfTabs.find((one) => isNamed(node, one.row));
  if (row) return tabs(node, row);
  if (node.tagName === 'details') return titled('details', node, (child) => child.tagName === 'summary');
  const kind = admonition(node);
  if (kind) return titled(`admonition ${kind}`, node, (child) => /title|heading/i.test(classes(child).join()));
  if (isCaption(node))
    return [
      `caption ${node.children
        .map((child) => words([child]))
        .join(' ')
        .trim()}`,
    ];
  const numbered = node.tagName === 'table' ? find(node, (child) => child.tagName === 'pre').at(-1) : undefined;
  if (numbered || node.tagName === 'pre') return code(numbered ?? node, language);
  return byTag(node, language);
}

function byTag(node: Element, language: string): string[] {
  const { tagName, children } = node;
  if (tagName === 'p') return paragraph(children);
  if (tagName === 'dt') return [`term ${text(node)}`];
  if (/^h\d$/.test(tagName)) return [`${tagName} #${property(node, 'id') ?? ''} ${text(node)}`];
  if (tagName === 'tr')
    return [
      `row ${find(node, (cell) => /^t[dh]$/.test(cell.tagName))
        .map(text)
        .join(' | ')}`,
    ];
  const inside = blocks(children, language);
  if (tagName === 'li' || tagName === 'dd') return item(tagName === 'li' ? '-' : ':', inside);
  const isFootnotes = classes(node).some((name) => /^footnotes?$/.test(name));
  const name = isFootnotes ? 'footnotes' : (groups[tagName] ?? component(node));
  return name === undefined ? inside : [name, ...indented(inside)];
}

/** Nuxt Content's parser leaves components to the site. */
function component({ tagName, properties: { title, to } }: Element): string | undefined {
  if (/^(?:article|aside|body|div|figure|html|main|section|t(?:body|head|foot))$/.test(tagName)) return undefined;
  return [tagName, title, to].filter(Boolean).join(' ');
}

function titled(kind: string, node: Element, isTitle: Test): string[] {
  const [title] = find(node, isTitle);
  const shown = title ? text(title) : (property(node, 'title') ?? '');
  if (title) title.children = [];
  // The theme decides whether an untitled block shows the name of its kind.
  const isOwn = shown !== '' && shown.toLowerCase() !== kind.split(' ').at(-1);
  return [isOwn ? `${kind}: ${shown}` : kind, ...indented(blocks(node.children))];
}

function admonition(node: Element): string | undefined {
  const names = classes(node);
  if (/^(?:note|tip|warning|caution)$/.test(node.tagName)) return node.tagName;
  if (!names.some((name) => /^(?:(?:theme-)?admonition|custom-block|book-hint|alert)$/.test(name))) return undefined;
  const kinds = names.map((name) => name.replace(/^(?:theme-)?(?:admonition|alert)-?/, ''));
  return kinds.map(admonitionKind).find(Boolean) ?? 'note';
}

function tabs(node: Element, names: (typeof rowsOfTabs)[number]): string[] {
  const labels = find(node, (child) => isNamed(child, names.label), names.panel);
  return [
    'tabs',
    ...find(node, (child) => isNamed(child, names.panel)).flatMap((panel, index) => {
      const label = labels[index] ?? find(panel, (child) => isNamed(child, names.label))[0];
      const shown = label ? text(label) : (property(panel, 'label') ?? property(panel, 'filename') ?? '');
      const held = panel.tagName === 'pre' ? block(panel, '') : blocks(panel.children, languageOf(panel));
      return indented([`tab ${shown}`, ...indented(held)]);
    }),
  ];
}

/** A code block without its line numbers, which may be in a preceding cell. */
function code(pre: Element, outer: string): string[] {
  const language = find(pre, (child) => languageOf(child) !== undefined).map(languageOf)[0] ?? languageOf(pre) ?? outer;
  const lines = codeText(find(pre, (child) => child.tagName === 'pre').at(-1) ?? pre)
    .trimEnd()
    .split('\n');
  if (language === 'math') return [`formula ${lines.join(' ')}`];
  return [/^(?:plain)?text$|^$/.test(language) ? 'code' : `code ${language}`, ...indented(lines)];
}

/** An item's first paragraph is beside its bullet, whether the list is loose or tight. */
function item(mark: string, [first = '', ...others]: string[]): string[] {
  return first.startsWith('p ')
    ? [`${mark} ${first.slice(2)}`, ...indented(others)]
    : [mark, ...indented([first, ...others])];
}

function text(node: Element): string {
  return words(node.children);
}

function languageOf(node: Element): string | undefined {
  const named = classes(node).find((name) => name.startsWith('language-'));
  return property(node, 'dataLanguage') ?? named?.slice('language-'.length);
}

function isCaption(node: Element): boolean {
  return node.tagName === 'figcaption' || /\bfilename\b|codeBlockTitle/.test(classes(node).join(' '));
}

/** Elements of a kind, outermost first and never nested; nor inside those named `closed`. */
function find(node: Element, isWanted: Test, closed = ''): Element[] {
  const within = node.children.filter((child) => child.type === 'element');
  return within.flatMap((child) => {
    if (isWanted(child)) return [child];
    return closed && isNamed(child, closed) ? [] : find(child, isWanted, closed);
  });
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`.trimEnd());
}
