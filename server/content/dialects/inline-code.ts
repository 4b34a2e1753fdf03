const inlineCode = /(?<!`)(`+)(?!`)(?:(?!\n\n)[\s\S])*?(?<!`)\1(?!`)/g;

/** Where inline code starts and ends. */
export function codeSpans(text: string): [start: number, end: number][] {
  return [...text.matchAll(inlineCode)].map((code) => [code.index, code.index + code[0].length]);
}

/** Finds the inline code that contains an offset of a text; offsets must not decrease from call to call. */
export function codeSpansAlong(text: string): (offset: number) => { start: number; end: number } | undefined {
  const spans = codeSpans(text).values();
  let next = spans.next();
  return (offset) => {
    while (!next.done && next.value[1] <= offset) next = spans.next();
    if (next.done || next.value[0] >= offset) return undefined;
    const [start, end] = next.value;
    return { start, end };
  };
}

/** Passes every part of the text that is not inline code to `change`, with its offset. */
export function outsideInlineCode(text: string, change: (part: string, offset: number) => string): string {
  let made = '';
  let last = 0;
  for (const [start, end] of codeSpans(text)) {
    made += change(text.slice(last, start), last) + text.slice(start, end);
    last = end;
  }
  return made + change(text.slice(last), last);
}
