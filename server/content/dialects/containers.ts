import { isContainer } from '../plugins/container-names.ts';
import type { Dialect, Line } from './lines.ts';

const opening = /^((?:\s|>|[-*+]\s|\d+[.)]\s)*)(:{3,})[ \t]*([A-Za-z][\w-]*)(.*)$/;

/** `:::tip Title`, `::: tip Title` and `:::tip [Title]` become `:::tip[Title]`, the only form the parser knows. */
export const containers: Dialect = (lines) => lines.map((line) => (line.code ? line : normalised(line)));

function normalised(line: Line): Line {
  const found = opening.exec(line.text);
  if (!found) return line;
  const [, indent = '', colons = '', name = '', rest = ''] = found;
  if (!isContainer(name)) return line;
  // Attributes mean nothing here, and an unclosed brace would cost the whole block.
  const title = rest.replace(/\{[^{}]*\}\s*$/, '').trim();
  const label = /^\[(.*)\]$/.exec(title)?.[1] ?? title;
  const kind = name.toLowerCase();
  return { ...line, text: `${indent}${colons}${kind}${label ? `[${balanced(label)}]` : ''}` };
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
