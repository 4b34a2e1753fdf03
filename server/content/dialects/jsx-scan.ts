import { closingBrace } from './brackets.ts';
import { type JsxPage, renderTag } from './jsx-render.ts';
import { readTag } from './jsx-tag.ts';
import type { UnknownRule } from './lines.ts';

export interface JsxScan extends JsxPage {
  /** What is unsupported, at an offset of the text. */
  tell(index: number, rule: UnknownRule, message: string): void;
}

/** The text without JSX expressions, with every element as plain HTML. The number of line breaks stays the same. */
export function withoutExpressions(source: string, scan: JsxScan): string {
  let made = '';
  let index = 0;
  while (index < source.length) {
    const step = stepAt(source, index, scan);
    made += step.text;
    index = step.end;
  }
  return made;
}

interface Step {
  text: string;
  end: number;
}

function stepAt(source: string, index: number, scan: JsxScan): Step {
  const char = source[index];
  if (char === '\\') return verbatim(source, index, index + 2);
  if (char === '`') return inlineCode(source, index);
  if (char === '{') return expression(source, index, scan);
  if (char === '<') return tag(source, index, scan);
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

function expression(source: string, index: number, scan: JsxScan): Step {
  // `{#id}` names a heading.
  const id = /^\{#[\p{L}\p{N}_:.-]+\}/u.exec(source.slice(index, index + 200));
  if (id) return verbatim(source, index, index + id[0].length);
  const end = closingBrace(source, index);
  if (end < 0) return verbatim(source, index, index + 1);
  const whole = source.slice(index, end);
  const named = headingId(source, index, end);
  if (named) return { text: named, end };
  const code = whole.slice(1, -1).trim();
  const shown = shownBy(code);
  if (shown === undefined)
    scan.tell(index, 'unknown-expression', `{${shortened(code)}} is not evaluated: its output is missing.`);
  return { text: (shown ?? '') + breaks(whole), end };
}

function shortened(code: string): string {
  const line = code.replace(/\s+/g, ' ');
  return line.length > 40 ? `${line.slice(0, 40)}…` : line;
}

/** A comment at the end of a heading names it. */
function headingId(source: string, index: number, end: number): string | undefined {
  const id = /^\{\/\*\s*#?([\p{L}\p{N}_:.-]+)\s*\*\/\}$/u.exec(source.slice(index, end))?.[1];
  const start = source.slice(source.lastIndexOf('\n', index) + 1, index);
  const isLast = /^[ \t]*(?:\n|$)/.test(source.slice(end, end + 80));
  return id && isLast && /^[\s>]*#{1,6}\s/.test(start) ? `{#${id}}` : undefined;
}

/** What an expression shows; undefined when it would have to be evaluated. */
function shownBy(code: string): string | undefined {
  const comment = /^\/\*\s*(truncate|more)\s*\*\/$/.exec(code)?.[1];
  if (comment) return `<!-- ${comment} -->`;
  if (/^(?:(?:\/\*[\s\S]*\*\/|\/\/.*)\s*)*$/.test(code)) return '';
  const literal = /^(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`([^`$]*)`)$/.exec(code);
  const text = literal ? literal.slice(1).find((part) => part !== undefined) : /^\d+$/.exec(code)?.[0];
  return text?.replaceAll('\n', ' ').replace(/[<{]/g, '\\$&');
}

function tag(source: string, index: number, scan: JsxScan): Step {
  if (source.startsWith('<!--', index)) {
    const end = source.indexOf('-->', index);
    return verbatim(source, index, end < 0 ? source.length : end + 3);
  }
  const fragment = /^<\/?>/.exec(source.slice(index, index + 3));
  if (fragment) return { text: '', end: index + fragment[0].length };
  const found = readTag(source, index);
  if (!found) return verbatim(source, index, index + 1);
  const { html, unknown } = renderTag(found, scan);
  if (unknown) scan.tell(index, 'unknown-component', `<${found.name}> is not supported: ${unknown}.`);
  return { text: html + breaks(source.slice(index, found.end)), end: found.end };
}

function breaks(text: string): string {
  return '\n'.repeat(text.split('\n').length - 1);
}
