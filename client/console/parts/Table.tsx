import { lazy, Suspense } from 'react';
import { Table as AriaTable, Cell, Column, Row, TableBody, TableHeader } from 'react-aria-components/Table';
import { asBlock } from './as-block.tsx';
import { Skeleton } from './Skeleton.tsx';
import type { TableColumn } from './table-column.ts';
import { useNarrow } from './use-narrow.ts';

export interface TableProps<Item> {
  /** What the rows are, for screen readers. */
  label: string;
  /** The first column is the row header. */
  columns: readonly TableColumn<Item>[];
  rows: readonly Item[];
  rowId: (row: Item) => string;
}

/** Above this number of rows, only those in view are drawn. */
const most = 100;
const LongTable = lazy(() => import('./LongTable.tsx'));

/** Rows of figures and actions, navigated by arrow keys; in a narrow window each row is a block. */
export function Table<Item>(props: TableProps<Item>) {
  const isNarrow = useNarrow();
  if (props.rows.length <= most) return <TableRows {...props} />;
  return (
    <Suspense fallback={<Skeleton lines={12} />}>
      <LongTable key={isNarrow ? 'blocks' : 'lines'} blocks={isNarrow}>
        <TableRows {...props} columns={isNarrow ? asBlock(props.columns) : props.columns} />
      </LongTable>
    </Suspense>
  );
}

function TableRows<Item>({ label, columns, rows, rowId }: TableProps<Item>) {
  return (
    <AriaTable className="console-table" aria-label={label}>
      <TableHeader>
        {columns.map(({ name, figure, hidden }, at) => (
          <Column
            key={name}
            id={name}
            isRowHeader={at === 0}
            width={at === 0 ? '3fr' : '1fr'}
            className={figure ? 'figure' : ''}
          >
            {hidden ? <span className="visually-hidden">{name}</span> : name}
          </Column>
        ))}
      </TableHeader>
      <TableBody>
        {rows.map((row) => (
          <Row key={rowId(row)} id={rowId(row)}>
            {columns.map(({ name, figure, hidden, cell }) => (
              <Cell key={name} className={figure ? 'figure' : ''} data-name={hidden ? undefined : name}>
                {cell(row)}
              </Cell>
            ))}
          </Row>
        ))}
      </TableBody>
    </AriaTable>
  );
}
