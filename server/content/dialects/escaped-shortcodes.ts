const opening = /\{\{([<%])\/\*\s?/g;
const ending = /\s?\*\/([>%])\}\}/g;

/** Shortcodes that the text is about: written with comment markers inside theirs, as the reader should see them. */
export function unescaped(text: string): string {
  let made = '';
  let last = 0;
  // Both markers are searched from where the last one was found: otherwise an opening without an end would cost a whole
  // line.
  for (let start = next(opening, text, 0); start; start = next(opening, text, last)) {
    const from = start.index + start[0].length;
    const end = next(ending, text, from);
    if (!end) break;
    made += `${text.slice(last, start.index)}{{${start[1]} ${text.slice(from, end.index)} ${end[1]}}}`;
    last = end.index + end[0].length;
  }
  return made + text.slice(last);
}

function next(mark: RegExp, text: string, from: number): RegExpExecArray | null {
  mark.lastIndex = from;
  return mark.exec(text);
}
