import type { ReactElement } from 'react';
import { TableLayout, Virtualizer } from 'react-aria-components/Virtualizer';

const layout = { rowHeight: 64, headingHeight: 48 };

/** Draws the rows of a table that are in view, and scrolls by itself. */
export default function LongTable({ children }: { children: ReactElement }) {
  return (
    <div className="console-long">
      <Virtualizer layout={TableLayout} layoutOptions={layout}>
        {children}
      </Virtualizer>
    </div>
  );
}
