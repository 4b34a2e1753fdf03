import type { FocusEvent, ReactElement } from 'react';
import { TableLayout, Virtualizer } from 'react-aria-components/Virtualizer';

const lines = { rowHeight: 64, headingHeight: 48 };
/** As high as what is in them, which is measured. */
const blocks = { estimatedRowHeight: 176, headingHeight: 0 };

/** Blocks above the focused one are measured as they come into view, each of which moves it. */
const framesToMeasure = 12;

/** The library scrolls its own box alone, and blocks scroll with the page. */
function showFocused({ target }: FocusEvent): void {
  // A press of the pointer is where the pointer is.
  if (!target.matches(':focus-visible')) return;
  let left = framesToMeasure;
  const show = () => {
    if (left === 0 || document.activeElement !== target) return;
    left -= 1;
    target.scrollIntoView({ block: 'nearest' });
    requestAnimationFrame(show);
  };
  show();
}

interface LongTableProps {
  /** Each row is a block of one cell. */
  blocks: boolean;
  children: ReactElement;
}

/** Draws the rows of a table that are in view, and scrolls by itself. */
export default function LongTable({ blocks: isBlocks, children }: LongTableProps) {
  return (
    <div className="console-long" {...(isBlocks && { onFocus: showFocused })}>
      <Virtualizer layout={TableLayout} layoutOptions={isBlocks ? blocks : lines}>
        {children}
      </Virtualizer>
    </div>
  );
}
