const courses = [
  { y: 48, rows: 'M16 0h26m8 0h14m10 0h38m12 0h14' },
  { y: 86, rows: 'M4 0h14m14 0h34m24 0h14m8 0h22' },
  { y: 124, rows: 'M22 0h38m8 0h14m32 0h26' },
];

/** Three channels reach a gate; behind it they flow as one into a basin. */
export function GateDrawing() {
  return (
    <svg className="drawing" viewBox="0 0 440 168" aria-hidden="true">
      {courses.map(({ y, rows }) => (
        <g key={y} transform={`translate(0 ${y})`}>
          <path className="wash bare" d="M0 -10H168V10H0z" />
          <path className="faint" d="M0 -10H168M0 10H168" />
          <path className="row run" d={rows} />
        </g>
      ))}
      <path className="wash bare" d="M200 76H320V96H200z" />
      <path className="faint" d="M200 76H320M200 96H320" />
      <path className="row live" d="M212 86h16m20 0h16m32 0h16" />
      <path className="paper" d="M168 20h32v132h-32zM160 20h48M160 152h48M184 20V8M172 8h24" />
      <path className="solid" d="M178 28h12v28h-12z" />
      <path className="wash bare" d="M321 90H427V146a5 5 0 0 1-5 5H326a5 5 0 0 1-5-5z" />
      <path
        className="run"
        d="M321 90q5.300-5 10.600 0t10.600 0 10.600 0 10.600 0 10.600 0 10.600 0 10.600 0 10.600 0 10.600 0 10.600 0"
      />
      <path className="row run" d="M336 112h14m6 0h56M336 132h14m6 0h38" />
      <path d="M320 76V30M320 96V146a6 6 0 0 0 6 6h96a6 6 0 0 0 6-6V30" />
    </svg>
  );
}
