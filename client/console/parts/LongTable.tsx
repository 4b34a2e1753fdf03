import type { FocusEvent, ReactElement } from 'react';
import { TableLayout, Virtualizer } from 'react-aria-components/Virtualizer';

const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
const lines = { rowHeight: 4 * rem, headingHeight: 3 * rem };
/** The height follows the content, which is measured. */
const blocks = { estimatedRowHeight: 11 * rem, headingHeight: 0 };

/** Blocks above the focused one are measured as they come into view, and each measurement moves it. */
const framesToMeasure = 12;

/** The library scrolls only its own box, but blocks scroll with the page. */
function showFocused({ target }: FocusEvent): void {
  // After a click, the target is under the pointer anyway.
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

/** Draws only the table rows that are in view; it has its own scrolling. */
export default function LongTable({ blocks: isBlocks, children }: LongTableProps) {
  return (
    <div className="console-long" {...(isBlocks && { onFocus: showFocused })}>
      <Virtualizer layout={TableLayout} layoutOptions={isBlocks ? blocks : lines}>
        {children}
      </Virtualizer>
    </div>
  );
}
