import { type Change, keyOf, keyText, type Row, UNCHANGED } from '../change.ts';
import type { Table } from '../table.ts';
import { sorted } from './sorted.ts';

/** Tables as the stream delivers them. */
export class Copy {
  readonly #tables: Map<string, Map<string, Row>>;

  constructor(tables = new Map<string, Map<string, Row>>()) {
    this.#tables = tables;
  }

  clone(): Copy {
    return new Copy(new Map([...this.#tables].map(([name, rows]) => [name, new Map(rows)])));
  }

  rows(table: Table): Row[] {
    return sorted([...this.#of(table).values()]);
  }

  replay(changes: readonly Change[]): void {
    for (const change of changes) {
      if (change.kind === 'truncate') for (const table of change.tables) this.#of(table).clear();
      if (change.kind === 'row') this.#row(change.table, change.before, change.after);
    }
  }

  #row(table: Table, before: Row | null, after: Row | null): void {
    const rows = this.#of(table);
    const old = before ?? after;
    if (!old) throw new Error('A change tells a row.');
    const from = keyText(keyOf(table, old));
    const known = rows.get(from);
    if (before) rows.delete(from);
    if (!after) return;
    const row = after.map((cell, column) => (cell === UNCHANGED ? (known?.[column] ?? null) : cell));
    rows.set(keyText(keyOf(table, row)), row);
  }

  #of(table: Table): Map<string, Row> {
    const rows = this.#tables.get(table.id) ?? new Map<string, Row>();
    this.#tables.set(table.id, rows);
    return rows;
  }
}
