import type { StrengthMarkName } from '../../client/contract/page-texts.ts';

/** Ink, with moving parts in the accent, on a plane of 72 × 40: the same parts as in the hero's drawing. */
const marks: Record<StrengthMarkName, { ink: string; run?: string; rows?: string }> = {
  delay: { ink: 'M5 34a24 24 0 0 1 48 0M1 34h56', run: 'M29 34 14 20' },
  position: { ink: 'M1 8H71M1 26H71', run: 'M44 2v36m-5-5 5 6 5-6', rows: 'M2 17h12m5 0h18' },
  proof: { ink: 'M1 20H22M50 20H71M30 17h12M30 24h12', run: 'M50 20a14 14 0 1 1-28 0 14 14 0 0 1 28 0z' },
  breadth: { ink: 'M46 1V35a4 4 0 0 0 4 4h17a4 4 0 0 0 4-4V1', run: 'M1 5h45M1 13h45M1 21h45M1 29h45' },
  change: { ink: 'M28 1h16v38H28z', rows: 'M1 20h8m4 0h10M49 20h20' },
  place: { ink: 'M23 12h26v16H23z', run: 'M1 1h70v38H1z' },
};

/** Small drawing above a strength; decoration. */
export function StrengthMark({ name }: { name: StrengthMarkName }) {
  const { ink, run, rows } = marks[name];
  return (
    <svg className="drawing strength-mark" viewBox="0 0 72 40" width={72} height={40} aria-hidden="true">
      <path d={ink} />
      {run && <path className={name === 'place' ? 'run dash' : 'run'} d={run} />}
      {rows && <path className="row run" d={rows} />}
    </svg>
  );
}
