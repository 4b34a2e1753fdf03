/** Hugo's shortcodes: the few with a meaning become markdown, the others leave their content. */
import { admonitionKind } from '../plugins/admonition-kinds.ts';
import { type Dialect, indentOf, type Line, lineAt } from './lines.ts';
import { firstParameter, parameter, replaceShortcodes, type Shortcode, shortcodeAlone } from './shortcode.ts';

const listings = new Set(['highlight', 'code', 'code-toggle']);
// Written `{{</* x */>}}` where the text is about shortcodes.
const escaped = /\{\{([<%])\/\*\s?([\s\S]*?)\s?\*\/([>%])\}\}/g;

export const hugo: Dialect = (written) => {
  const lines = onOneLine(written);
  let listing = false;
  return lines.flatMap((line, index) => {
    if (line.code) return [{ ...line, text: unescaped(line.text) }];
    const alone = shortcodeAlone(line.text);
    if (alone && listings.has(alone.name) && (alone.closing ? listing : isPaired(alone, lines, index))) {
      listing = !alone.closing;
      return [{ ...lineAt(line, indentOf(line.text) + fence(alone)), code: true }];
    }
    if (listing) return [{ ...line, code: true }];
    if (!line.text.includes('{{')) return [line];
    return alone ? block(alone, line, alone.closing || isPaired(alone, lines, index)) : prose(line);
  });
};

/** A shortcode may run over several lines; they become its first line. */
function onOneLine(lines: Line[]): Line[] {
  let open: Line | undefined;
  return lines.map((line, index) => {
    if (open) {
      open.text += ` ${line.text.trim()}`;
      if (/[>%]\}\}/.test(line.text)) open = undefined;
      return lineAt(line, '');
    }
    const made = { ...line };
    if (isOpen(line) && lines.slice(index + 1, index + 30).some((next) => /[>%]\}\}/.test(next.text))) open = made;
    return made;
  });
}

function isOpen(line: Line): boolean {
  return !line.code && /\{\{[<%](?!\/\*)(?:(?![>%]\}\}).)*$/.test(line.text);
}

/** One that is never closed holds nothing, and must not take the rest of the page. */
function isPaired(shortcode: Shortcode, lines: Line[], index: number): boolean {
  if (shortcode.selfClosing) return false;
  return lines.slice(index + 1).some((line) => {
    const other = line.text.includes('{{') ? shortcodeAlone(line.text) : undefined;
    return other?.closing && other.name === shortcode.name;
  });
}

function fence(shortcode: Shortcode): string {
  if (shortcode.closing) return '````';
  const file = parameter(shortcode, 'file');
  const language = shortcode.name === 'highlight' ? firstParameter(shortcode) : file?.split('.').at(-1);
  return `\`\`\`\`${language ?? ''}${file ? ` title="${file}"` : ''}`;
}

function unescaped(text: string): string {
  return text.includes('/*') ? text.replace(escaped, '{{$1 $2 $3}}') : text;
}

function prose(line: Line): Line[] {
  const text = unescaped(replaceShortcodes(line.text, inline));
  // A definition that held nothing else goes with its shortcode.
  return /^:\s*$/.test(text) ? [] : [{ ...line, text }];
}

/** What a shortcode inside a line stands for. */
function inline(shortcode: Shortcode): string {
  if (shortcode.name === 'ref' || shortcode.name === 'relref') {
    return parameter(shortcode, 'path') ?? firstParameter(shortcode) ?? '';
  }
  if (shortcode.name !== 'figure' && shortcode.name !== 'img') return '';
  const source = parameter(shortcode, 'src');
  return source ? `![${parameter(shortcode, 'alt', 'caption') ?? ''}](<${source}>)` : '';
}

/** A shortcode alone on its line opens or closes a block, when it is one of a pair. */
function block(shortcode: Shortcode, line: Line, paired: boolean): Line[] {
  const indent = indentOf(line.text);
  const tag = paired ? blockTag(shortcode) : undefined;
  if (!tag) return [lineAt(line, indent + inline(shortcode))];
  return [lineAt(line, ''), lineAt(line, indent + tag), lineAt(line, '')];
}

function blockTag(shortcode: Shortcode): string | undefined {
  const { name, closing } = shortcode;
  if (name === 'tabs') return closing ? '</md-tabs>' : '<md-tabs>';
  if (name === 'tab') {
    const label = parameter(shortcode, 'name', 'header', 'title') ?? firstParameter(shortcode);
    return closing ? '</md-tab>' : `<md-tab${attribute('label', label)}>`;
  }
  if (name === 'details') {
    const summary = parameter(shortcode, 'summary', 'title') ?? firstParameter(shortcode) ?? 'Details';
    return closing ? '</details>' : `<details><summary>${summary}</summary>`;
  }
  const kind = admonitionKind(name);
  if (!kind) return undefined;
  if (closing) return '</md-admonition>';
  const written = [parameter(shortcode, 'type', 'color'), firstParameter(shortcode)].map((word) =>
    admonitionKind(word ?? ''),
  );
  const title = attribute('title', parameter(shortcode, 'title'));
  return `<md-admonition kind="${written.find(Boolean) ?? kind}"${title}>`;
}

function attribute(name: string, text: string | undefined): string {
  return text ? ` ${name}="${text.replaceAll('"', '&quot;')}"` : '';
}
