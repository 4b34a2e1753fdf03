/** A text with Arabic-Indic and Persian digits, as some keyboards type them, as the digits 0 to 9. */
export function withLatinDigits(text: string): string {
  // Both rows of ten begin at a multiple of 16.
  return text.replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) % 16));
}
