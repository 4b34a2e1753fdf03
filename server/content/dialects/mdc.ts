/** Nuxt Content's components: `::name{title="…"}` up to `::`, slots as `#name`, `:name{…}` inside a line. */
import { admonitionKind } from '../plugins/admonition-kinds.ts';
import { type Dialect, indentOf, type Line, lineAt } from './lines.ts';

const opening = /^\s*:{2,}([a-z][\w-]*)(?:\[([^\]]*)\])?(?:\{(.*)\})?\s*$/;
const slot = /^\s*#[a-z][\w-]*\s*$/;
const closing = /^\s*:{2,}\s*$/;
const inline = /(?<![\w:]):([a-zA-Z][a-zA-Z-]*)(?:\[([^\]\n]*)\])?\{([^{}\n]*)\}/g;
const elements: Record<string, string> = {
  'code-group': 'md-code-group',
  tabs: 'md-tabs',
  'tabs-item': 'md-tab',
  tab: 'md-tab',
  details: 'details',
  collapsible: 'details',
  'accordion-item': 'details',
};

/** True when blocks open with two colons and a name and close with two, or a line is one component. */
export function looksLikeMdc(source: string): boolean {
  if (/^[ \t]*:[a-zA-Z][\w-]*\{[^{}\n]*\}[ \t]*$/m.test(source)) return true;
  const opens = /^[ \t]*::[a-z][\w-]*(?:\[[^\]]*\])?(?:\{.*\})?[ \t]*$/m;
  return opens.test(source) && /^[ \t]*::[ \t]*$/m.test(source);
}

export const mdc: Dialect = (lines) => {
  const open: Opened[] = [];
  const properties = new Set<Line>();
  return lines.flatMap((line, index): Line[] => {
    if (properties.has(line)) return [lineAt(line, '')];
    const inside = open.at(-1);
    const moved = { ...line, text: movedLeft(line.text, inside?.indent ?? 0) };
    if (line.code) return [moved];
    const found = opening.exec(line.text);
    if (found) return opened(found, lines, index, open, properties);
    if (inside && closing.test(line.text)) return block(line, open.pop()?.end ?? '');
    if (inside && slot.test(line.text)) return [lineAt(line, '')];
    return [{ ...moved, text: moved.text.replace(inline, inlineComponent) }];
  });
};

/** A component whose end has not come yet. */
interface Opened {
  end: string;
  indent: number;
}

function opened(
  [text, name = '', label, words = '']: RegExpExecArray,
  lines: Line[],
  index: number,
  open: Opened[],
  properties: Set<Line>,
): Line[] {
  const { props, used } = propertiesBelow(lines, index);
  for (const one of used) properties.add(one);
  const [start, end] = tags(name, { ...readProps(words), ...props }, label);
  open.push({ end, indent: indentOf(text).length });
  return lines.slice(index, index + 1).flatMap((line) => block(line, start));
}

type Props = Record<string, string>;

function block(line: Line, text: string): Line[] {
  return [lineAt(line, ''), lineAt(line, text), lineAt(line, '')];
}

function movedLeft(text: string, indent: number): string {
  return text.slice(Math.min(indent, indentOf(text).length));
}

/** Properties as YAML between dashes, right below the opening. */
function propertiesBelow(lines: Line[], index: number): { props: Props; used: Line[] } {
  if (lines[index + 1]?.text.trim() !== '---') return { props: {}, used: [] };
  const end = lines.findIndex((line, at) => at > index + 1 && line.text.trim() === '---');
  if (end < 0) return { props: {}, used: [] };
  const used = lines.slice(index + 1, end + 1);
  const pairs = used.flatMap(({ text }) => {
    const found = /^\s*([\w-]+):\s*(['"]?)(.*?)\2\s*$/.exec(text);
    return found ? [[found[1] ?? '', found[3] ?? '']] : [];
  });
  return { props: Object.fromEntries(pairs), used };
}

function readProps(text: string): Props {
  const pairs = [...text.matchAll(/([\w-]+)=(?:"([^"]*)"|'([^']*)')/g)];
  return Object.fromEntries(pairs.map(([, name, double, single]) => [name, double ?? single ?? '']));
}

/** What stands in the place of a component's opening and of its end. */
function tags(name: string, props: Props, label?: string): [start: string, end: string] {
  const title = label ?? props.title ?? props.label;
  const kind = admonitionKind(name);
  if (kind) return [`<md-admonition kind="${kind}"${title ? attribute('title', title) : ''}>`, '</md-admonition>'];
  const element = Object.hasOwn(elements, name) ? elements[name] : undefined;
  if (element === 'details') return [`<details><summary>${title ?? 'Details'}</summary>`, '</details>'];
  if (element) return [`<${element}${title ? attribute('label', title) : ''}>`, `</${element}>`];
  return [linked(title, props.to ?? props.href), ''];
}

function attribute(name: string, text: string): string {
  return ` ${name}="${text.replaceAll('"', '&quot;')}"`;
}

/** Of a component nobody knows, the title and the address still mean something. */
function linked(title: string | undefined, address: string | undefined): string {
  if (address) return `[${title ?? address}](<${address}>)`;
  return title ? `**${title}**` : '';
}

function inlineComponent(_whole: string, _name: string, label: string | undefined, props: string): string {
  const { title, to, href } = readProps(props);
  return to || href ? linked(label ?? title, to ?? href) : (label ?? title ?? '');
}
