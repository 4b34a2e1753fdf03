import type { TableProps } from './Table.tsx';

/** A few rows whose buttons are reached by Tab: a plain HTML table, which loads no library. */
export function PlainTable<Item>({ label, columns, rows, rowId }: TableProps<Item>) {
  return (
    <table className="console-table" aria-label={label}>
      <thead>
        <tr>
          {columns.map(({ name, figure, hidden }) => (
            <th key={name} scope="col" className={figure ? 'figure' : ''}>
              {hidden ? <span className="visually-hidden">{name}</span> : name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={rowId(row)}>
            {columns.map(({ name, figure, hidden, cell }) => (
              <td key={name} className={figure ? 'figure' : ''} data-name={hidden ? undefined : name}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
