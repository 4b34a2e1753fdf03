/** Where the four channels break through the tank's inner wall. */
const openings = [
  [100, 144],
  [217, 243],
  [318, 330],
  [411, 437],
] as const;

const top = 44;
const bottom = 488;
const level = 98;
const width = 104;
const waves = 'q 6.5 -5 13 0 t 13 0 '.repeat(6);

/** Lengths of the rows' second cell, so a tank looks like a table and not like a ruler. */
const lengths = [44, 34, 52, 40, 28, 48];

/** The rows a tank holds: two cells each. `without` leaves out the row that verification finds missing. */
export function rowsOf(x: number, without?: number): string {
  let path = '';
  for (let y = 124, at = 0; y < bottom - 16; y += 20, at += 1) {
    if (y !== without) path += `M${x + 14} ${y}h16m8 0h${y === 424 ? 52 : lengths[at % lengths.length]}`;
  }
  return path;
}

/** An open tank, filled with rows; `mirrored` puts the openings on its left. */
export function Tank({ x, name, mirrored = false }: { x: number; name: string; mirrored?: boolean }) {
  const outer = mirrored ? x + width : x;
  const inner = mirrored ? x : x + width;
  const clip = `tank-${name.toLowerCase()}`;
  const wall = openings.map(([from, to]) => `V${from}M${inner} ${to}`).join('');
  return (
    <>
      <text className="flow-name mid" x={x + width / 2} y={24}>
        {name}
      </text>
      <clipPath id={clip}>
        <path d={`M${x} ${level - 8}h${width}V${bottom}h-${width}z`} />
      </clipPath>
      <g clipPath={`url(#${clip})`}>
        <path className="wash run flow-water" d={`M${x - 26} ${level} ${waves}V${bottom + 4}H${x - 26}z`} />
      </g>
      <path d={`M${inner} ${top}${wall}V${bottom}`} />
      <path d={`M${outer} ${top}V${bottom}H${inner}`} />
    </>
  );
}
