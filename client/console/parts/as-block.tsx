import type { TableColumn } from './Table.tsx';

/** All columns of a table in one, as a narrow window has room for: what names the row, and a line for each of the others. */
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
