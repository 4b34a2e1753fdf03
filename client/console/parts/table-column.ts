import type { ReactNode } from 'react';

/** A column of a table: its heading, and what it shows of each row. */
export interface TableColumn<Item> {
  name: string;
  /** Figures are right-aligned. */
  figure?: boolean;
  /** The name is only for screen readers. */
  hidden?: boolean;
  cell: (item: Item) => ReactNode;
}
