import { isContainer } from '../plugins/container-names.ts';
import { noAttributes, readAttribute } from './jsx-attributes.ts';
import type { Dialect, Line } from './lines.ts';

const opening = /^((?:\s|>|[-*+]\s|\d+[.)]\s)*)(:{3,})[ \t]*([A-Za-z][\w-]*)(.*)$/;
const braces = /\{((?:"[^"]*"|'[^']*'|[^{}"'])*)\}\s*$/;

/**
 * `:::tip Title`, `::: tip Title`, `:::tip [Title]` and `:::tip{title="Title"}` become `:::tip[Title]`, the only form
 * the parser knows.
 */
export const containers: Dialect = (lines) => lines.map((line) => (line.code ? line : normalised(line)));

function normalised(line: Line): Line {
  const found = opening.exec(line.text);
  if (!found) return line;
  const [, indent = '', colons = '', name = '', rest = ''] = found;
  if (!isContainer(name)) return line;
  // Attributes other than a title mean nothing here, and an unclosed brace would cost the whole block.
  const title = rest.replace(braces, '').trim() || titleIn(braces.exec(rest)?.[1] ?? '');
  const label = /^\[(.*)\]$/.exec(title)?.[1] ?? title;
  const kind = name.toLowerCase();
  return { ...line, text: `${indent}${colons}${kind}${label ? `[${balanced(label)}]` : ''}` };
}

function titleIn(words: string): string {
  const attributes = noAttributes();
  const source = ` ${words}`;
  // What is no attribute with a name, such as `#id`, is skipped.
  for (let at = 0; at < source.length; ) at = readAttribute(source, at, attributes) ?? at + 1;
  return attributes.texts.get('title') ?? attributes.texts.get('label') ?? '';
}

/** Unbalanced brackets are escaped. */
function balanced(label: string): string {
  let depth = 0;
  for (const char of label) {
    if (char === '[') depth += 1;
    if (char === ']') depth -= 1;
    if (depth < 0) break;
  }
  return depth === 0 ? label : label.replace(/[[\]]/g, '\\$&');
}
