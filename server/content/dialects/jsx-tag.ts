/** One JSX tag as HTML. */
import { admonitionKind } from '../plugins/admonition-kinds.ts';
import { closingBrace } from './brackets.ts';

interface Tag {
  name: string;
  closing: boolean;
  selfClosing: boolean;
  attributes: Map<string, string>;
}

const known: Record<string, string> = {
  Tabs: 'md-tabs',
  CodeGroup: 'md-tabs',
  TabItem: 'md-tab',
  Tab: 'md-tab',
  TabPanel: 'md-tab',
  Details: 'details',
  Accordion: 'details',
  Collapsible: 'details',
  Link: 'a',
  Image: 'img',
  Img: 'img',
};
const renamed: Record<string, string> = {
  className: 'class',
  to: 'href',
  htmlFor: 'for',
  colSpan: 'colspan',
  rowSpan: 'rowspan',
};

const voidElements = new Set('area br col hr img input link meta source track wbr'.split(' '));

/** Reads the tag at `index`; undefined when there is none. `html` stands on one line. */
export function jsxTag(source: string, index: number): { html: string; end: number } | undefined {
  const start = /^<(\/?)([A-Za-z][\w.:-]*)/.exec(source.slice(index, index + 80));
  if (!start) return undefined;
  const tag: Tag = { name: start[2] ?? '', closing: start[1] === '/', selfClosing: false, attributes: new Map() };
  let at = index + start[0].length;
  for (;;) {
    const end = /^\s*(\/?)>/.exec(source.slice(at, at + 500));
    if (end) {
      tag.selfClosing = end[1] === '/';
      return { html: render(tag), end: at + end[0].length };
    }
    const next = attribute(source, at, tag.attributes);
    if (next === undefined) return undefined;
    at = next;
  }
}

/** Reads one attribute and answers where it ends. */
function attribute(source: string, at: number, attributes: Map<string, string>): number | undefined {
  const rest = source.slice(at, at + 4000);
  const spread = /^\s*\{/.exec(rest);
  if (spread) return ended(closingBrace(source, at + spread[0].length - 1));
  const found = /^\s+([@:\w.-]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|(\{)|([^\s"'{}<>/=]+)))?/.exec(rest);
  if (!found) return undefined;
  const name = found[1] ?? '';
  const end = at + found[0].length;
  if (found[4]) {
    const close = closingBrace(source, end - 1);
    const literal = /['"`]([^'"`\n]*)['"`]/.exec(source.slice(end, close))?.[1];
    // Elsewhere an expression is not text; here its first string nearly always is the address or the label.
    if (literal !== undefined && /^(src|href|to|alt|label|title)$/.test(name)) attributes.set(name, literal);
    return ended(close);
  }
  attributes.set(name, found[2] ?? found[3] ?? found[5] ?? '');
  return end;
}

function ended(end: number): number | undefined {
  return end < 0 ? undefined : end;
}

function render(tag: Tag): string {
  const { name, closing, attributes } = tag;
  const isComponent = /^[A-Z]|\./.test(name);
  const kind = isComponent ? admonitionKind(name) : undefined;
  if (kind) return closing ? '</md-admonition>' : admonition(kind, attributes);
  const ours = Object.hasOwn(known, name) ? known[name] : undefined;
  if (!ours && isComponent) return closing ? '' : unknown(tag);
  const html = ours ?? name;
  if (closing) return `</${html}>`;
  const open = `<${html}${written(html === 'md-tab' ? tabAttributes(attributes) : attributes)}>`;
  if (ours === 'details') return open + summary(attributes);
  return tag.selfClosing && !voidElements.has(html) ? `${open}</${html}>` : open;
}

function summary(attributes: Map<string, string>): string {
  const title = attributes.get('title') ?? attributes.get('summary');
  return title ? `<summary>${title}</summary>` : '';
}

function admonition(kind: string, attributes: Map<string, string>): string {
  const title = attributes.get('title');
  return `<md-admonition${written(new Map([['kind', admonitionKind(attributes.get('type') ?? '') ?? kind], ...(title ? [['title', title] as const] : [])]))}>`;
}

function tabAttributes(attributes: Map<string, string>): Map<string, string> {
  const names = ['label', 'title', 'name', 'value'];
  const label = names.map((name) => attributes.get(name)).find(Boolean);
  return new Map(label ? [['label', label]] : []);
}

/** Of a component nobody knows, the title still is text. */
function unknown({ attributes }: Tag): string {
  const title = attributes.get('title');
  const href = attributes.get('href') ?? attributes.get('to');
  if (!title) return '';
  return href ? `[${title}](<${href}>)` : `**${title}** `;
}

function written(attributes: Map<string, string>): string {
  const parts = [...attributes].filter(([name]) => /^[a-z][\w-]*$/i.test(name) && name !== 'style');
  return parts
    .map(([name, value]) => ` ${renamed[name] ?? name}="${value.replaceAll('"', '&quot;').replaceAll('\n', ' ')}"`)
    .join('');
}
