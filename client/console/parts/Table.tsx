import type { ReactNode } from 'react';

interface Column {
  name: string;
  /** Figures stand on the right. */
  figure?: boolean;
  /** For screen readers alone. */
  hidden?: boolean;
}

interface TableProps {
  columns: readonly Column[];
  /** `tbody`, and `tfoot` where there is one. */
  children: ReactNode;
}

/** Figures and actions in rows; it scrolls by itself where the window is narrow. */
export function Table({ columns, children }: TableProps) {
  return (
    <div className="console-scroll">
      <table className="console-table">
        <thead>
          <tr>
            {columns.map(({ name, figure, hidden }) => (
              <th key={name} scope="col" className={figure ? 'figure' : undefined}>
                {hidden ? <span className="visually-hidden">{name}</span> : name}
              </th>
            ))}
          </tr>
        </thead>
        {children}
      </table>
    </div>
  );
}
