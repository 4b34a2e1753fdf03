import { Drawing, standardBox } from './Drawing.tsx';

const sources = ['MySQL', 'Oracle', 'PostgreSQL'];

/** Real-time analytics: three sources flow into one warehouse. */
export function Analytics() {
  return (
    <Drawing
      box={standardBox}
      label="Changes from MySQL, Oracle and PostgreSQL flow side by side into the tables of one warehouse."
    >
      {sources.map((name, at) => (
        <g key={name} transform={`translate(0 ${66 + at * 64})`}>
          <rect x={16} y={-22} width={116} height={44} rx={6} />
          <text className="mid" x={74} y={5}>
            {name}
          </text>
          <path className="wash bare" d="M132 -10H304V10H132z" />
          <path className="faint" d="M132 -10H304M132 10H304" />
          <path
            className="row live"
            d={['M150 0h16m40 0h16m14 0h16', 'M184 0h16m24 0h16m36 0h16', 'M140 0h16m30 0h16m58 0h16'][at]}
          />
        </g>
      ))}
      <path d="M304 30V224a6 6 0 0 0 6 6h148a6 6 0 0 0 6-6V30" />
      <path className="wash bare" d="M305 112H463V224a5 5 0 0 1-5 5H310a5 5 0 0 1-5-5z" />
      <path
        className="run"
        d="M305 112q9.900-6 19.750 0t19.750 0 19.750 0 19.750 0 19.750 0 19.750 0 19.750 0 19.750 0"
      />
      <path className="row run" d="M328 212V184M352 212V160M376 212V172M400 212V146M424 212V156M448 212V132" />
      <text className="mid" x={384} y={62}>
        Warehouse
      </text>
    </Drawing>
  );
}
