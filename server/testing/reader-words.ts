import type { Element, ElementContent, RootContent } from 'hast';
import { classes, property } from '../content/plugins/elements.ts';

export type Content = RootContent | ElementContent;

// Tables of contents, anchors beside headings, footnote backlinks, elements for scripts; the page's title.
const unseen =
  /^(?:toc|markdown-toc|table-of-contents|tab-label|tabbed-labels|lang|copy|sr-only|line-numbers-wrapper|headerlink|hash-link|header-anchor|heading-anchor|(?:data-)?footnote-backref|reversefootnote)$/;
const unseenTags = new Set(['script', 'style', 'svg', 'button', 'header', 'h1', 'hr', 'summary']);
const marks: Record<string, string> = { em: '*', i: '*', strong: '**', b: '**', del: '~~', s: '~~', mark: '==' };

/** Text inside a block; the tool's typographic quotation marks are reverted. */
export function words(nodes: readonly Content[]): string {
  return nodes.map(inline).join('').replace(/[“”]/g, '"').replace(/[‘’]/g, "'").replace(/\s+/g, ' ').trim();
}

function inline(node: Content): string {
  // A marker that is shown as written is not one.
  if (node.type === 'text') return node.value.replace(/[*`~[\]]/g, '\\$&');
  if (node.type !== 'element' || isUnseen(node)) return '';
  const inner = node.children.map(inline).join('');
  const mark = marks[node.tagName];
  return mark === undefined ? byInlineTag(node, inner) : mark + inner + mark;
}

function byInlineTag(node: Element, inner: string): string {
  const alt = property(node, 'alt') ?? '';
  switch (node.tagName) {
    case 'code':
      return `\`${codeText(node)}\``;
    case 'kbd':
      return `<${inner}>`;
    case 'br':
      return ' ';
    case 'img':
      return isNamed(node, 'twemoji') ? alt : `![${alt}]`;
    case 'input':
      return node.properties.checked ? '[x] ' : '[ ] ';
    case 'a':
      return link(property(node, 'href'), inner);
    default:
      return inner;
  }
}

function link(href: string | undefined, inner: string): string {
  if (href === undefined) return inner;
  return /^#(?:user-content-)?fn/.test(href) ? `[^${inner}]` : `[${inner}](${page(href)})`;
}

/** The name of a page on the site, wherever the tool put it; an external address unchanged. */
function page(href: string): string {
  if (/^[a-z]+:/.test(href) && !href.startsWith('https://site.example/')) return href;
  const [path = '', hash] = href.split('#');
  const name =
    path
      .split('/')
      .filter(Boolean)
      .at(-1)
      ?.replace(/\.\w+$/, '') ?? '';
  return hash === undefined ? name : `${name}#${hash}`;
}

/** Code as written, without its line numbers. */
export function codeText(node: Content): string {
  if (node.type === 'text') return node.value;
  if (node.type !== 'element' || /user-select: ?none/.test(property(node, 'style') ?? '')) return '';
  return node.tagName === 'br' ? '\n' : node.children.map(codeText).join('');
}

/** True for an element with one of the names, as its tag, class or role. */
export function isNamed({ tagName, properties: { className, role } }: Element, names: string): boolean {
  return names.split(' ').some((name) => tagName === name || [className, role].flat().includes(name));
}

/** True for what is not part of the text. */
export function isUnseen(node: Element): boolean {
  return (
    unseenTags.has(node.tagName) || [property(node, 'id') ?? '', ...classes(node)].some((name) => unseen.test(name))
  );
}
