import { type Attributes, noAttributes, readAttribute } from './jsx-attributes.ts';

export interface JsxTag {
  name: string;
  closing: boolean;
  selfClosing: boolean;
  attributes: Attributes;
  /** Offset after the tag. */
  end: number;
}

/** Reads the JSX tag at `index`; undefined when there is none. */
export function readTag(source: string, index: number): JsxTag | undefined {
  const start = /^<(\/?)([A-Za-z][\w.:-]*)/.exec(source.slice(index, index + 80));
  if (!start) return undefined;
  const attributes = noAttributes();
  let at = index + start[0].length;
  for (;;) {
    const end = /^\s*(\/?)>/.exec(source.slice(at, at + 500));
    if (end)
      return {
        name: start[2] ?? '',
        closing: start[1] === '/',
        selfClosing: end[1] === '/',
        attributes,
        end: at + end[0].length,
      };
    const next = readAttribute(source, at, attributes);
    if (next === undefined) return undefined;
    at = next;
  }
}
