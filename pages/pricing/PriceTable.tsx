interface PriceTableProps {
  /** Figures are right-aligned in their column. */
  columns: { label: string; figure?: boolean }[];
  /** A cell for each column; the first is the row's header. */
  rows: { id: string; cells: string[] }[];
  /** Last row: its header spans all columns but the last. */
  sum?: { label: string; figure: string };
}

/** One of the tables of /pricing. */
export function PriceTable({ columns, rows, sum }: PriceTableProps) {
  const classOf = (at: number) => (columns[at]?.figure ? 'figure' : undefined);
  return (
    <table className="price-table">
      <thead>
        <tr>
          {columns.map(({ label }, at) => (
            <th key={label} scope="col" className={classOf(at)}>
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ id, cells: [head, ...cells] }) => (
          <tr key={id}>
            <th scope="row">{head}</th>
            {cells.map((cell, at) => (
              <td key={columns[at + 1]?.label} className={classOf(at + 1)}>
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
      {sum && (
        <tfoot>
          <tr>
            <th scope="row" colSpan={columns.length - 1}>
              {sum.label}
            </th>
            <td className="figure">{sum.figure}</td>
          </tr>
        </tfoot>
      )}
    </table>
  );
}
