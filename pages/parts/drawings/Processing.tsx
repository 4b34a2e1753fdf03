import { Drawing, standardBox } from './Drawing.tsx';

const lanes = [66, 104, 142, 180];
const stations = [
  { x: 132, name: 'filter' },
  { x: 240, name: 'columns' },
  { x: 348, name: 'names' },
];

/** Processing: rows pass a filter, a selection of columns and a mapping of names; one is held back. */
export function Processing() {
  return (
    <Drawing
      box={standardBox}
      label="Four rows meet a filter that holds one back, a selection that leaves out a column, and a mapping that changes a name."
    >
      <text x={16} y={30}>
        Read
      </text>
      <text className="end" x={464} y={30}>
        Written
      </text>
      {lanes.map((y) => (
        <g key={y} transform={`translate(0 ${y})`}>
          <path className="faint" d={y === 142 ? 'M16 0H126' : 'M16 0H464'} />
          <path className="row run" d="M28 0h12m6 0h40m6 0h18" />
          {y === 142 ? (
            <path className="live" d="M112 -9v18" />
          ) : (
            <>
              <path className="row run" d="M158 0h12m6 0h40m6 0h12M270 0h12m6 0h40M384 0h12" />
              <rect className="run wash" x={404} y={-6} width={40} height={12} />
            </>
          )}
        </g>
      ))}
      {stations.map(({ x, name }) => (
        <g key={name} transform={`translate(${x} 0)`}>
          <rect className="paper" x={-8} y={46} width={16} height={156} rx={4} />
          <path d="M0 202v16" />
          <text className="mid" x={0} y={240}>
            {name}
          </text>
        </g>
      ))}
    </Drawing>
  );
}
