/** Changes text and leaves inline code alone. */
const inlineCode = /(?<!`)(`+)(?!`)(?:(?!\n\n)[\s\S])*?(?<!`)\1(?!`)/g;

/** Hands every part of the text that is not inline code to `change`. */
export function outsideInlineCode(text: string, change: (part: string) => string): string {
  let made = '';
  let end = 0;
  for (const code of text.matchAll(inlineCode)) {
    made += change(text.slice(end, code.index)) + code[0];
    end = code.index + code[0].length;
  }
  return made + change(text.slice(end));
}
