import type { ReactNode } from 'react';

const lines = [68, 104, 140, 176, 212];
const cells = ['h14m6 0h36m6 0h54', 'h14m6 0h52m6 0h30', 'h14m6 0h28m6 0h44', 'h14m6 0h44m6 0h50', 'h14m6 0h34m6 0h62'];

/** Index of the row that differs. */
export const differing = { at: 2, y: 140 };

/** Source and target as two tables of five rows; the target lacks the third cell of one row. */
export function PairOfTables({ children }: { children: ReactNode }) {
  const side = (x: number, without?: number) =>
    lines.map((y, at) => `M${x + 14} ${y}${at === without ? 'h14m6 0h28' : cells[at]}`).join('');
  return (
    <>
      <text x={16} y={30}>
        Source
      </text>
      <text className="end" x={464} y={30}>
        Target
      </text>
      <path
        className="thin"
        d="M16 86H176M16 122H176M16 158H176M16 194H176M304 86H464M304 122H464M304 158H464M304 194H464"
      />
      <rect x={16} y={46} width={160} height={188} rx={6} />
      <rect x={304} y={46} width={160} height={188} rx={6} />
      <path className="row run" d={side(16)} />
      <path className="row run" d={side(304, differing.at)} />
      {children}
    </>
  );
}
