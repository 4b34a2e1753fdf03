import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import project from '../../package.json' with { type: 'json' };

type Cell = string | number;
export type Row = Record<string, Cell>;

/** Prints rows as a table, with numbers right-aligned. */
export function printTable(rows: readonly Row[]): void {
  const columns = Object.keys(rows[0] ?? {});
  const widths = columns.map((name) => Math.max(name.length, ...rows.map((row) => String(row[name] ?? '').length)));
  const line = (cell: (name: string) => Cell) =>
    columns
      .map((name, at) => {
        const value = cell(name);
        return typeof value === 'number' ? String(value).padStart(widths[at] ?? 0) : value.padEnd(widths[at] ?? 0);
      })
      .join('  ');
  console.log(line((name) => name));
  console.log(widths.map((width) => '─'.repeat(width)).join('  '));
  for (const row of rows) console.log(line((name) => row[name] ?? ''));
}

/** Prints the rows and keeps them as `results/<name>.json` with versions, date and machine. */
export async function record(name: string, rows: readonly Row[], tools: Record<string, string> = {}): Promise<void> {
  printTable(rows);
  const result = {
    measurement: name,
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GB, ${process.platform}`,
    versions: { millrace: project.version, node: process.versions.node, ...tools },
    rows,
  };
  await mkdir(join(import.meta.dirname, 'results'), { recursive: true });
  await writeFile(join(import.meta.dirname, 'results', `${name}.json`), `${JSON.stringify(result, null, 2)}\n`);
}

/** Rounds to a number of digits that keeps a table readable. */
export function round(value: number, digits = 0): number {
  return Number(value.toFixed(digits));
}
