import { literalAt } from '../js-literal.ts';
import { closingBrace } from './brackets.ts';

/** A JSX tag's attributes: texts, and literal values. */
export interface Attributes {
  /** Texts; an attribute without a value is empty. */
  texts: Map<string, string>;
  /** Literal lists and objects. */
  values: Map<string, unknown>;
  /** Names of variables in braces, e.g. for an imported picture. */
  names: Map<string, string>;
}

/** No attributes yet. */
export function noAttributes(): Attributes {
  return { texts: new Map(), values: new Map(), names: new Map() };
}

/** Reads one attribute and returns where it ends; undefined when none starts here. */
export function readAttribute(source: string, at: number, attributes: Attributes): number | undefined {
  const rest = source.slice(at, at + 4000);
  const spread = /^\s*\{/.exec(rest);
  if (spread) return ended(closingBrace(source, at + spread[0].length - 1));
  // No blank is required after a quote or a brace.
  const blank = /["'}]/.test(source[at - 1] ?? '') ? '*' : '+';
  const found = new RegExp(
    `^\\s${blank}([@:\\w.-]+)(?:\\s*=\\s*(?:"([^"]*)"|'([^']*)'|(\\{)|([^\\s"'{}<>/=]+)))?`,
  ).exec(rest);
  if (!found) return undefined;
  const name = found[1] ?? '';
  const end = at + found[0].length;
  if (!found[4]) {
    attributes.texts.set(name, found[2] ?? found[3] ?? found[5] ?? '');
    return end;
  }
  const close = closingBrace(source, end - 1);
  if (close >= 0) readBraces(name, source.slice(end, close - 1), attributes);
  return ended(close);
}

function ended(end: number): number | undefined {
  return end < 0 ? undefined : end;
}

function readBraces(name: string, code: string, { texts, values, names }: Attributes): void {
  const variable = /^\s*([A-Za-z_$][\w$]*)\s*$/.exec(code)?.[1];
  if (variable && !/^(?:true|false|null|undefined)$/.test(variable)) names.set(name, variable);
  else if (/^\s*[[{]/.test(code)) values.set(name, literalAt(code, 0)?.value);
  else {
    // Elsewhere an expression is not text; in these attributes its first string is nearly always the address or the
    // label.
    const literal = /['"`]([^'"`\n]*)['"`]/.exec(code)?.[1];
    if (literal !== undefined && /^(?:src|href|to|alt|label|title|value|name|language)$/.test(name))
      texts.set(name, literal);
  }
}
