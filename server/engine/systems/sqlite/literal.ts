/** Text as a SQLite string literal. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
