import { Drawing, standardBox } from './Drawing.tsx';

const points = [
  [214, 92],
  [236, 74],
  [252, 104],
  [228, 128],
  [270, 84],
  [262, 136],
  [290, 112],
  [206, 150],
  [244, 164],
  [284, 158],
  [218, 188],
  [266, 192],
] as const;

/** AI and retrieval: files and rows become vectors; a question finds the nearest ones and is answered from them. */
export function Retrieval() {
  return (
    <Drawing
      box={standardBox}
      label="Files and rows become vectors. A question finds the nearest ones, and a model answers from them."
    >
      <path d="M16 46h40l16 16v52H16zM56 46v16h16" />
      <path className="faint" d="M28 76h32M28 88h32M28 100h20" />
      <rect x={16} y={146} width={84} height={68} rx={4} />
      <path className="row run" d="M26 164h12m6 0h40M26 181h12m6 0h28M26 198h12m6 0h44" />
      <path className="run" d="M84 82h84m-6-5 6 5-6 5M112 180h56m-6-5 6 5-6 5" />
      <rect x={184} y={46} width={128} height={168} rx={6} />
      {points.map(([x, y], at) => (
        <circle key={`${x}-${y}`} className={at > 1 && at < 7 && at !== 3 ? 'run wash' : 'faint'} cx={x} cy={y} r={4} />
      ))}
      <circle className="run dash" cx={270} cy={109} r={34} />
      <path className="run" d="M392 130h-80m6-5-6 5 6 5" />
      <rect x={392} y={92} width={72} height={76} rx={6} />
      <path className="faint" d="M404 112h48M404 124h40" />
      <path className="run" d="M404 142h48M404 154h30" />
      <text x={16} y={30}>
        Files
      </text>
      <text x={16} y={240}>
        Rows
      </text>
      <text className="mid" x={248} y={240}>
        Vectors
      </text>
      <text className="end" x={464} y={240}>
        Answers
      </text>
    </Drawing>
  );
}
