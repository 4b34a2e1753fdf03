import { Drawing, standardBox } from './Drawing.tsx';
import { differing, PairOfTables } from './PairOfTables.tsx';

/** Verification: rows are compared by key; one differs. */
export function Verification() {
  return (
    <Drawing
      box={standardBox}
      label="Five rows are compared by key between source and target; in one of them a value differs."
    >
      <PairOfTables>
        {[68, 104, 140, 176, 212].map((y) => (
          <g key={y} transform={`translate(240 ${y})`}>
            <path className="faint" d="M-64 0h46M18 0h46" />
            {y === differing.y ? (
              <path className="live" d="M-9 -4H9M-9 4H9M5 -10-5 10" />
            ) : (
              <path d="M-9 -4H9M-9 4H9" />
            )}
          </g>
        ))}
        <path className="live wash-live" d="M372 134h44v12h-44z" />
      </PairOfTables>
    </Drawing>
  );
}
