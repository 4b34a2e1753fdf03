import type { TableColumn } from './table-column.ts';

/** Joins a table's columns into one for a narrow window: the row header, then a line for each other column. */
export function asBlock<Item>([first, ...others]: readonly TableColumn<Item>[]): TableColumn<Item>[] {
  if (!first) return [];
  return [
    {
      name: first.name,
      cell: (row) => (
        <div className="console-block">
          <div>{first.cell(row)}</div>
          {others.map(({ name, figure, hidden, cell }) => (
            <div key={name} className={figure ? 'figure' : undefined}>
              <span className={hidden ? 'visually-hidden' : 'console-block-name'}>{name}</span>
              <span>{cell(row)}</span>
            </div>
          ))}
        </div>
      ),
    },
  ];
}
