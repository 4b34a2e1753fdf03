const fontOrScript = /<(?:link rel="preload"(?=[^>]*\bas="font")|script(?=[^>]*\btype="module"))/g;

/** Has the font and the script of a document come after its text, which is read without either of them. */
export function textFirst(html: string): string {
  return html.replace(fontOrScript, '$& fetchpriority="low"');
}
