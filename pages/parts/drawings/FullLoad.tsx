import { Drawing, standardBox } from './Drawing.tsx';

const ranges = [
  { keys: '1–249', loaded: 1, percent: '100 %', rows: '' },
  { keys: '250–499', loaded: 0.84, percent: '84 %', rows: 'M170 0h22m8 0h34m8 0h14' },
  { keys: '500–749', loaded: 0.62, percent: '62 %', rows: 'M184 0h34m8 0h14m8 0h26m8 0h20' },
  { keys: '750–999', loaded: 0.91, percent: '91 %', rows: 'M206 0h18m8 0h34' },
];

/** Full load: four key ranges of a table are copied to the target in parallel. */
export function FullLoad() {
  return (
    <Drawing box={standardBox} label="Four key ranges of one table, each with the share already loaded.">
      <text x={16} y={30}>
        Key ranges
      </text>
      <text className="end" x={464} y={30}>
        Loaded
      </text>
      {ranges.map(({ keys, loaded, percent, rows }, at) => (
        <g key={keys} transform={`translate(0 ${76 + at * 48})`}>
          <rect className="paper" x={16} y={-18} width={112} height={36} rx={6} />
          <text className="mono" x={28} y={5}>
            {keys}
          </text>
          <path className="faint" d="M128 -9H352M128 9H352" />
          <path className="row run" d={rows} />
          <rect className="wash bare" x={352} y={-18} width={112 * loaded} height={36} rx={6} />
          <rect x={352} y={-18} width={112} height={36} rx={6} />
          <text className="mono end" x={452} y={5}>
            {percent}
          </text>
        </g>
      ))}
    </Drawing>
  );
}
