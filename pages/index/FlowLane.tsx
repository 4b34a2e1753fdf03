import type { ReactNode } from 'react';

interface LaneProps {
  /** Middle of the channel and half its height. */
  y: number;
  half: number;
  name: string;
  reading: string;
  children: ReactNode;
}

/** Name on the left and reading on the right, above a channel. */
function Captions({ y, name, children }: { y: number; name: string; children: ReactNode }) {
  return (
    <>
      <text className="flow-name" x={126} y={y}>
        {name}
      </text>
      {children}
    </>
  );
}

/** A channel from tank to tank with what flows in it. */
export function Lane({ y, half, name, reading, children }: LaneProps) {
  return (
    <>
      <path className="wash bare" d={`M112 ${y - half}H488V${y + half}H112z`} />
      {children}
      <path d={`M112 ${y - half}H488M112 ${y + half}H488`} />
      <Captions y={y - half - 16} name={name}>
        <text className="mono muted end" x={474} y={y - half - 16}>
          {reading}
        </text>
      </Captions>
    </>
  );
}

/** A sluice gate across a channel, its plate raised. */
export function Gate({ y, half, plate = '' }: { y: number; half: number; plate?: string }) {
  const head = y - half - 34;
  return (
    <>
      <path className="paper" d={`M294 ${y - half - 24}h12v${2 * half + 28}h-12z`} />
      <path className="wash bare" d={`M295 ${y - half}h10v${2 * half}h-10z`} />
      <path className={`gate-plate ${plate}`} d={`M297 ${y - half - 21}h6v20h-6z`} />
      <path d={`M300 ${y - half - 24}V${head}M292 ${head}h16`} />
    </>
  );
}

/** Verification: keys of both sides meet and are compared; now and then one differs. */
export function Comparator({ y }: { y: number }) {
  return (
    <>
      <Captions y={y - 36} name="Verification">
        <text className="mono muted end flow-even" x={474} y={y - 36}>
          diff 0
        </text>
        <text className="mono live end flow-odd" x={474} y={y - 36}>
          diff 1
        </text>
      </Captions>
      <path d={`M112 ${y - 6}H281M112 ${y + 6}H281M319 ${y - 6}H488M319 ${y + 6}H488`} />
      <path className="row run flow-keys" d={`M112 ${y}H276`} />
      <path className="row run flow-keys" d={`M488 ${y}H324`} />
      <circle className="paper" cx={300} cy={y} r={22} />
      <path className="flow-even" d={`M291 ${y - 4}h18m-18 8h18`} />
      <path className="live flow-odd" d={`M291 ${y - 4}h18m-18 8h18M306 ${y - 10}l-12 20`} />
    </>
  );
}
