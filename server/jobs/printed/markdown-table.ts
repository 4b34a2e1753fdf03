/** A GitHub markdown table; a cell may hold `code` and links. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cellOf).join(' | ')} |`;
  return [line(head), `|${head.map(() => ' --- |').join('')}`, ...rows.map(line)].join('\n');
}

function cellOf(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', '<br>');
}

/** Text as code. */
export function code(text: string): string {
  return `\`${text}\``;
}
