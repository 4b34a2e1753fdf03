import { Drawing, standardBox } from './Drawing.tsx';

const lanes = [
  { key: 'key 17', rows: 'M210 0h16m30 0h16m44 0h16' },
  { key: 'key 42', rows: 'M240 0h16m62 0h16' },
  { key: 'key 58', rows: 'M196 0h16m22 0h16' },
];

/** Change sync: entries from the source's log go to the target in lanes, one lane for each key. */
export function ChangeSync() {
  return (
    <Drawing
      box={standardBox}
      label="The source's log with inserts, updates and deletes. Entries that have been read move to the target in lanes that keep the order of each key."
    >
      <text x={16} y={30}>
        Source log
      </text>
      <text className="mono live end" x={464} y={30}>
        new
      </text>
      <rect className="wash-live bare" x={330} y={46} width={134} height={36} />
      <text className="mono mid muted" x="38.4 83.2 128 172.8 217.6 262.4 307.2" y={69}>
        +~+−~+~
      </text>
      <text className="mono mid live" x="352 396.8 441.6" y={69}>
        +~−
      </text>
      <path d="M16 46H464M16 82H464" />
      <path
        className="faint"
        d="M60.8 46v36M105.6 46v36M150.4 46v36M195.2 46v36M240 46v36M284.8 46v36M374.4 46v36M419.2 46v36"
      />
      <path className="run" d="M329.6 40v56M324 91l5.600 6 5.600-6" />
      <text className="run end" x={316} y={104}>
        position
      </text>
      {lanes.map(({ key, rows }, at) => (
        <g key={key} transform={`translate(0 ${142 + at * 42})`}>
          <text className="mono" x={16} y={5}>
            {key}
          </text>
          <path className="faint" d="M92 -9H372M92 9H372" />
          <path className="row live" d={rows} />
        </g>
      ))}
      <path className="wash" d="M372 122V246a4 4 0 0 0 4 4h84a4 4 0 0 0 4-4V122" />
      <text className="mid" x={418} y={191}>
        Target
      </text>
    </Drawing>
  );
}
