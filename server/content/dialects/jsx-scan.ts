/** Walks over MDX text and takes out what is code: `{expressions}` and the attributes of elements. Line breaks stay in number. */
import { closingBrace } from './brackets.ts';
import { jsxTag } from './jsx-tag.ts';

/** The text without JSX expressions, with every element as plain HTML. */
export function withoutExpressions(source: string): string {
  let made = '';
  let index = 0;
  while (index < source.length) {
    const step = stepAt(source, index);
    made += step.text;
    index = step.end;
  }
  return made;
}

interface Step {
  text: string;
  end: number;
}

function stepAt(source: string, index: number): Step {
  const char = source[index];
  if (char === '\\') return verbatim(source, index, index + 2);
  if (char === '`') return inlineCode(source, index);
  if (char === '{') return expression(source, index);
  if (char === '<') return tag(source, index);
  const next = source.slice(index + 1).search(/[\\`{<]/);
  return verbatim(source, index, next < 0 ? source.length : index + 1 + next);
}

function verbatim(source: string, from: number, end: number): Step {
  return { text: source.slice(from, end), end };
}

function inlineCode(source: string, index: number): Step {
  const run = /^`+/.exec(source.slice(index))?.[0] ?? '`';
  const rest = source.slice(index + run.length);
  const close = new RegExp(`(?<!\`)${run}(?!\`)`).exec(rest.split('\n\n')[0] ?? '');
  return verbatim(source, index, index + run.length + (close ? close.index + run.length : 0));
}

function expression(source: string, index: number): Step {
  // `{#id}` names a heading.
  const id = /^\{#[\p{L}\p{N}_:.-]+\}/u.exec(source.slice(index, index + 200));
  if (id) return verbatim(source, index, index + id[0].length);
  const end = closingBrace(source, index);
  if (end < 0) return verbatim(source, index, index + 1);
  const whole = source.slice(index, end);
  const named = headingId(source, index, end);
  if (named) return { text: named, end };
  return { text: shownBy(whole.slice(1, -1).trim()) + breaks(whole), end };
}

/** A comment at the end of a heading names it. */
function headingId(source: string, index: number, end: number): string | undefined {
  const id = /^\{\/\*\s*#?([\p{L}\p{N}_:.-]+)\s*\*\/\}$/u.exec(source.slice(index, end))?.[1];
  const start = source.slice(source.lastIndexOf('\n', index) + 1, index);
  const isLast = /^[ \t]*(?:\n|$)/.test(source.slice(end, end + 80));
  return id && isLast && /^[\s>]*#{1,6}\s/.test(start) ? `{#${id}}` : undefined;
}

/** What an expression shows, as far as it can be known without running it. */
function shownBy(code: string): string {
  const comment = /^\/\*\s*(truncate|more)\s*\*\/$/.exec(code)?.[1];
  if (comment) return `<!-- ${comment} -->`;
  const literal = /^(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`([^`$]*)`)$/.exec(code);
  const text = literal?.slice(1).find((part) => part !== undefined) ?? '';
  return text.replaceAll('\n', ' ').replace(/[<{]/g, '\\$&');
}

function tag(source: string, index: number): Step {
  if (source.startsWith('<!--', index)) {
    const end = source.indexOf('-->', index);
    return verbatim(source, index, end < 0 ? source.length : end + 3);
  }
  const fragment = /^<\/?>/.exec(source.slice(index, index + 3));
  if (fragment) return { text: '', end: index + fragment[0].length };
  const found = jsxTag(source, index);
  if (!found) return verbatim(source, index, index + 1);
  return { text: found.html + breaks(source.slice(index, found.end)), end: found.end };
}

function breaks(text: string): string {
  return '\n'.repeat(text.split('\n').length - 1);
}
