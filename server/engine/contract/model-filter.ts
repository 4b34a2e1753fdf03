import { type Row, UNCHANGED } from '../change.ts';
import type { Filters } from '../source.ts';
import type { Table } from '../table.ts';
import { modelTables } from './model-tables.ts';
import type { Random } from './random.ts';

/** Filters of the model: a column's name, whose value must end with an even digit. `big` is often not in the log. */
export function pickFilters(random: Random): Filters {
  return new Map(
    modelTables.flatMap(({ id }) => {
      const column = random.pick([null, 'a', 'big', 'code']);
      const has = modelTables.some((table) => table.id === id && table.columns.some(({ name }) => name === column));
      return column !== null && has ? [[id, column]] : [];
    }),
  );
}

/** Whether a row meets a filter; null if the cell is not in the log. */
export function meets({ columns }: Table, filter: string | null | undefined, row: Row): boolean | null {
  if (filter === null || filter === undefined) return true;
  const cell = row[columns.findIndex(({ name }) => name === filter)];
  if (cell === UNCHANGED) return null;
  return typeof cell === 'string' && /[02468]$/.test(cell);
}
