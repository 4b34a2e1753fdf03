/** A text as a statement of SQLite takes it. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
