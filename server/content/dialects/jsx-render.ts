import { admonitionKind } from '../plugins/admonition-kinds.ts';
import { elementOf, fields, titled, transparent } from '../plugins/known-components.ts';
import { voidElements } from '../void-elements.ts';
import type { JsxTag } from './jsx-tag.ts';
import { type OpenTabs, openTabs } from './tab-labels.ts';

export interface JsxPage {
  /** Imported pictures: variable → path. */
  assets: ReadonlyMap<string, string>;
  /** Open tab groups, innermost last. */
  tabs: OpenTabs[];
}

const renamed: Record<string, string> = {
  className: 'class',
  to: 'href',
  htmlFor: 'for',
  colSpan: 'colspan',
  rowSpan: 'rowspan',
};

/** Stands on one line. `unknown` says what is lost, as the end of a sentence; empty at the end of an element. */
export interface Rendered {
  html: string;
  unknown?: string;
}

/** What a JSX tag becomes, and what of it is unsupported. */
export function renderTag(tag: JsxTag, page: JsxPage): Rendered {
  const { name, closing } = tag;
  const isComponent = /^[A-Z]|\./.test(name);
  const kind = isComponent ? admonitionKind(name) : undefined;
  if (kind) return { html: closing ? '</md-admonition>' : admonition(kind, tag) };
  const element = elementOf.get(name) ?? (isComponent ? undefined : name);
  return element ? asElement(element, tag, page) : component(tag);
}

function asElement(element: string, tag: JsxTag, page: JsxPage): Rendered {
  const { name, closing, selfClosing, attributes } = tag;
  if (element === 'md-tabs' && closing) page.tabs.pop();
  if (element === 'md-tabs' && !closing && !selfClosing) page.tabs.push(openTabs(attributes));
  if (closing) return { html: `</${element}>` };
  const texts = withAssets(tag, page);
  const lost = element === 'img' && !texts.has('src') ? 'its address is not a literal' : undefined;
  const open = `<${element}${attributesText(shownAttributes(element, texts, page))}>${summary(name, element, texts)}`;
  const html = selfClosing && !voidElements.has(element) ? `${open}</${element}>` : open;
  return lost ? { html, unknown: lost } : { html };
}

/** Texts, with the addresses of imported pictures. */
function withAssets({ attributes }: JsxTag, { assets }: JsxPage): Map<string, string> {
  const texts = new Map(attributes.texts);
  for (const [name, variable] of attributes.names) {
    const address = assets.get(variable);
    if (address !== undefined && /^(?:src|href|to)$/.test(name)) texts.set(name, address);
  }
  return texts;
}

function shownAttributes(element: string, texts: Map<string, string>, { tabs }: JsxPage): Map<string, string> {
  if (element === 'md-tab') {
    const label = tabs.at(-1)?.labelOf(texts) ?? labelOf(texts);
    return new Map(label ? [['label', label]] : []);
  }
  const tip = element === 'abbr' ? (texts.get('tip') ?? texts.get('title') ?? texts.get('content')) : undefined;
  return tip === undefined ? texts : new Map([['title', tip]]);
}

function labelOf(texts: Map<string, string>): string | undefined {
  return ['label', 'title', 'name', 'value'].map((name) => texts.get(name)).find(Boolean);
}

function summary(name: string, element: string, texts: Map<string, string>): string {
  const title = texts.get('title') ?? texts.get('summary');
  if (element !== 'details' || name === 'details') return '';
  return title ? `<summary>${title}</summary>` : '';
}

function admonition(kind: string, { attributes: { texts } }: JsxTag): string {
  const title = texts.get('title');
  const shown = new Map([['kind', admonitionKind(texts.get('type') ?? '') ?? kind]]);
  if (title) shown.set('title', title);
  return `<md-admonition${attributesText(shown)}>`;
}

function component({ name, closing, selfClosing, attributes: { texts } }: JsxTag): Rendered {
  const isKnown = transparent.has(name) || titled.has(name) || fields.has(name);
  // Its opening tag has already been reported.
  if (closing) return isKnown ? { html: '' } : { html: '', unknown: '' };
  if (transparent.has(name)) return { html: '' };
  if (fields.has(name)) return { html: field(texts) };
  const html = title(texts, selfClosing);
  // An unknown component's title is still text.
  if (titled.has(name)) return { html };
  return { html, unknown: selfClosing ? 'its content is missing' : 'only its content is shown' };
}

function title(texts: Map<string, string>, selfClosing: boolean): string {
  const label = texts.get('title') ?? texts.get('label') ?? texts.get('text');
  const href = texts.get('href') ?? texts.get('to');
  const more = texts.get('description');
  if (!label) return more ? `${more} ` : '';
  // Content may follow on the same line; after a link of its own, punctuation may.
  const link = `[${label}](<${href}>)${selfClosing ? '' : ' '}`;
  const head = href ? link : `**${label}** `;
  return more ? `${head.trimEnd()} ${more} ` : head;
}

/** `**name** type, required`, as parameter lists have it. */
function field(texts: Map<string, string>): string {
  const name = ['name', 'path', 'query', 'body', 'header'].map((key) => texts.get(key)).find(Boolean);
  const words = [
    texts.get('type') && `\`${texts.get('type')}\``,
    texts.has('required') && 'required',
    texts.get('default') && `default \`${texts.get('default')}\``,
  ].filter(Boolean);
  return name ? `**\`${name}\`** ${words.join(', ')}` : words.join(', ');
}

function attributesText(attributes: Map<string, string>): string {
  const parts = [...attributes].filter(([name]) => /^[a-z][\w-]*$/i.test(name) && name !== 'style');
  return parts
    .map(([name, value]) => ` ${renamed[name] ?? name}="${value.replaceAll('"', '&quot;').replaceAll('\n', ' ')}"`)
    .join('');
}
