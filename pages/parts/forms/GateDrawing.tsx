/** Three courses reach a gate; behind it they run as one into a measured basin. */
export function GateDrawing() {
  return (
    <svg className="gate-drawing" viewBox="0 0 440 168" aria-hidden="true">
      <g className="ink">
        <path d="M0 44h150M0 140h150M214 60h118v-14M214 124h118v20M332 144v8h96V38" />
        <path d="M168 20v132M200 20v132M160 20h48M160 152h48M184 20V8M174 8h20" />
        <path d="M168 40h32M168 52h32" />
      </g>
      <g className="water">
        <path d="M0 68h168M0 92h168M0 116h168" />
        <path d="M200 84h132M200 100h132" />
        <path d="M332 84h96M340 96h80M340 108h80M340 120h80M340 132h80" />
      </g>
      <path className="level" d="m436 80-8 4 8 4z" />
      <g className="ink faint">
        <path d="M412 52h16M418 64h10M412 76h16" />
      </g>
    </svg>
  );
}
