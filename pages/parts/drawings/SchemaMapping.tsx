import { Drawing, standardBox } from './Drawing.tsx';

const columns = [
  ['id', 'BIGINT', 'Int64'],
  ['amount', 'DECIMAL', 'Decimal(10, 2)'],
  ['note', 'VARCHAR', 'String'],
  ['at', 'DATETIME', 'DateTime64'],
] as const;

/** Schema: a table's columns and the types they get on the other engine. */
export function SchemaMapping() {
  return (
    <Drawing
      box={standardBox}
      label="Columns of a MySQL table and the types they get in ClickHouse: BIGINT becomes Int64, DECIMAL Decimal, VARCHAR String, DATETIME DateTime64."
    >
      <text x={16} y={30}>
        MySQL
      </text>
      <text x={288} y={30}>
        ClickHouse
      </text>
      <rect x={16} y={46} width={176} height={196} rx={6} />
      <rect className="run dash wash" x={288} y={46} width={176} height={196} rx={6} />
      {columns.map(([name, from, to], at) => (
        <g key={name} transform={`translate(0 ${46 + at * 49})`}>
          {at > 0 && <path className="thin" d="M17 0H191M289 0H463" />}
          <text className="mono muted" x={30} y={29}>
            {name}
          </text>
          <text className="mono" x={100} y={29}>
            {from}
          </text>
          <path className="run" d="M204 24.500h70m-6-5 6 5-6 5" />
          <text className="mono" x={302} y={29}>
            {to}
          </text>
        </g>
      ))}
    </Drawing>
  );
}
