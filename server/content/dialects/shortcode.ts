/** One of Hugo's shortcodes, `{{< name "first" key="value" >}}`. */
export interface Shortcode {
  name: string;
  closing: boolean;
  selfClosing: boolean;
  words: string;
}

const syntax = /\{\{[<%]\s*(\/?)\s*(\w[\w./-]*)((?:"[^"]*"|`[^`]*`|[^"`>%]|[>%](?!\}\}))*?)(\/?)\s*[>%]\}\}/;
const everywhere = new RegExp(syntax, 'g');

/** The shortcode of a line that holds nothing else. */
export function shortcodeAlone(text: string): Shortcode | undefined {
  const found = syntax.exec(text);
  if (!found || text.replace(found[0], '').replace(/^[\s>]*/, '') !== '') return undefined;
  return made(found[1], found[2], found[3], found[4]);
}

/** Replaces every shortcode of a text; `change` gets its offset too. */
export function replaceShortcodes(text: string, change: (shortcode: Shortcode, offset: number) => string): string {
  return text.replace(everywhere, (_whole, slash: string, name: string, words: string, end: string, offset: number) =>
    change(made(slash, name, words, end), offset),
  );
}

function made(slash = '', name = '', words = '', end = ''): Shortcode {
  return { name, closing: slash !== '', selfClosing: end !== '', words };
}

/** A named parameter. */
export function parameter({ words }: Shortcode, ...names: string[]): string | undefined {
  for (const name of names) {
    const found = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|\`([^\`]*)\`|([^\\s"\`]+))`).exec(words);
    const value = found?.slice(1).find((part) => part !== undefined);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** The first parameter without a name. */
export function firstParameter({ words }: Shortcode): string | undefined {
  return (/^\s*(?:"([^"]*)"|`([^`]*)`|([^\s"`=]+)(?![\s\w]*=))/.exec(words) ?? []).slice(1).find(Boolean);
}
